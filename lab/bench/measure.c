/*
 * Runs commands one after the other, without a shell and without Node, and says what they took.
 *
 *   measure SECONDS OUTPUT COMMAND [ARGUMENT]... [';;' COMMAND [ARGUMENT]...]...
 *
 * What they print goes to OUTPUT. One line on standard output: wall time in microseconds, CPU time in microseconds, the
 * resident kibibytes of the largest process, and the status of the last command. CPU and memory are those of the
 * commands and of every process that they waited for. After SECONDS, and when this program is stopped, the running
 * command and its group are killed.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile pid_t running = 0;
static volatile sig_atomic_t late = 0;

static void kill_running(int signal_number) {
  (void)signal_number;
  late = 1;
  if (running > 0) kill(-running, SIGKILL);
}

static long long now(void) {
  struct timespec at;
  clock_gettime(CLOCK_MONOTONIC, &at);
  return at.tv_sec * 1000000LL + at.tv_nsec / 1000;
}

static long long microseconds(struct timeval span) { return span.tv_sec * 1000000LL + span.tv_usec; }

static void become(char **argv, int output) {
  int nothing = open("/dev/null", O_RDONLY);
  setpgid(0, 0);
  dup2(nothing, 0);
  dup2(output, 1);
  dup2(output, 2);
  execvp(argv[0], argv);
  _exit(127);
}

int main(int argc, char **argv) {
  if (argc < 4) return 2;
  int output = open(argv[2], O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (output < 0) return 2;
  int stops[] = {SIGALRM, SIGINT, SIGTERM};
  for (int at = 0; at < 3; at += 1) signal(stops[at], kill_running);
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, SIGTERM);
#endif
  alarm((unsigned)atoi(argv[1]));
  long long cpu = 0;
  long peak = 0;
  int status = 0;
  long long began = now();
  for (int at = 3; at < argc && !late;) {
    char **command = argv + at;
    while (at < argc && strcmp(argv[at], ";;") != 0) at += 1;
    if (at < argc) argv[at++] = NULL;
    pid_t child = fork();
    if (child == 0) become(command, output);
    setpgid(child, child);
    running = child;
    struct rusage used;
    while (wait4(child, &status, 0, &used) < 0)
      if (errno != EINTR) return 2;
    running = 0;
    cpu += microseconds(used.ru_utime) + microseconds(used.ru_stime);
    if (used.ru_maxrss > peak) peak = used.ru_maxrss;
  }
  long long wall = now() - began;
  printf("%lld %lld %ld %d\n", wall, cpu, peak, WIFEXITED(status) && !late ? WEXITSTATUS(status) : 124);
  return 0;
}
