/* The programs that an emulated machine counts: each does one thing a known number of times.
 *
 *   exercise loop N      N rounds of two instructions
 *   exercise fork K N    K child processes, each with such a loop
 *   exercise read P      reads a byte of each of P pages that were never touched
 *   exercise write P     writes one
 *   exercise again P R   touches P pages, then reads a byte of each R times
 *   exercise code P      calls a function on each of P pages of its own memory */
#include "exercise.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static unsigned
fork_loops(size_t children, uint64_t n)
{
	unsigned bad = 0;
	int status;

	for (size_t i = 0; i < children; i++) {
		pid_t pid = fork();

		if (pid == 0) {
			exercise_loop(n);
			_exit(0);
		}
		bad += pid < 0 || waitpid(pid, &status, 0) != pid || status != 0;
	}
	return bad;
}

/* Calls the only instruction on each page: a return. */
static unsigned
call_pages(size_t pages)
{
#ifdef __aarch64__
	static const uint32_t code = 0xd65f03c0; /* ret */
#else
	static const uint32_t code = 0x00008067; /* ret: jalr zero, 0(ra) */
#endif
	char *at = exercise_pages(pages);

	for (size_t i = 0; i < pages; i++)
		memcpy(at + i * EXERCISE_PAGE, &code, sizeof code);
	if (mprotect(at, pages * EXERCISE_PAGE, PROT_READ | PROT_EXEC))
		return 1;
	__builtin___clear_cache(at, at + pages * EXERCISE_PAGE);
	for (size_t i = 0; i < pages; i++) {
		void (*call)(void);
		void *here = at + i * EXERCISE_PAGE;

		memcpy(&call, &here, sizeof call);
		call();
	}
	return 0;
}

int
main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	uint64_t n = argc > 2 ? strtoull(argv[2], NULL, 10) : 0, m = argc > 3 ? strtoull(argv[3], NULL, 10) : 0;
	volatile char *at;

	if (!strcmp(what, "loop")) {
		exercise_loop(n);
	} else if (!strcmp(what, "fork")) {
		return fork_loops(n, m) > 0;
	} else if (!strcmp(what, "read")) {
		exercise_read(exercise_pages(n), n);
	} else if (!strcmp(what, "write")) {
		exercise_write(exercise_pages(n), n);
	} else if (!strcmp(what, "again")) {
		at = exercise_pages(n);
		for (uint64_t i = 0; i <= m; i++)
			exercise_read(at, n);
	} else if (!strcmp(what, "code")) {
		return call_pages(n) > 0;
	} else {
		fprintf(stderr, "exercise: unknown exercise: %s\n", what);
		return 2;
	}
	return 0;
}
