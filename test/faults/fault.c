/*
 * Loaded in front of the C library (LD_PRELOAD): counts every call that changes something below one folder, and lets one
 * of them fail as a bad or full disk would, or all from there on. It can also set the clock forward or back there.
 *
 * RELAIS_FAULT_PLAN names a file with six 32-bit numbers: the position (from 1), the error, the mode, the shift of the
 * clock in seconds, and two counters for the calls and the faults so far. All processes share it. RELAIS_FAULT_ROOT is the
 * folder, RELAIS_FAULT_LOG a file that gets one line for each call, with the program that makes it. A git that the program starts is loaded in the same
 * way; other programs are left alone.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum { ONCE = 1, FULL = 2, DEAD = 3, CLOCK = 4 };

struct plan {
  int at, error, mode, shift;
  _Atomic int count, faults;
};

static struct plan *plan;
static char *root, *variables[4];
static int records = -1;

extern char **environ;

__attribute__((constructor)) static void begin(void) {
  const char *file = getenv("RELAIS_FAULT_PLAN"), *log = getenv("RELAIS_FAULT_LOG"), *below = getenv("RELAIS_FAULT_ROOT");
  const char *self = getenv("LD_PRELOAD");
  if (!file || !log || !below || !self) return;
  int fd = syscall(SYS_openat, AT_FDCWD, file, O_RDWR | O_CLOEXEC);
  if (fd < 0) return;
  void *shared = mmap(NULL, sizeof(struct plan), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  syscall(SYS_close, fd);
  if (shared == MAP_FAILED) return;
  records = syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
  root = strdup(below);
  asprintf(&variables[0], "LD_PRELOAD=%s", self);
  asprintf(&variables[1], "RELAIS_FAULT_PLAN=%s", file);
  asprintf(&variables[2], "RELAIS_FAULT_LOG=%s", log);
  asprintf(&variables[3], "RELAIS_FAULT_ROOT=%s", below);
  plan = shared;
}

#define NEXT(name) \
  static __typeof__(&name) next; \
  if (!next) next = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

/** The path of an open file or folder. */
static const char *pathOf(int fd, char *buffer) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = syscall(SYS_readlinkat, AT_FDCWD, link, buffer, PATH_MAX - 1);
  if (length < 0) return "";
  buffer[length] = 0;
  return buffer;
}

/** The path in full. Another process' view of the files counts as the same path. */
static const char *fullPath(int folder, const char *path, char *buffer) {
  if (path[0] != '/') {
    char base[PATH_MAX] = "";
    if (folder == AT_FDCWD) {
      if (!getcwd(base, sizeof base)) return "";
    } else pathOf(folder, base);
    snprintf(buffer, 2 * PATH_MAX, "%s/%s", base, path);
    return buffer;
  }
  int skip = 0;
  sscanf(path, "/proc/%*[0-9a-z]/root%n", &skip);
  return path + skip;
}

/** Whether the call with this number is to fail. ENOSPC from there on spares what needs no space. */
static int isFaulty(int number, int needsSpace) {
  int at = plan->at;
  if (at == 0 || plan->mode == CLOCK) return 0;
  if (plan->mode == ONCE) return number == at;
  return number >= at && (plan->mode == DEAD || needsSpace);
}

/** Notes the call; answers 1 where it fails, with errno set. */
static int fails(const char *call, const char *path, int needsSpace) {
  if (!plan) return 0;
  size_t length = strlen(root);
  if (strncmp(path, root, length) != 0) return 0;
  int saved = errno, number = atomic_fetch_add(&plan->count, 1) + 1;
  int isHit = isFaulty(number, needsSpace);
  char line[PATH_MAX + 128];
  int size = snprintf(line, sizeof line, "%d%s %s %s %s\n", number, isHit ? "!" : "", program_invocation_short_name, call,
                      path + length);
  for (int index = 0; index < size - 1; index += 1)
    if (line[index] == '\n') line[index] = ' ';
  if (records >= 0) syscall(SYS_write, records, line, size);
  errno = saved;
  if (!isHit) return 0;
  atomic_fetch_add(&plan->faults, 1);
  errno = plan->error;
  return 1;
}

