/* Preloaded into hecate, it lets one system call fail: the K-th of its kind, counted over the process and its forked
 * children, or each call from the K-th on.
 *
 *   HECATE_FAULT=KIND:K:ERROR[+]   read:12:EIO fails the 12th read, read:12:EIO+ all from then on; ERROR is a name
 *                                  of errors[], or short: only one byte is read or written, or slow: it takes 2 s
 *   HECATE_FAULT_LOG=FILE          the number of calls of each kind, "KIND N" a line, then "site KIND K" for the first
 *                                  call from each place in the program or a library, written when the first process
 *                                  ends
 *   HECATE_CLOCK=SECONDS           the time of day steps by so many seconds, and back, every 30 ms
 *
 * Programs that hecate starts run without it. Allocations by libraries never fail: how they handle that is theirs. */

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum kind { READ, WRITE, OPEN, POLL, MMAP, MALLOC, SYNC, SPAWN, SYSCALL, WAIT, STAT, KINDS };
static const char *const kind_name[KINDS] = {
	"read", "write", "open", "poll", "mmap", "malloc", "sync", "spawn", "syscall", "wait", "stat"};

static const struct {
	const char *name;
	int number;
} errors[] = {
	{"EIO", EIO},
	{"EINTR", EINTR},
	{"ENOMEM", ENOMEM},
	{"ENOSPC", ENOSPC},
	{"EMFILE", EMFILE},
	{"EAGAIN", EAGAIN},
	{"EACCES", EACCES},
	{"short", 0},
	{"slow", -1},
};
#define SLOW_SECONDS 2
#define SITES 4096

struct counts {
	atomic_ulong of[KINDS];
	struct {
		atomic_uintptr_t caller;
		enum kind kind;
		unsigned long at;
	} site[SITES]; /* a hash table */
};

static struct counts *counts; /* shared by all forked processes; NULL before a fault is set up and without one */
static enum kind fault_kind = KINDS;
static unsigned long fault_at;
static int fault_error;
static bool fault_lasts;
static pid_t first;
static const char *log_file;
static time_t clock_step;
static uintptr_t text_from, text_to; /* the code of hecate itself */

/* The library's function of this name, looked up once. */
#define REAL(name) \
	static __typeof__(name) *real; \
	if (!real) \
	*(void **)&real = dlsym(RTLD_NEXT, #name)

/* Notes a call from a place that has made none before. */
static void
note_site(enum kind kind, unsigned long n, uintptr_t caller)
{
	for (size_t i = caller * 2654435761u % SITES, tries = 0; tries < SITES; tries++, i = (i + 1) % SITES) {
		uintptr_t there = 0;

		if (atomic_compare_exchange_strong(&counts->site[i].caller, &there, caller)) {
			counts->site[i].kind = kind;
			counts->site[i].at = n;
			return;
		}
		if (there == caller)
			return;
	}
}

/* Whether this call fails. Then errno is set; 0 stands for a short transfer. */
static bool
fails_at(enum kind kind, const void *caller)
{
	unsigned long n;

	if (!counts)
		return false;
	n = atomic_fetch_add(&counts->of[kind], 1) + 1;
	if (log_file)
		note_site(kind, n, (uintptr_t)caller);
	if (kind != fault_kind || n < fault_at || (n > fault_at && !fault_lasts))
		return false;
	if (fault_error < 0) {
		nanosleep(&(struct timespec){.tv_sec = SLOW_SECONDS}, NULL);
		return false;
	}
	errno = fault_error;
	return true;
}
#define fails(kind) fails_at(kind, __builtin_return_address(0))
#define SHORT (fault_error == 0)

static int
find_text(struct dl_phdr_info *info, size_t size, void *ctx)
{
	(void)size;
	(void)ctx;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];

		if (p->p_type == PT_LOAD && p->p_flags & PF_X) {
			text_from = info->dlpi_addr + p->p_vaddr;
			text_to = text_from + p->p_memsz;
		}
	}
	return 1; /* the first object is the program */
}

static bool
parse_fault(const char *text)
{
	size_t kind = 0, error = 0, n = strcspn(text, ":");
	char *end;

	while (kind < KINDS && (strlen(kind_name[kind]) != n || strncmp(kind_name[kind], text, n) != 0))
		kind++;
	if (kind == KINDS || !text[n])
		return false;
	fault_at = strtoul(text + n + 1, &end, 10);
	if (*end++ != ':')
		return false;
	n = strcspn(end, "+");
	while (error < sizeof errors / sizeof *errors &&
		(strlen(errors[error].name) != n || strncmp(errors[error].name, end, n) != 0))
		error++;
	if (error == sizeof errors / sizeof *errors)
		return false;
	fault_error = errors[error].number;
	fault_lasts = end[n] == '+';
	fault_kind = (enum kind)kind;
	return true;
}

