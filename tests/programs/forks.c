/* forks DEPTH: each process forks two children until DEPTH, touches a page of its own, and exits without waiting:
 * 2^(DEPTH+1) - 1 processes, most of which become orphans. Only the first one stays until the last has ended, so
 * that a test can ask for the counts of all. */
#include <errno.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile char own[4096 * 2];

int
main(int argc, char **argv)
{
	long depth = argc > 1 ? strtol(argv[1], NULL, 10) : 0;
	pid_t first = getpid();

	if (depth > 10)
		return 2;
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	for (int i = 0; depth > 0 && i < 2; i++)
		if (fork() == 0) {
			depth--;
			i = -1;
		}
	own[4096] = 1;
	while (getpid() == first && (wait(NULL) > 0 || errno == EINTR))
		continue;
	return 0;
}
