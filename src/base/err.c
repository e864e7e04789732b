#include "base/err.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "base/utf8.h"

bool
err_set(struct err *e, const char *fmt, ...)
{
	va_list ap;

	if (!e)
		return false;
	memset(e, 0, sizeof *e);
	va_start(ap, fmt);
	vsnprintf(e->what, sizeof e->what, fmt, ap);
	va_end(ap);
	return false;
}

bool
err_hint(struct err *e, const char *fmt, ...)
{
	va_list ap;

	if (!e)
		return false;
	va_start(ap, fmt);
	vsnprintf(e->hint, sizeof e->hint, fmt, ap);
	va_end(ap);
	return false;
}

bool
err_place(struct err *e, const char *file, int line, int col)
{
	size_t n = strlen(file), room;

	if (!e)
		return false;
	room = sizeof e->file - 1;
	if (n > room)
		snprintf(e->file, sizeof e->file, "...%s", file + (n - room + 3));
	else
		memcpy(e->file, file, n + 1);
	e->line = line;
	e->col = col;
	return false;
}

void
err_text(const struct err *e, struct str *out)
{
	if (*e->file) {
		utf8_add_visible(out, e->file, strlen(e->file));
		if (e->line)
			str_addf(out, ":%d", e->line);
		if (e->line && e->col)
			str_addf(out, ":%d", e->col);
		str_add(out, ": ");
	}
	utf8_add_visible(out, e->what, strlen(e->what));
	if (*e->hint) {
		str_add(out, "; ");
		utf8_add_visible(out, e->hint, strlen(e->hint));
	}
}
