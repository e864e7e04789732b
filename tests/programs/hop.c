/* hop ROUNDS PAGES: moves to each CPU that it may run on in turn, ROUNDS times, and writes to PAGES fresh pages on
 * each. */
#include <sched.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static int
touch(size_t pages)
{
	size_t size = (size_t)sysconf(_SC_PAGESIZE);
	char *p = mmap(NULL, pages * size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		return 2;
	madvise(p, pages * size, MADV_NOHUGEPAGE);
	for (size_t i = 0; i < pages; i++)
		((volatile char *)p)[i * size] = 1;
	munmap(p, pages * size);
	return 0;
}

int
main(int argc, char **argv)
{
	size_t rounds = argc > 1 ? strtoul(argv[1], NULL, 10) : 1, pages = argc > 2 ? strtoul(argv[2], NULL, 10) : 1;
	cpu_set_t may, one;
	int bad = sched_getaffinity(0, sizeof may, &may) != 0;

	for (size_t r = 0; r < rounds && !bad; r++)
		for (int cpu = 0; cpu < CPU_SETSIZE && !bad; cpu++) {
			if (!CPU_ISSET((size_t)cpu, &may))
				continue;
			CPU_ZERO(&one);
			CPU_SET((size_t)cpu, &one);
			bad = sched_setaffinity(0, sizeof one, &one) != 0 ? 2 : touch(pages);
		}
	return bad;
}
