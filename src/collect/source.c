/* How opening a counter went, in words; what its zeros are worth; and source_none, for a system without
 * perf_event_open(2). It refuses everything, and is always built, so that the contract of sources cannot rot. */
#include "collect/source.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"

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
source_status_note(struct source_status *s, const char *remedy, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	set_sentence(s, remedy, fmt, ap);
	va_end(ap);
}

bool
source_status_refuse(struct source_status *s, int error, const char *remedy, const char *fmt, ...)
{
	va_list ap;

	s->health = OBS_UNSUPPORTED;
	s->error = error;
	va_start(ap, fmt);
	set_sentence(s, remedy, fmt, ap);
	va_end(ap);
	return false;
}

bool
source_status_hint(struct source_status *s, char *hint)
{
	size_t n = strlen(s->why);

	if (hint)
		snprintf(s->why + n, sizeof s->why - n, "; %s", hint);
	free(hint);
	return false;
}

enum obs_health
source_health(enum obs_health health, enum source_zero zero)
{
	return health == OBS_LIVE && zero == SOURCE_ZERO_HONEST ? OBS_HONEST : health;
}

static bool
source_refuse(struct err *e)
{
	err_set(e, "counting is not supported on this system");
	return err_hint(e, "recorded data can be read: a wide CSV, or a session file");
}

static struct source *
none_open(const struct source_spec *spec, struct err *e)
{
	(void)spec;
	source_refuse(e);
	return NULL;
}

static const struct source_status *
none_status(const struct source *s)
{
	(void)s;
	return NULL;
}

static bool
none_start(struct source *s, struct err *e)
{
	(void)s;
	return source_refuse(e);
}

static int
none_wait_fd(const struct source *s)
{
	(void)s;
	return -1;
}

static bool
none_poll(struct source *s, struct source_end *end)
{
	(void)s;
	memset(end, 0, sizeof *end);
	return true;
}

static bool
none_read(struct source *s, int64_t *count, unsigned char *counted, struct err *e)
{
	(void)s;
	(void)count;
	(void)counted;
	return source_refuse(e);
}

static enum source_news
none_row(struct source *s, struct source_row *row, struct err *e)
{
	(void)s;
	(void)row;
	source_refuse(e);
	return SOURCE_ROW_FAILED;
}

static void
none_stop(struct source *s)
{
	(void)s;
}

static void
none_close(struct source *s)
{
	(void)s;
}

const struct source_ops source_none = {
	.name = "none",
	.open = none_open,
	.status = none_status,
	.start = none_start,
	.wait_fd = none_wait_fd,
	.poll = none_poll,
	.read = none_read,
	.row = none_row,
	.stop = none_stop,
	.close = none_close,
};
