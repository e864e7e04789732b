#include "cli/work_out.h"

#include "cli/options.h"
#include "cli/work.h"

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
