/* work KIND N: does N units of known work: instructions (turns of a loop), faults (pages touched for the first time),
 * requests (bytes read from /dev/zero, one at a time), sleep (microseconds). */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define PAGE 4096

static volatile uint64_t sink;

static int
touch_pages(long n)
{
	char *at = mmap(NULL, (size_t)n * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (at == MAP_FAILED)
		return 1;
	madvise(at, (size_t)n * PAGE, MADV_NOHUGEPAGE);
	for (long i = 0; i < n; i++)
		at[i * PAGE] = 1;
	return 0;
}

static int
read_bytes(long n)
{
	int fd = open("/dev/zero", O_RDONLY | O_CLOEXEC);
	char byte;

	for (long i = 0; i < n; i++)
		if (read(fd, &byte, 1) != 1)
			return 1;
	return 0;
}

int
main(int argc, char **argv)
{
	long n = argc > 2 ? strtol(argv[2], NULL, 10) : 0;
	const char *kind = argc > 1 ? argv[1] : "";

	if (strcmp(kind, "faults") == 0)
		return touch_pages(n);
	if (strcmp(kind, "requests") == 0)
		return read_bytes(n);
	if (strcmp(kind, "sleep") == 0)
		return nanosleep(&(struct timespec){.tv_sec = n / 1000000, .tv_nsec = n % 1000000 * 1000}, NULL) != 0;
	if (strcmp(kind, "instructions") == 0) {
		for (long i = 0; i < n; i++)
			sink = sink * 3 + 1;
		return 0;
	}
	fprintf(stderr, "usage: work instructions|faults|requests|sleep N\n");
	return 2;
}
