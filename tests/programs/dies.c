/* dies SIGNAL | dies exit STATUS: ends at once by this signal, or with this exit status. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>

int
main(int argc, char **argv)
{
	if (argc > 2 && strcmp(argv[1], "exit") == 0)
		return (int)strtol(argv[2], NULL, 10);
	if (argc > 1)
		raise((int)strtol(argv[1], NULL, 10));
	return 1;
}
