/*
 * record BOX OUT [every=NUMBER | kill=NUMBER] -- PROGRAM ARGUMENTS...
 *
 * Runs a program under ptrace and copies the folder BOX to OUT/NNNNNN each time that a system call has changed something,
 * whoever made the call: the program or any process that it started. A seccomp filter stops a thread at every call that can
 * change a file. Only one of them runs at a time, and no other begins before the copy is made, so each copy is what is on the
 * disk if all processes are killed at that moment. A call that fails changes nothing and has no copy. fsync has none either: a
 * killed process loses nothing that it has written.
 *
 * OUT/000000 is the folder before the program began. A write to a file that is not a temporary one also has a copy
 * NNNNNN.torn with the first half of its data.
 * OUT/calls has one line for each copy: its name, the call and the path. With `every`, only each call whose number is a multiple of it
 * has copies. With `kill`, nothing is copied; the program is killed right after the call of that number, its children are left
 * alone, and the line `killed` is printed.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

#ifndef __x86_64__
#error "the recorder knows the system calls of x86-64 only"
#endif

/* How the file of a call is found: by a path, by a path below an open folder, or by an open file. */
enum { PATH, AT, HANDLE };

static const struct call {
  int number;
  const char *name;
  int kind, argument;
} CALLS[] = {
    {SYS_open, "open", PATH, 0}, {SYS_openat, "openat", AT, 0}, {SYS_creat, "creat", PATH, 0},
    {SYS_write, "write", HANDLE, 0}, {SYS_pwrite64, "pwrite", HANDLE, 0}, {SYS_writev, "writev", HANDLE, 0},
    {SYS_pwritev, "pwritev", HANDLE, 0}, {SYS_pwritev2, "pwritev2", HANDLE, 0},
    {SYS_sendfile, "sendfile", HANDLE, 0}, {SYS_copy_file_range, "copy_file_range", HANDLE, 2},
    {SYS_splice, "splice", HANDLE, 2}, {SYS_ioctl, "ioctl", HANDLE, 0},
    {SYS_rename, "rename", PATH, 1}, {SYS_renameat, "renameat", AT, 2}, {SYS_renameat2, "renameat2", AT, 2},
    {SYS_unlink, "unlink", PATH, 0}, {SYS_unlinkat, "unlinkat", AT, 0}, {SYS_rmdir, "rmdir", PATH, 0},
    {SYS_mkdir, "mkdir", PATH, 0}, {SYS_mkdirat, "mkdirat", AT, 0},
    {SYS_mknod, "mknod", PATH, 0}, {SYS_mknodat, "mknodat", AT, 0},
    {SYS_link, "link", PATH, 1}, {SYS_linkat, "linkat", AT, 2},
    {SYS_symlink, "symlink", PATH, 1}, {SYS_symlinkat, "symlinkat", AT, 1},
    {SYS_chmod, "chmod", PATH, 0}, {SYS_fchmodat, "fchmodat", AT, 0}, {SYS_fchmod, "fchmod", HANDLE, 0},
    {SYS_chown, "chown", PATH, 0}, {SYS_lchown, "lchown", PATH, 0}, {SYS_fchownat, "fchownat", AT, 0},
    {SYS_fchown, "fchown", HANDLE, 0}, {SYS_truncate, "truncate", PATH, 0}, {SYS_ftruncate, "ftruncate", HANDLE, 0},
    {SYS_fallocate, "fallocate", HANDLE, 0}, {SYS_utimensat, "utimensat", AT, 0},
    {SYS_setxattr, "setxattr", PATH, 0}, {SYS_lsetxattr, "lsetxattr", PATH, 0}, {SYS_fsetxattr, "fsetxattr", HANDLE, 0},
    {SYS_removexattr, "removexattr", PATH, 0}, {SYS_fremovexattr, "fremovexattr", HANDLE, 0},
};
enum { COUNT = sizeof CALLS / sizeof *CALLS };

static const char *box, *out;
static FILE *calls;
static int position, every = 1, killAt = -1;
static pid_t program;

static void fail(const char *what) {
  fprintf(stderr, "record: %s: %s\n", what, strerror(errno));
  exit(3);
}

/** Stops at every call of the table; all others run as ever. */
static void installFilter(void) {
  struct sock_filter filter[COUNT + 5];
  int size = 0;
  filter[size++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
  for (int index = 0; index < COUNT; index += 1)
    filter[size++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, CALLS[index].number, COUNT - index, 0);
  filter[size++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  filter[size++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRACE);
  struct sock_fprog whole = {size, filter};
  if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &whole) == 0) return;
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &whole)) fail("seccomp");
}

