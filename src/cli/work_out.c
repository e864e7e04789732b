#include "cli/work_out.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "cli/options.h"
#include "cli/work.h"
#include "cli/work_sink.h"

/* What cannot be written goes nowhere: the text must not grow. */
static void
drain(void *ctx, struct str *text)
{
	struct work_out *w = ctx;

	if (!w->failed)
		w->failed = !work_sink_drain(&w->sink, text, &w->e);
	str_clear(text);
}

void
work_out_begin(struct work_out *w, const struct options *o)
{
	*w = (struct work_out){.drain = {.drain = drain}};
	w->drain.ctx = w;
	w->json = (struct json_writer){.out = &w->text, .drain = &w->drain};
	work_sink_begin(&w->sink, o);
}

void
work_out_drain(struct work_out *w)
{
	if (w->text.n > JSON_DRAIN)
		drain(w, &w->text);
}

bool
work_out_end(struct work_out *w, bool good)
{
	bool written = work_sink_end(&w->sink, &w->text, good && !w->failed, &w->e) && !w->failed;

	str_free(&w->text);
	if (!written)
		work_fail(&w->e);
	return written && good;
}

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
