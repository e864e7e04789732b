/* The command line that is offered to a user who has none. */
#include "app/state/state.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"

static bool
on_path(const char *program)
{
	const char *path = getenv("PATH");
	char **dir = str_split(path && *path ? path : "/usr/bin:/bin", ':', NULL);
	bool found = false;

	for (size_t i = 0; dir[i] && !found; i++) {
		char *full = str_format("%s/%s", dir[i], program);

		found = access(full, X_OK) == 0;
		free(full);
	}
	str_split_free(dir);
	return found;
}

char *
state_demo_command(void)
{
	static const char *const compiler[] = {"gcc", "cc", "clang"};
	struct err e;
	char *file = file_find("hello", "models/demo", ".c", &e), *line = NULL;

	for (size_t i = 0; file && i < sizeof compiler / sizeof *compiler && !line; i++)
		if (on_path(compiler[i]))
			line = str_format("%s -O2 -c %s -o /dev/null", compiler[i], file);
	free(file);
	return line ? line : mem_str("ls -lR /usr/share");
}