static void readText(pid_t thread, unsigned long address, char *text) {
  size_t size = 0;
  text[0] = 0;
  while (size < PATH_MAX - 1) { /* Page by page, for the next one may not be there. */
    size_t part = 4096 - (address + size) % 4096;
    if (size + part > PATH_MAX - 1) part = PATH_MAX - 1 - size;
    struct iovec here = {text + size, part}, there = {(void *)(address + size), part};
    ssize_t got = process_vm_readv(thread, &here, 1, &there, 1, 0);
    if (got <= 0) break;
    text[size + got] = 0;
    if (strlen(text) < size + got) return;
    size += got;
  }
}

static unsigned long argumentOf(const struct user_regs_struct *registers, int index) {
  const unsigned long all[] = {registers->rdi, registers->rsi, registers->rdx, registers->r10, registers->r8, registers->r9};
  return all[index];
}

/** The file of the call; answers 0 where the call cannot change anything in the box. */
static int findSubject(pid_t thread, const struct call *call, const struct user_regs_struct *registers, char *path) {
  unsigned long argument = argumentOf(registers, call->argument);
  if (call->kind == HANDLE) {
    if (call->number == SYS_ioctl && argumentOf(registers, 1) != 0x40049409 && argumentOf(registers, 1) != 0x4020940d)
      return 0; /* Only those two copy data (FICLONE, FICLONERANGE). */
    char link[64];
    snprintf(link, sizeof link, "/proc/%d/fd/%d", thread, (int)argument);
    ssize_t size = readlink(link, path, PATH_MAX - 1);
    path[size < 0 ? 0 : size] = 0;
    return strncmp(path, box, strlen(box)) == 0;
  }
  if (call->number == SYS_open && !(argumentOf(registers, 1) & (O_CREAT | O_TRUNC))) return 0;
  if (call->number == SYS_openat && !(argumentOf(registers, 2) & (O_CREAT | O_TRUNC))) return 0;
  unsigned long address = call->kind == AT ? argumentOf(registers, call->argument + 1) : argument;
  if (address) readText(thread, address, path);
  else path[0] = 0;
  int skip = 0;
  sscanf(path, "/proc/%*[0-9a-z]/root%n", &skip);
  return path[0] != '/' || strncmp(path + skip, box, strlen(box)) == 0;
}

/* What the last copy has of each path, sorted by path. What did not change since is a hard link to it. */
struct known {
  char *path;
  ino_t file;
  struct timespec changed;
};
static struct known *before, *now;
static size_t beforeCount, nowCount, room;
static char lastCopy[PATH_MAX];
static struct timespec lastMoment;

static int compareKnown(const void *one, const void *other) {
  return strcmp(((const struct known *)one)->path, ((const struct known *)other)->path);
}

/* Times of files are those of the last tick of the clock, so a file may change once more without another time. */
enum { CLOCK_TICK_MS = 20 };

static int isUnchanged(const char *path, const struct stat *entry) {
  struct known wanted = {.path = (char *)path};
  const struct known *known = bsearch(&wanted, before, beforeCount, sizeof *before, compareKnown);
  if (!known || known->file != entry->st_ino) return 0;
  if (known->changed.tv_sec != entry->st_ctim.tv_sec || known->changed.tv_nsec != entry->st_ctim.tv_nsec) return 0;
  long long age = (lastMoment.tv_sec - entry->st_ctim.tv_sec) * 1000LL + (lastMoment.tv_nsec - entry->st_ctim.tv_nsec) / 1000000;
  return age > CLOCK_TICK_MS;
}

static void copyData(const char *from, const char *to) {
  char data[65536];
  int source = open(from, O_RDONLY | O_CLOEXEC), target = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (source < 0 || target < 0) fail(from);
  for (ssize_t got; (got = read(source, data, sizeof data)) != 0;)
    if (got < 0 || write(target, data, got) != got) fail(to);
  close(source);
  close(target);
}

/** Owner, mode, times, and what an overlay notes about a folder. */
static void copyTraits(const char *from, const char *to, const struct stat *entry) {
  char names[4096], value[4096];
  ssize_t size = llistxattr(from, names, sizeof names);
  for (char *name = names; size > 0 && name < names + size; name += strlen(name) + 1) {
    ssize_t length = lgetxattr(from, name, value, sizeof value);
    if (length >= 0) lsetxattr(to, name, value, length, 0); /* Not everybody may. */
  }
  if (lchown(to, entry->st_uid, entry->st_gid) && geteuid() == 0) fail(to);
  if (!S_ISLNK(entry->st_mode) && chmod(to, entry->st_mode & 07777)) fail(to);
  struct timespec times[] = {entry->st_atim, entry->st_mtim};
  if (utimensat(AT_FDCWD, to, times, AT_SYMLINK_NOFOLLOW)) fail(to);
}

/* The files with several names in the box, and one of their names in the copy. */
static struct {
  ino_t file;
  char path[PATH_MAX];
} linked[64];
static int linkedCount;

