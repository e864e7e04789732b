/* segv N: takes N SIGSEGVs and handles them, as Java's null checks and safepoints do. Each is a page fault that no
 * handler serves: it counts in page-faults, but neither in minor-faults nor in major-faults. */
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static sigjmp_buf back;

static void
catch(int sig)
{
	(void)sig;
	siglongjmp(back, 1);
}

int
main(int argc, char **argv)
{
	volatile long left = argc > 1 ? strtol(argv[1], NULL, 10) : 0;
	volatile char *page = mmap(NULL, (size_t)sysconf(_SC_PAGESIZE), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct sigaction a = {.sa_handler = catch};

	sigaction(SIGSEGV, &a, NULL);
	if (page == MAP_FAILED)
		return 2;
	if (sigsetjmp(back, 1))
		left--;
	if (left > 0)
		*page = 1;
	return 0;
}
