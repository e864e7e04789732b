/* stall KIND MS [FILE]: spends about MS milliseconds mostly in one way. It prints nothing.
 *
 *   cpu     One thread computes.
 *   faults  One thread writes to fresh huge pages; each write is a page fault that clears 2 MiB. Without huge pages it
 *           writes to pages that must be copied.
 *   lock    Four threads, of which all but one wait for the same lock. The holder sleeps half of the time and computes
 *           in the other half.
 *   io      Reads blocks of FILE, which it has written, from the disk, one by one in random order.
 *   sleep   Sleeps in pieces of 1 ms.
 *   switch  Two threads pass a byte to and fro through pipes, on one CPU.
 *   pass    On each CPU two processes pass a byte to and fro MS thousand times and compute in between: about 100 000
 *           switches a second.
 *   signal  Touches memory that it may not access, and continues in the handler of SIGSEGV. */
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define THREADS 4
#define FILE_SIZE (4l << 20)
#define BLOCK 262144l

static uint64_t deadline;

static uint64_t
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void
compute(uint64_t until)
{
	while (now() < until)
		continue;
}

static void
rest(long ns)
{
	nanosleep(&(struct timespec){.tv_nsec = ns}, NULL);
}

/* Pages of a file in memory, mapped privately: each write to a fresh one makes a copy, which costs the kernel more than
 * the exception. */
static void
touch_copies(void)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), n = 4096;
	int fd = memfd_create("stall", MFD_CLOEXEC);

	if (fd < 0 || ftruncate(fd, (off_t)(n * page)) != 0)
		_exit(2);
	for (size_t i = 0; i < n; i++)
		if (pwrite(fd, "x", 1, (off_t)(i * page)) != 1)
			_exit(2);
	while (now() < deadline) {
		char *p = mmap(NULL, n * page, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);

		if (p == MAP_FAILED)
			_exit(2);
		for (size_t i = 0; i < n; i++)
			((volatile char *)p)[i * page] = 1;
		munmap(p, n * page);
	}
}

#define HUGE_PAGE (2l << 20)

static bool
has_huge_pages(void)
{
	char text[64] = "";
	int fd = open("/sys/kernel/mm/transparent_hugepage/enabled", O_RDONLY | O_CLOEXEC);

	if (fd < 0 || read(fd, text, sizeof text - 1) < 0 || close(fd) != 0)
		return false;
	return strstr(text, "[always]") || strstr(text, "[madvise]");
}

static void
touch(void)
{
	long size = 16 * HUGE_PAGE;

	if (!has_huge_pages()) {
		touch_copies();
		return;
	}
	while (now() < deadline) {
		char *p = mmap(NULL, (size_t)(size + HUGE_PAGE), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			     -1, 0),
		     *first;

		if (p == MAP_FAILED)
			_exit(2);
		first = p + (HUGE_PAGE - (long)((uintptr_t)p % HUGE_PAGE)) % HUGE_PAGE;
		madvise(first, (size_t)size, MADV_HUGEPAGE);
		for (long i = 0; i < size && now() < deadline; i += HUGE_PAGE / 4)
			((volatile char *)first)[i] = 1;
		munmap(p, (size_t)(size + HUGE_PAGE));
	}
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *
hold_lock(void *unused)
{
	(void)unused;
	while (now() < deadline) {
		pthread_mutex_lock(&lock);
		compute(now() + 1000000);
		rest(1000000);
		pthread_mutex_unlock(&lock);
		rest(1000); /* otherwise the same thread would get it again */
	}
	return NULL;
}

static void
run_threads(void *(*what)(void *))
{
	pthread_t t[THREADS];

	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&t[i], NULL, what, NULL) != 0)
			_exit(2);
	for (int i = 0; i < THREADS; i++)
		pthread_join(t[i], NULL);
}

