#include <stdio.h>
#include <string.h>

#include "test.h"

static struct test_file *files;

void
test_register(struct test_file *file)
{
	file->next = files;
	files = file;
}

/* Is path "…/NAME.c"? */
static bool
is_file(const char *path, const char *name)
{
	const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
	size_t n = strlen(name);

	return strncmp(base, name, n) == 0 && strcmp(base + n, ".c") == 0;
}

int
main(int argc, char **argv)
{
	const struct test_file *file = files;

	if (!file->next)
		return test_main(argc, argv, file->cases, file->n);
	while (file && !(argc > 1 && is_file(file->path, argv[1])))
		file = file->next;
	if (file)
		return test_main(argc - 1, argv + 1, file->cases, file->n);
	fprintf(stderr, "%s: name one of these files, and perhaps a part of a case's name:\n", argv[0]);
	for (file = files; file; file = file->next)
		fprintf(stderr, "\t%s\n", file->path);
	return 2;
}