__attribute__((constructor)) static void
begin(void)
{
	const char *fault = getenv("HECATE_FAULT"), *step = getenv("HECATE_CLOCK");
	struct counts *shared;

	log_file = getenv("HECATE_FAULT_LOG");
	clock_step = step ? (time_t)atoll(step) : 0;
	unsetenv("LD_PRELOAD");
	if (fault && !parse_fault(fault)) {
		fprintf(stderr, "HECATE_FAULT=%s: KIND:K:ERROR\n", fault);
		_exit(99);
	}
	dl_iterate_phdr(find_text, NULL);
	first = getpid();
	shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared != MAP_FAILED && (fault || log_file))
		counts = shared;
}

__attribute__((destructor)) static void
end(void)
{
	struct counts *c = counts;
	FILE *f;

	counts = NULL;
	if (!c || !log_file || getpid() != first || !(f = fopen(log_file, "w")))
		return;
	for (int i = 0; i < KINDS; i++)
		fprintf(f, "%s %lu\n", kind_name[i], atomic_load(&c->of[i]));
	for (size_t i = 0; i < SITES; i++)
		if (c->site[i].at)
			fprintf(f, "site %s %lu\n", kind_name[c->site[i].kind], c->site[i].at);
	fclose(f);
}

/* Reads and writes. */
#define TRANSFER(name, kind, type, n, parameters, arguments, shorter) \
	ssize_t name parameters \
	{ \
		REAL(name); \
		if (fails(kind)) { \
			if (!SHORT) \
				return -1; \
			if (n > 1) \
				return real shorter; \
		} \
		return real arguments; \
	}
TRANSFER(read, READ, void, n, (int fd, void *p, size_t n), (fd, p, n), (fd, p, 1))
TRANSFER(pread, READ, void, n, (int fd, void *p, size_t n, off_t at), (fd, p, n, at), (fd, p, 1, at))
TRANSFER(pread64, READ, void, n, (int fd, void *p, size_t n, off64_t at), (fd, p, n, at), (fd, p, 1, at))
TRANSFER(recv, READ, void, n, (int fd, void *p, size_t n, int flags), (fd, p, n, flags), (fd, p, 1, flags))
TRANSFER(write, WRITE, const void, n, (int fd, const void *p, size_t n), (fd, p, n), (fd, p, 1))
TRANSFER(pwrite, WRITE, const void, n, (int fd, const void *p, size_t n, off_t at), (fd, p, n, at), (fd, p, 1, at))
TRANSFER(pwrite64, WRITE, const void, n, (int fd, const void *p, size_t n, off64_t at), (fd, p, n, at), (fd, p, 1, at))
TRANSFER(send, WRITE, const void, n, (int fd, const void *p, size_t n, int flags), (fd, p, n, flags), (fd, p, 1, flags))

/* Marks a stream as failed: in glibc bit 5 of its flags (_IO_ERR_SEEN). */
static void
spoil(FILE *f)
{
	f->_flags |= 0x20;
}

size_t
fread(void *p, size_t size, size_t n, FILE *f)
{
	REAL(fread);
	if (fails(READ) && !SHORT) {
		spoil(f);
		return 0;
	}
	return real(p, size, n, f);
}

char *
fgets(char *p, int n, FILE *f)
{
	REAL(fgets);
	if (fails(READ) && !SHORT) {
		spoil(f);
		return NULL;
	}
	return real(p, n, f);
}

int
fflush(FILE *f)
{
	REAL(fflush);
	if (f && fails(WRITE) && !SHORT) {
		spoil(f);
		return EOF;
	}
	return real(f);
}

int
fclose(FILE *f)
{
	bool failed =
		/* the stream was written to: _IO_CURRENTLY_PUTTING */
		counts && f->_flags & 0x800 && fails(WRITE) && !SHORT;
	int error = errno, got;
	REAL(fclose);

	got = real(f);
	errno = error;
	return failed ? EOF : got;
}

/* Calls that are either made or fail, with no short form. */
#define CALL(type, failed, name, kind, parameters, arguments) \
	type name parameters \
	{ \
		REAL(name); \
		return fails(kind) && !SHORT ? (failed) : real arguments; \
	}
CALL(FILE *, NULL, fopen, OPEN, (const char *path, const char *mode), (path, mode))
CALL(FILE *, NULL, fopen64, OPEN, (const char *path, const char *mode), (path, mode))
CALL(FILE *, NULL, fdopen, OPEN, (int fd, const char *mode), (fd, mode))
CALL(DIR *, NULL, opendir, OPEN, (const char *path), (path))
CALL(int, -1, mkostemp, OPEN, (char *path, int flags), (path, flags))
CALL(int, -1, poll, POLL, (struct pollfd * p, nfds_t n, int ms), (p, n, ms))
CALL(int, -1, ppoll, POLL, (struct pollfd * p, nfds_t n, const struct timespec *t, const sigset_t *s), (p, n, t, s))
CALL(int, -1, epoll_wait, POLL, (int fd, struct epoll_event *e, int n, int ms), (fd, e, n, ms))
CALL(void *, MAP_FAILED, mmap, MMAP, (void *p, size_t n, int prot, int flags, int fd, off_t at),
	(p, n, prot, flags, fd, at))