static void
read_cold(const char *path)
{
	static char block[BLOCK] __attribute__((aligned(4096)));
	int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
	uint64_t seed = 1;

	if (fd < 0)
		_exit(2);
	unlink(path);
	memset(block, 7, sizeof block);
	for (long at = 0; at < FILE_SIZE; at += BLOCK)
		if (pwrite(fd, block, sizeof block, at) != (ssize_t)sizeof block)
			_exit(2);
	fsync(fd);
	deadline += now(); /* relative until here, because only now the file is ready */
	/* Reads past the page cache. Where the file system cannot, drops the file from the cache. */
	(void)fcntl(fd, F_SETFL, O_DIRECT);
	posix_fadvise(fd, 0, 0, POSIX_FADV_RANDOM);
	posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	while (now() < deadline) {
		long at;

		seed = seed * 6364136223846793005u + 1442695040888963407u;
		at = (long)(seed >> 33) % (FILE_SIZE / BLOCK) * BLOCK;
		if (pread(fd, block, sizeof block, at) < 0)
			_exit(2);
		posix_fadvise(fd, at, BLOCK, POSIX_FADV_DONTNEED);
	}
	close(fd);
}

static void
stay_on(int cpu)
{
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET((size_t)cpu, &one);
	sched_setaffinity(0, sizeof one, &one);
}

static void
work(unsigned loops)
{
	for (volatile unsigned i = 0; i < loops; i++)
		continue;
}

/* Runs until the deadline, or `times` times. */
static void
pass_bytes(uint64_t times, unsigned loops)
{
	int to[2], fro[2];
	char byte = 0;

	if (pipe(to) != 0 || pipe(fro) != 0)
		_exit(2);
	if (fork() == 0) {
		close(to[1]);
		close(fro[0]);
		while (read(to[0], &byte, 1) == 1) {
			work(loops);
			if (write(fro[1], &byte, 1) != 1)
				break;
		}
		_exit(0);
	}
	close(to[0]);
	close(fro[1]);
	for (uint64_t i = 0; times ? i < times : now() < deadline; i++) {
		if (write(to[1], &byte, 1) != 1 || read(fro[0], &byte, 1) != 1)
			_exit(2);
		work(loops);
	}
	close(to[1]);
	close(fro[0]);
	wait(NULL);
}

static void
pass_everywhere(uint64_t times)
{
	cpu_set_t all;

	if (sched_getaffinity(0, sizeof all, &all) != 0)
		_exit(2);
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET((size_t)cpu, &all) && fork() == 0) {
			stay_on(cpu);
			pass_bytes(times, 16000);
			_exit(0);
		}
	while (wait(NULL) > 0)
		continue;
}

static sigjmp_buf back;

static void
go_back(int sig)
{
	(void)sig;
	siglongjmp(back, 1);
}

static void
touch_forbidden(void)
{
	volatile char *p = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	signal(SIGSEGV, go_back);
	while (now() < deadline)
		if (sigsetjmp(back, 1) == 0)
			*p = 1;
		else
			compute(now() + 100000);
}

int
main(int argc, char **argv)
{
	const char *kind = argc > 1 ? argv[1] : "";
	uint64_t ms = argc > 2 ? strtoull(argv[2], NULL, 10) : 100;

	deadline = now() + ms * 1000000;
	if (strcmp(kind, "cpu") == 0) {
		compute(deadline);
	} else if (strcmp(kind, "faults") == 0) {
		touch();
	} else if (strcmp(kind, "lock") == 0) {
		run_threads(hold_lock);
	} else if (strcmp(kind, "io") == 0 && argc > 3) {
		deadline = ms * 1000000;
		read_cold(argv[3]);
	} else if (strcmp(kind, "sleep") == 0) {
		while (now() < deadline)
			rest(1000000);
	} else if (strcmp(kind, "switch") == 0) {
		stay_on(sched_getcpu() < 0 ? 0 : sched_getcpu());
		pass_bytes(0, 0);
	} else if (strcmp(kind, "pass") == 0) {
		pass_everywhere(1000 * ms);
	} else if (strcmp(kind, "signal") == 0) {
		touch_forbidden();
	} else {
		return 2;
	}
	return 0;
}