static int isLinked(const struct stat *entry, const char *to) {
  if (entry->st_nlink < 2 || S_ISDIR(entry->st_mode)) return 0;
  for (int index = 0; index < linkedCount; index += 1)
    if (linked[index].file == entry->st_ino) {
      if (link(linked[index].path, to)) fail(to);
      return 1;
    }
  if (linkedCount == sizeof linked / sizeof *linked) fail("too many files with several names");
  linked[linkedCount].file = entry->st_ino;
  snprintf(linked[linkedCount++].path, PATH_MAX, "%s", to);
  return 0;
}

static void remember(const char *path, const struct stat *entry) {
  if (nowCount == room) now = realloc(now, (room = room ? 2 * room : 1024) * sizeof *now);
  now[nowCount++] = (struct known){strdup(path), entry->st_ino, entry->st_ctim};
}

static void copyEntry(const char *from, const char *to) {
  struct stat entry;
  if (lstat(from, &entry)) fail(from);
  const char *path = from + strlen(box);
  if (S_ISDIR(entry.st_mode)) {
    if (mkdir(to, 0700)) fail(to);
    DIR *folder = opendir(from);
    if (!folder) fail(from);
    char child[PATH_MAX], copy[PATH_MAX];
    for (struct dirent *name; (name = readdir(folder));) {
      if (strcmp(name->d_name, ".") == 0 || strcmp(name->d_name, "..") == 0) continue;
      snprintf(child, sizeof child, "%s/%s", from, name->d_name);
      snprintf(copy, sizeof copy, "%s/%s", to, name->d_name);
      copyEntry(child, copy);
    }
    closedir(folder);
    copyTraits(from, to, &entry);
    return;
  }
  if (isLinked(&entry, to)) return;
  remember(path, &entry);
  char old[2 * PATH_MAX];
  snprintf(old, sizeof old, "%s%s", lastCopy, path);
  if (entry.st_nlink == 1 && isUnchanged(path, &entry) && link(old, to) == 0) return;
  if (S_ISLNK(entry.st_mode)) {
    char text[PATH_MAX] = "";
    if (readlink(from, text, sizeof text - 1) < 0 || symlink(text, to)) fail(to);
  } else if (S_ISREG(entry.st_mode)) copyData(from, to);
  else if (mknod(to, entry.st_mode, entry.st_rdev)) fail(to);
  copyTraits(from, to, &entry);
}

/** Copies the box; only what changed since the last copy is written. */
static void copyBox(const char *name) {
  char target[PATH_MAX];
  struct timespec moment;
  snprintf(target, sizeof target, "%s/%s", out, name);
  clock_gettime(CLOCK_REALTIME, &moment);
  nowCount = 0;
  linkedCount = 0;
  copyEntry(box, target);
  qsort(now, nowCount, sizeof *now, compareKnown);
  for (size_t index = 0; index < beforeCount; index += 1) free(before[index].path);
  free(before);
  before = now;
  beforeCount = nowCount;
  now = NULL;
  room = 0;
  lastMoment = moment;
  strcpy(lastCopy, target);
}

static void note(const char *name, const char *call, const char *path) {
  fprintf(calls, "%s %s ", name, call);
  for (const char *at = path; *at; at += 1) fputc(*at == '\n' ? ' ' : *at, calls);
  fputc('\n', calls);
  fflush(calls);
}

static int isTemporary(const char *path) {
  const char *name = strrchr(path, '/');
  return !name || strstr(name, "tmp") || strncmp(name, "/.relais-", 9) == 0;
}

/** The file may be that of another copy, too. The next copy may not use this one. */
static void keepApart(const char *path) {
  char own[3 * PATH_MAX];
  struct stat entry;
  snprintf(own, sizeof own, "%s.own", path);
  if (lstat(path, &entry)) fail(path);
  copyData(path, own);
  copyTraits(path, own, &entry);
  if (rename(own, path)) fail(path);
  struct known wanted = {.path = (char *)path + strlen(lastCopy)};
  struct known *known = bsearch(&wanted, before, beforeCount, sizeof *before, compareKnown);
  if (known) known->file = 0;
}

