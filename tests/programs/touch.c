/* touch N [FILE]: writes to N fresh pages. Checks with getrusage(2) that this made exactly N page faults (exit status 3
 * otherwise). FILE: writes to the pages once more, and into the file how many ns longer the first pass took: what the
 * faults cost as their program sees it. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static long
faults(void)
{
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	return u.ru_minflt + u.ru_majflt;
}

/* Time on a CPU, so that others on the machine do not count. */
static int64_t
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static int64_t
touch(char *p, size_t n, size_t page)
{
	int64_t begin = now();

	for (size_t i = 0; i < n; i++)
		((volatile char *)p)[i * page] = 1;
	return now() - begin;
}

int
main(int argc, char **argv)
{
	size_t n = argc > 1 ? strtoul(argv[1], NULL, 10) : 0, page = (size_t)sysconf(_SC_PAGESIZE);
	FILE *file = argc > 2 ? fopen(argv[2], "w") : NULL;
	long before = faults(), after;
	int64_t first;
	char *p;

	if (n == 0)
		return 0;
	p = mmap(NULL, n * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (p == MAP_FAILED)
		return 2;
	madvise(p, n * page, MADV_NOHUGEPAGE);
	first = now(); /* whose code is then in memory */
	before = faults();
	first = touch(p, n, page);
	after = faults();
	if (file)
		fprintf(file, "%lld\n", (long long)(first - touch(p, n, page)));
	if (argc > 2 && (!file || fclose(file) != 0))
		return 2;
	return after - before == (long)n ? 0 : 3;
}
