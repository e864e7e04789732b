/* leaves [deaf]: starts a daemon of two processes in a session of its own, prints the ids of both, and exits. With
 * "deaf" it does not exit, ignores SIGTERM, and prints its own id as well. All end by themselves after half a
 * minute. */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void
stay(void)
{
	alarm(30);
	for (;;)
		pause();
}

int
main(int argc, char **argv)
{
	int ready[2];
	pid_t pid[2];

	if (pipe(ready) != 0)
		return 2;
	if (fork() == 0) {
		setsid();
		pid[0] = getpid();
		pid[1] = fork();
		if (pid[1] == 0)
			stay();
		if (write(ready[1], pid, sizeof pid) != (ssize_t)sizeof pid)
			_exit(2);
		stay();
	}
	if (read(ready[0], pid, sizeof pid) != (ssize_t)sizeof pid)
		return 2;
	if (argc > 1 && strcmp(argv[1], "deaf") == 0)
		signal(SIGTERM, SIG_IGN);
	printf("%d %d %d\n", (int)pid[0], (int)pid[1], (int)getpid());
	fflush(stdout);
	if (argc > 1)
		stay();
	return 0;
}
