#include "base/log.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/str.h"
#include "base/utf8.h"

void
log_line(struct str *to, const char *fmt, ...)
{
	struct str raw = {0}, safe = {0};
	va_list ap;

	va_start(ap, fmt);
	str_addv(&raw, fmt, ap);
	va_end(ap);
	utf8_add_visible(&safe, str_text(&raw), raw.n);
	if (to)
		str_addf(to, "%s\n", str_text(&safe));
	else
		fprintf(stderr, "hecate: %s\n", str_text(&safe));
	str_free(&raw);
	str_free(&safe);
}

/* The program hecate has an object with its own (Makefile.am). */
__attribute__((weak)) const char program_version[] = "hecate " PACKAGE_VERSION;
