/* churn ROUNDS PAGES [wait]: in each round four threads are created, write to PAGES fresh pages each, and end. A
 * child process writes to as many pages, and so does another child after it has executed this program anew.
 * With `wait`: four threads are created, and a `+` is printed. After a byte was read each of them writes to ROUNDS ×
 * PAGES fresh pages and ends. Another `+` is printed, and the program exits at the end of its input. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define THREADS 4

static pthread_barrier_t ready, go;
static size_t pages;

static void
touch(size_t n)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *p = mmap(NULL, n * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		_exit(2);
	madvise(p, n * page, MADV_NOHUGEPAGE);
	for (size_t i = 0; i < n; i++)
		((volatile char *)p)[i * page] = 1;
	munmap(p, n * page);
}

static void *
run(void *unused)
{
	(void)unused;
	touch(pages);
	return NULL;
}

static void *
run_waiting(void *unused)
{
	pthread_barrier_wait(&ready);
	pthread_barrier_wait(&go);
	return run(unused);
}

static void
start(pthread_t *t, void *(*what)(void *))
{
	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&t[i], NULL, what, NULL) != 0)
			_exit(2);
}

static void
join(const pthread_t *t)
{
	for (int i = 0; i < THREADS; i++)
		pthread_join(t[i], NULL);
}

static void
wait_and_touch(void)
{
	pthread_t t[THREADS];
	char byte;

	pthread_barrier_init(&ready, NULL, THREADS + 1);
	pthread_barrier_init(&go, NULL, THREADS + 1);
	start(t, run_waiting);
	pthread_barrier_wait(&ready);
	if (write(STDOUT_FILENO, "+", 1) != 1 || read(STDIN_FILENO, &byte, 1) < 0)
		_exit(2);
	pthread_barrier_wait(&go);
	join(t);
	if (write(STDOUT_FILENO, "+", 1) != 1)
		_exit(2);
	while (read(STDIN_FILENO, &byte, 1) > 0)
		continue;
}

static void
one_round(char **argv)
{
	pthread_t t[THREADS];

	start(t, run);
	if (fork() == 0) {
		touch(pages);
		_exit(0);
	}
	if (fork() == 0) {
		execl(argv[0], argv[0], "0", argv[2], (char *)NULL);
		_exit(2);
	}
	join(t);
	while (wait(NULL) > 0)
		continue;
}

int
main(int argc, char **argv)
{
	long rounds = argc > 1 ? strtol(argv[1], NULL, 10) : 0;

	pages = argc > 2 ? strtoul(argv[2], NULL, 10) : 1;
	if (argc > 3 && strcmp(argv[3], "wait") == 0) {
		pages *= (size_t)rounds;
		wait_and_touch();
		return 0;
	}
	if (rounds == 0)
		touch(pages);
	for (long i = 0; i < rounds; i++)
		one_round(argv);
	return 0;
}