CALL(void *, MAP_FAILED, mmap64, MMAP, (void *p, size_t n, int prot, int flags, int fd, off64_t at),
	(p, n, prot, flags, fd, at))
CALL(int, -1, fsync, SYNC, (int fd), (fd))
CALL(int, -1, fdatasync, SYNC, (int fd), (fd))
CALL(int, -1, ftruncate, SYNC, (int fd, off_t n), (fd, n))
CALL(int, -1, ftruncate64, SYNC, (int fd, off64_t n), (fd, n))
CALL(int, -1, rename, SYNC, (const char *from, const char *to), (from, to))
CALL(int, -1, renameat2, SYNC, (int a, const char *from, int b, const char *to, unsigned flags),
	(a, from, b, to, flags))
CALL(int, -1, link, SYNC, (const char *from, const char *to), (from, to))
CALL(pid_t, -1, fork, SPAWN, (void), ())
CALL(int, -1, pipe2, SPAWN, (int fd[2], int flags), (fd, flags))
CALL(int, -1, socketpair, SPAWN, (int a, int b, int c, int fd[2]), (a, b, c, fd))
CALL(pid_t, -1, waitpid, WAIT, (pid_t pid, int *status, int flags), (pid, status, flags))
CALL(int, -1, stat, STAT, (const char *path, struct stat *st), (path, st))
CALL(int, -1, fstat, STAT, (int fd, struct stat *st), (fd, st))
CALL(int, -1, lstat, STAT, (const char *path, struct stat *st), (path, st))

int
pthread_create(pthread_t *t, const pthread_attr_t *a, void *(*f)(void *), void *arg)
{
	REAL(pthread_create);
	return fails(SPAWN) && !SHORT ? errno : real(t, a, f, arg);
}

/* The mode is passed only where a file may be created; to pass it on always does no harm. */
#define OPENING(name) \
	int name(const char *path, int flags, ...) \
	{ \
		va_list ap; \
		mode_t mode; \
		REAL(name); \
		va_start(ap, flags); \
		mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(ap, mode_t) : 0; \
		va_end(ap); \
		return fails(OPEN) && !SHORT ? -1 : real(path, flags, mode); \
	}
OPENING(open)
OPENING(open64)

/* The time of day; the monotonic clock never steps. */
int
clock_gettime(clockid_t id, struct timespec *t)
{
	struct timespec now;
	int got;
	REAL(clock_gettime);

	got = real(id, t);
	if (clock_step && (id == CLOCK_REALTIME || id == CLOCK_REALTIME_COARSE) && real(CLOCK_MONOTONIC, &now) == 0 &&
		(now.tv_sec * 1000 + now.tv_nsec / 1000000) / 30 % 2)
		t->tv_sec += clock_step;
	return got;
}

time_t
time(time_t *p)
{
	struct timespec now = {0};

	clock_gettime(CLOCK_REALTIME, &now);
	if (p)
		*p = now.tv_sec;
	return now.tv_sec;
}

int
gettimeofday(struct timeval *restrict t, void *restrict zone)
{
	struct timespec now = {0};

	(void)zone;
	clock_gettime(CLOCK_REALTIME, &now);
	*t = (struct timeval){.tv_sec = now.tv_sec, .tv_usec = now.tv_nsec / 1000};
	return 0;
}

/* perf_event_open and other calls without a function in the library. */
long
syscall(long number, ...)
{
	va_list ap;
	long a[6];
	REAL(syscall);

	va_start(ap, number);
	for (int i = 0; i < 6; i++)
		a[i] = va_arg(ap, long);
	va_end(ap);
	return fails(SYSCALL) && !SHORT ? -1 : real(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

#ifndef HECATE_SANITIZERS /* the sanitizers have an allocator of their own */
/* Allocations by hecate's own code. */
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);

static bool
memory_fails(const void *caller)
{
	return (uintptr_t)caller >= text_from && (uintptr_t)caller < text_to &&
	       fails_at(MALLOC, caller) && !SHORT;
}

void *
malloc(size_t n)
{
	return memory_fails(__builtin_return_address(0)) ? NULL : __libc_malloc(n);
}

void *
calloc(size_t n, size_t size)
{
	return memory_fails(__builtin_return_address(0)) ? NULL : __libc_calloc(n, size);
}

void *
realloc(void *p, size_t n)
{
	return memory_fails(__builtin_return_address(0)) ? NULL : __libc_realloc(p, n);
}
#endif
