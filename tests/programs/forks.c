/* forks DEPTH: each process forks two children until DEPTH, touches a page of its own, and leaves without waiting: 2^(DEPTH+1) - 1 processes, most of
 * which become orphans. */
#include <stdlib.h>
#include <unistd.h>

static volatile char own[4096 * 2];

int
main(int argc, char **argv)
{
	long depth = argc > 1 ? strtol(argv[1], NULL, 10) : 0;

	if (depth > 10)
		return 2;
	for (int i = 0; depth > 0 && i < 2; i++)
		if (fork() == 0) {
			depth--;
			i = -1;
		}
	own[4096] = 1;
	return 0;
}
