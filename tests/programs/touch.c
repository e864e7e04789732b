/* touch N: writes to N fresh pages. Checks with getrusage(2) that this made exactly N page faults (exit status 3
 * otherwise). */
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

static long
faults(void)
{
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	return u.ru_minflt + u.ru_majflt;
}

int
main(int argc, char **argv)
{
	size_t n = argc > 1 ? strtoul(argv[1], NULL, 10) : 0, page = (size_t)sysconf(_SC_PAGESIZE);
	long before = faults(), after;
	char *p;

	if (n == 0)
		return 0;
	p = mmap(NULL, n * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (p == MAP_FAILED)
		return 2;
	madvise(p, n * page, MADV_NOHUGEPAGE);
	before = faults();
	for (size_t i = 0; i < n; i++)
		((volatile char *)p)[i * page] = 1;
	after = faults();
	return after - before == (long)n ? 0 : 3;
}
