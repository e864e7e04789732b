/* How opening a counter went, in words. */
#include "collect/source.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

__attribute__((format(printf, 3, 0))) static void
set_sentence(struct source_status *s, const char *remedy, const char *fmt, va_list ap)
{
	size_t n = strlen(remedy ? remedy : "");

	vsnprintf(s->why, sizeof s->why, fmt, ap);
	n = n < sizeof s->remedy ? n : sizeof s->remedy - 1;
	memcpy(s->remedy, remedy ? remedy : "", n);
	s->remedy[n] = '\0';
}

void
status_note(struct source_status *s, const char *remedy, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	set_sentence(s, remedy, fmt, ap);
	va_end(ap);
}

bool
status_refuse(struct source_status *s, int error, const char *remedy, const char *fmt, ...)
{
	va_list ap;

	s->health = OBS_UNSUPPORTED;
	s->error = error;
	va_start(ap, fmt);
	set_sentence(s, remedy, fmt, ap);
	va_end(ap);
	return false;
}
