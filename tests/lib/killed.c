#include "killed.h"

#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test.h"

bool
killed_report(int out, int64_t k)
{
	return write(out, &k, sizeof k) == sizeof k;
}

static bool
read_number(int in, int64_t *reported)
{
	int64_t k;

	if (read(in, &k, sizeof k) != sizeof k)
		return false;
	*reported = k;
	return true;
}

struct killed
killed_run(void (*work)(void *ctx, int out), void *ctx, size_t numbers)
{
	struct killed k = {0};
	int ends[2], status = 0;

	if (!CHECK(pipe(ends) == 0))
		return k;
	fflush(stdout); /* otherwise the child would print it, too */
	k.pid = fork();
	if (k.pid == 0) {
		close(ends[0]);
		work(ctx, ends[1]);
		_exit(1);
	}
	close(ends[1]);
	if (CHECK(k.pid > 0)) {
		for (size_t n = 0; n < numbers && read_number(ends[0], &k.reported); n++)
			;
		kill(k.pid, SIGKILL);
		while (read_number(ends[0], &k.reported))
			;
		waitpid(k.pid, &status, 0);
		CHECK(WIFSIGNALED(status));
	}
	close(ends[0]);
	return k;
}