static int failsAt(const char *call, int folder, const char *path, int needsSpace) {
  char buffer[PATH_MAX + PATH_MAX];
  return plan && path ? fails(call, fullPath(folder, path, buffer), needsSpace) : 0;
}

static int failsOn(const char *call, int fd, int needsSpace) {
  char buffer[PATH_MAX];
  return plan ? fails(call, pathOf(fd, buffer), needsSpace) : 0;
}

/**
 * The file whose further data is refused, after a full disk took only half of the data before. libuv tries the rest at
 * once and says nothing, then the program tries it.
 */
static _Atomic int cut = -1, refusals;

static size_t halfOf(int fd, size_t count) {
  if (errno != ENOSPC || plan->mode != ONCE || count < 2) return 0;
  atomic_store(&refusals, 2);
  atomic_store(&cut, fd);
  return count / 2;
}

static int isRest(int fd) {
  if (fd < 0 || atomic_load(&cut) != fd) return 0;
  if (atomic_fetch_sub(&refusals, 1) == 1) atomic_store(&cut, -1);
  errno = ENOSPC;
  return 1;
}

#define WRITES(name, parameters, arguments, halfArguments) \
  ssize_t name parameters { \
    NEXT(name); \
    if (isRest(fd)) return -1; \
    if (!failsOn(#name, fd, 1)) return next arguments; \
    int error = errno; \
    size_t half = halfOf(fd, count); \
    if (half > 0) return next halfArguments; \
    errno = error; \
    return -1; \
  }

WRITES(write, (int fd, const void *data, size_t count), (fd, data, count), (fd, data, half))
WRITES(pwrite, (int fd, const void *data, size_t count, off_t at), (fd, data, count, at), (fd, data, half, at))
WRITES(pwrite64, (int fd, const void *data, size_t count, off64_t at), (fd, data, count, at), (fd, data, half, at))

ssize_t writev(int fd, const struct iovec *parts, int count) {
  NEXT(writev);
  return failsOn("writev", fd, 1) ? -1 : next(fd, parts, count);
}
ssize_t pwritev(int fd, const struct iovec *parts, int count, off_t at) {
  NEXT(pwritev);
  return failsOn("pwritev", fd, 1) ? -1 : next(fd, parts, count, at);
}
ssize_t pwritev64(int fd, const struct iovec *parts, int count, off64_t at) {
  NEXT(pwritev64);
  return failsOn("pwritev64", fd, 1) ? -1 : next(fd, parts, count, at);
}

#define OPENS(name) \
  int name(const char *path, int flags, ...) { \
    NEXT(name); \
    va_list rest; \
    va_start(rest, flags); \
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0; \
    va_end(rest); \
    if (flags & (O_CREAT | O_TRUNC) && failsAt("open", AT_FDCWD, path, 1)) return -1; \
    return next(path, flags, mode); \
  }
OPENS(open)
OPENS(open64)

#define OPENS_AT(name) \
  int name(int folder, const char *path, int flags, ...) { \
    NEXT(name); \
    va_list rest; \
    va_start(rest, flags); \
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0; \
    va_end(rest); \
    if (flags & (O_CREAT | O_TRUNC) && failsAt("open", folder, path, 1)) return -1; \
    return next(folder, path, flags, mode); \
  }
OPENS_AT(openat)
OPENS_AT(openat64)

#define OPENS_STREAM(name) \
  FILE *name(const char *path, const char *mode) { \
    NEXT(name); \
    if (strpbrk(mode, "wa") && failsAt("fopen", AT_FDCWD, path, 1)) return NULL; \
    return next(path, mode); \
  }
OPENS_STREAM(fopen)
OPENS_STREAM(fopen64)

#define MAKES_TEMPORARY(name, type, failure, parameters, arguments) \
  type name parameters { \
    NEXT(name); \
    if (failsAt(#name, AT_FDCWD, path, 1)) return failure; \
    return next arguments; \
  }
MAKES_TEMPORARY(mkdtemp, char *, NULL, (char *path), (path))
MAKES_TEMPORARY(mkstemp, int, -1, (char *path), (path))
MAKES_TEMPORARY(mkstemp64, int, -1, (char *path), (path))
MAKES_TEMPORARY(mkostemp, int, -1, (char *path, int flags), (path, flags))
MAKES_TEMPORARY(mkostemp64, int, -1, (char *path, int flags), (path, flags))

#define BY_PATH(name, folder, path, needsSpace, parameters, arguments) \
  int name parameters { \
    NEXT(name); \
    if (failsAt(#name, folder, path, needsSpace)) return -1; \
    return next arguments; \
  }
BY_PATH(mkdir, AT_FDCWD, path, 1, (const char *path, mode_t mode), (path, mode))
BY_PATH(mkdirat, folder, path, 1, (int folder, const char *path, mode_t mode), (folder, path, mode))
BY_PATH(rename, AT_FDCWD, to, 0, (const char *from, const char *to), (from, to))
BY_PATH(renameat, folder, to, 0, (int before, const char *from, int folder, const char *to), (before, from, folder, to))
BY_PATH(renameat2, folder, to, 0, (int before, const char *from, int folder, const char *to, unsigned flags),
        (before, from, folder, to, flags))
BY_PATH(link, AT_FDCWD, to, 1, (const char *from, const char *to), (from, to))
BY_PATH(linkat, folder, to, 1, (int before, const char *from, int folder, const char *to, int flags),
        (before, from, folder, to, flags))
BY_PATH(symlink, AT_FDCWD, to, 1, (const char *from, const char *to), (from, to))
BY_PATH(symlinkat, folder, to, 1, (const char *from, int folder, const char *to), (from, folder, to))
BY_PATH(unlink, AT_FDCWD, path, 0, (const char *path), (path))
BY_PATH(unlinkat, folder, path, 0, (int folder, const char *path, int flags), (folder, path, flags))
BY_PATH(rmdir, AT_FDCWD, path, 0, (const char *path), (path))
BY_PATH(chmod, AT_FDCWD, path, 0, (const char *path, mode_t mode), (path, mode))
BY_PATH(truncate, AT_FDCWD, path, 1, (const char *path, off_t size), (path, size))
BY_PATH(truncate64, AT_FDCWD, path, 1, (const char *path, off64_t size), (path, size))
BY_PATH(utimensat, folder, path, 0, (int folder, const char *path, const struct timespec times[2], int flags),
        (folder, path, times, flags))

#define BY_HANDLE(name, needsSpace, parameters, arguments) \
  int name parameters { \
    NEXT(name); \
    if (failsOn(#name, fd, needsSpace)) return -1; \
    return next arguments; \
  }
BY_HANDLE(fsync, 0, (int fd), (fd))
BY_HANDLE(fdatasync, 0, (int fd), (fd))
BY_HANDLE(fchmod, 0, (int fd, mode_t mode), (fd, mode))
BY_HANDLE(ftruncate, 1, (int fd, off_t size), (fd, size))
BY_HANDLE(ftruncate64, 1, (int fd, off64_t size), (fd, size))
BY_HANDLE(futimens, 0, (int fd, const struct timespec times[2]), (fd, times))

/** A git that is started gets this library, too. */
int execvp(const char *file, char *const argv[]) {
  NEXT(execvp);
  const char *slash = strrchr(file, '/');
  if (!plan || strcmp(slash ? slash + 1 : file, "git") != 0) return next(file, argv);
  int count = 0;
  while (environ && environ[count]) count += 1;
  char *own[count + 5];
  for (int index = 0; index < count; index += 1) own[index] = environ[index];
  for (int index = 0; index < 4; index += 1) own[count + index] = variables[index];
  own[count + 4] = NULL;
  environ = own;
  return next(file, argv);
}

static time_t shiftNow(void) {
  if (!plan || plan->mode != CLOCK || atomic_load(&plan->count) < plan->at) return 0;
  return plan->shift;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
  NEXT(clock_gettime);
  int result = next(clock, time);
  if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) time->tv_sec += shiftNow();
  return result;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
  NEXT(gettimeofday);
  int result = next(time, zone);
  if (result == 0) time->tv_sec += shiftNow();
  return result;
}
