#include "cli/work_sink.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "cli/options.h"

void
work_sink_begin_file(struct work_sink *s, const char *path)
{
	*s = (struct work_sink){.path = path, .target = {.fd = -1}};
}

void
work_sink_begin(struct work_sink *s, const struct options *o)
{
	work_sink_begin_file(s, o->output && !str_eq(o->output, "-") ? o->output : NULL);
}

static bool
cannot_write(const struct work_sink *s, struct err *e)
{
	return err_set(e, "cannot write %s: %s", s->path, strerror(errno));
}

static bool
put(struct work_sink *s, const struct str *text, struct err *e)
{
	if (s->path && s->target.fd < 0 && !work_target_open(&s->target, s->path))
		return cannot_write(s, e);
	if (s->path)
		return work_target_write(&s->target, str_text(text), text->n) || cannot_write(s, e);
	if (fwrite(str_text(text), 1, text->n, stdout) != text->n || fflush(stdout) != 0)
		return err_set(e, "cannot write to standard output: %s", strerror(errno));
	return true;
}

bool
work_sink_drain(struct work_sink *s, struct str *text, struct err *e)
{
	bool good = put(s, text, e);

	str_clear(text);
	return good;
}

bool
work_sink_end(struct work_sink *s, const struct str *text, bool good, struct err *e)
{
	bool written = !good || put(s, text, e);

	if (!work_target_close(&s->target, good && written) && written)
		written = cannot_write(s, e);
	return written;
}
