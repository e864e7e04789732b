#include "work/files/recent.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "work/files/files.h"
#include "work/files/keep.h"

#define RECENT_BYTES ((size_t)1 << 20)

char **
recent_read(void)
{
	char *folder = keep_folder("", false), *path = folder ? str_format("%s/recent", folder) : NULL;
	struct err e = {0};
	size_t n = 0, lines = 0, kept = 0;
	char *text = path && access(path, R_OK) == 0 ? file_read(path, RECENT_BYTES, &n, &e) : NULL;
	char **line = str_split(text ? text : "", '\n', &lines);

	for (size_t i = 0; i < lines; i++)
		if (line[i][0] == '/' && kept < RECENT_MOST && access(line[i], F_OK) == 0) {
			char *same = line[kept];

			line[kept++] = line[i];
			line[i] = same;
		}
	for (size_t i = kept; i < lines; i++) {
		free(line[i]);
		line[i] = NULL;
	}
	free(text);
	free(path);
	free(folder);
	return line;
}

void
recent_add(const char *path)
{
	char *full = realpath(path, NULL), *folder = full ? keep_folder("", true) : NULL, **was, *list;
	struct str text = {0};
	size_t n = 1;

	if (folder && !strchr(full, '\n')) {
		was = recent_read();
		str_addf(&text, "%s\n", full);
		for (size_t i = 0; was[i] && n < RECENT_MOST; i++)
			if (!str_eq(was[i], full)) {
				str_addf(&text, "%s\n", was[i]);
				n++;
			}
		str_split_free(was);
		list = str_format("%s/recent", folder);
		keep_write(list, &text, NULL);
		free(list);
		str_free(&text);
	}
	free(folder);
	free(full);
}
