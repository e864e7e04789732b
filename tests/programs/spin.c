/* spin MS: uses MS milliseconds of processor time. */
#include <stdlib.h>
#include <time.h>

int
main(int argc, char **argv)
{
	long ms = argc > 1 ? strtol(argv[1], NULL, 10) : 0;
	struct timespec t;

	do
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	while (t.tv_sec * 1000 + t.tv_nsec / 1000000 < ms);
	return 0;
}