/** A copy in which only the first half of the data was written. */
static void tear(pid_t thread, const struct call *call, const struct user_regs_struct *registers, const char *path) {
  if ((call->number != SYS_write && call->number != SYS_pwrite64) || isTemporary(path)) return;
  size_t half = registers->rdx / 2;
  char link[64], name[32], target[2 * PATH_MAX];
  struct stat open, named;
  snprintf(link, sizeof link, "/proc/%d/fd/%d", thread, (int)registers->rdi);
  /* In another mount namespace the path may be another file. */
  if (half == 0 || stat(link, &open) || stat(path, &named) || open.st_ino != named.st_ino || open.st_dev != named.st_dev)
    return;
  char *data = malloc(half);
  struct iovec here = {data, half}, there = {(void *)registers->rsi, half};
  if (process_vm_readv(thread, &here, 1, &there, 1, 0) != (ssize_t)half) fail("read");
  long long at = call->number == SYS_pwrite64 ? (long long)registers->r10 : -1;
  unsigned flags = 0;
  snprintf(link, sizeof link, "/proc/%d/fdinfo/%d", thread, (int)registers->rdi);
  FILE *info = fopen(link, "r");
  long long offset = 0;
  if (!info || fscanf(info, "pos: %lld flags: %o", &offset, &flags) != 2) fail("fdinfo");
  fclose(info);
  if (at < 0) at = flags & O_APPEND ? open.st_size : offset;
  snprintf(name, sizeof name, "%06d.torn", position + 1);
  copyBox(name);
  snprintf(target, sizeof target, "%s/%s%s", out, name, path + strlen(box));
  keepApart(target);
  int file = openat(AT_FDCWD, target, O_WRONLY);
  if (file < 0 || pwrite(file, data, half, at) != (ssize_t)half) fail("tear");
  close(file);
  free(data);
  note(name, call->name, path);
}

/** Lets the call happen while nothing else can change a file, and keeps what it has left. */
static void follow(pid_t thread) {
  struct user_regs_struct registers;
  char path[PATH_MAX], name[32];
  int status;
  if (ptrace(PTRACE_GETREGS, thread, 0, &registers)) return; /* It was killed. */
  const struct call *call = CALLS;
  while (call < CALLS + COUNT && call->number != (int)registers.orig_rax) call += 1;
  if (killAt == 0 || call == CALLS + COUNT || !findSubject(thread, call, &registers, path)) {
    ptrace(PTRACE_CONT, thread, 0, 0);
    return;
  }
  if (killAt < 0 && (position + 1) % every == 0) tear(thread, call, &registers, path);
  if (ptrace(PTRACE_SYSCALL, thread, 0, 0)) return;
  if (waitpid(thread, &status, __WALL) < 0 || !WIFSTOPPED(status)) {
    if (thread == program) exit(0);
    return;
  }
  if (ptrace(PTRACE_GETREGS, thread, 0, &registers)) return;
  if ((long)registers.rax >= 0) {
    position += 1;
    snprintf(name, sizeof name, "%06d", position);
    if (killAt < 0 && position % every == 0) copyBox(name);
    if (killAt > 0 || position % every == 0) note(name, call->name, path);
    if (position == killAt) {
      killAt = 0;
      kill(program, SIGKILL);
    }
  }
  ptrace(PTRACE_CONT, thread, 0, 0);
}

static void begin(char **arguments) {
  int gate[2];
  char go;
  if (pipe2(gate, O_CLOEXEC)) fail("pipe");
  program = fork();
  if (program < 0) fail("fork");
  if (program == 0) {
    close(gate[1]);
    if (read(gate[0], &go, 1) != 1) exit(3);
    installFilter();
    execvp(arguments[0], arguments);
    fail(arguments[0]);
  }
  long options = PTRACE_O_TRACESECCOMP | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC;
  if (ptrace(PTRACE_SEIZE, program, 0, options)) fail("ptrace");
  if (write(gate[1], "g", 1) != 1) fail("pipe");
}

int main(int count, char **arguments) {
  int words = 1;
  while (words < count && strcmp(arguments[words], "--") != 0) words += 1;
  if (words < 3 || words + 1 >= count) {
    fprintf(stderr, "usage: record BOX OUT [every=NUMBER | kill=NUMBER] -- PROGRAM ARGUMENTS...\n");
    return 2;
  }
  box = arguments[1];
  out = arguments[2];
  if (words > 3) sscanf(arguments[3], "every=%d", &every), sscanf(arguments[3], "kill=%d", &killAt);
  char path[PATH_MAX];
  snprintf(path, sizeof path, "%s/calls", out);
  calls = fopen(path, "we");
  if (!calls) fail(path);
  if (killAt < 0) copyBox("000000");
  begin(arguments + words + 1);
  int status, result = 3;
  for (pid_t thread; (thread = waitpid(-1, &status, __WALL)) > 0;) {
    if (WIFEXITED(status) || WIFSIGNALED(status)) {
      if (thread != program) continue;
      result = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
      if (killAt == 0) {
        printf("killed\n");
        fflush(stdout);
      }
      continue;
    }
    int signal = WSTOPSIG(status), event = status >> 16;
    if (event == PTRACE_EVENT_SECCOMP) follow(thread);
    else if (event == PTRACE_EVENT_STOP && (signal == SIGSTOP || signal == SIGTSTP || signal == SIGTTIN || signal == SIGTTOU))
      ptrace(PTRACE_LISTEN, thread, 0, 0);
    else ptrace(PTRACE_CONT, thread, 0, event ? 0 : signal);
  }
  return result;
}
