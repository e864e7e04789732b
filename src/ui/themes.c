#include "ui/themes.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/str.h"
#include "draw/theme.h"
#include "work/files/files.h"

#define THEME_BYTES ((size_t)64 * 1024)

static const char *const known[] = {"dark", "light", "mono"};

const char *
themes_known(const char *name, char *store, size_t size)
{
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (str_eq(name, known[i]))
			return known[i];
	snprintf(store, size, "%s", name);
	return store;
}

const char *
themes_next(const char *name)
{
	size_t n = sizeof known / sizeof *known;

	for (size_t i = 0; i < n; i++)
		if (str_eq(name, known[i]))
			return known[(i + 1) % n];
	return known[0];
}

bool
themes_load(const char *name, struct theme *theme, struct err *e)
{
	char *path = str_ends(name, ".theme") ? str_format("%s", name) : file_find(name, "themes", ".theme", e),
	     *text = NULL;
	size_t n;
	bool good;

	theme_default(theme);
	if (!path)
		return str_eq(name, "dark");
	text = file_read(path, THEME_BYTES, &n, e);
	good = text && theme_parse(path, text, theme, e);
	free(text);
	free(path);
	return good;
}
