/* Command lines that a user types. */
#include "app/session/session.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"

char **
command_split(const char *line, struct err *e)
{
	struct str word = {0};
	char **argv = NULL;
	size_t n = 0, cap = 0;
	char quote = 0;
	bool some = false;

	for (const char *p = line;; p++) {
		if (*p && quote && *p != quote && !(quote == '"' && *p == '\\' && p[1])) {
			str_addc(&word, *p);
		} else if (*p && quote && *p == quote) {
			quote = 0;
		} else if (*p == '\\' && p[1]) {
			str_addc(&word, *++p);
			some = true;
		} else if (*p == '"' || *p == '\'') {
			quote = *p;
			some = true;
		} else if (*p && !strchr(" \t", *p)) {
			str_addc(&word, *p);
			some = true;
		} else {
			if (some) {
				mem_grow(&argv, &cap, n + 2, sizeof *argv);
				argv[n++] = str_take(&word);
				argv[n] = NULL;
				some = false;
			}
			if (!*p)
				break;
		}
	}
	str_free(&word);
	if (argv && !quote)
		return argv;
	err_set(e, quote ? "the command has an open quote" : "no command was typed");
	str_split_free(argv);
	return NULL;
}

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
session_demo_command(void)
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
