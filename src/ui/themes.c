#include "ui/themes.h"

#include <stdlib.h>

#include "base/err.h"
#include "base/str.h"
#include "draw/theme.h"
#include "work/files/files.h"

#define THEME_BYTES ((size_t)64 * 1024)

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
