#include "cli/determinism_overflow.h"

#include "base/err.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/str.h"
#include "cli/options.h"
#include "cli/own_options.h"
#include "cli/print/print.h"
#include "cli/signals.h"
#include "cli/writing.h"
#include "event/list.h"
#include "text/notation.h"
#include "work/trust/overflow.h"

#define RUNS 3     /* to an exact count */
#define SECONDS 60 /* of a run */

static void
determinism_overflow_say_progress(void *ctx, const char *what, unsigned run, unsigned of)
{
	(void)ctx;
	log_line(NULL, "%s: run %u of %u", what, run, of);
}

static bool
read_options(const struct options *o, struct trust_overflow_options *how, struct err *e)
{
	const struct determinism_options *own = o->own;
	int64_t stop_at = 0;

	if (!o->argv) {
		err_set(e, "--overflow needs a command");
		return err_hint(e, "hecate determinism --overflow -e page-faults -- CMD");
	}
	if (own->stop_at &&
		!notation_take("--stop-at", NOTATION_WHOLE, 1, TRUST_OVERFLOW_MOST, own->stop_at, &stop_at, e))
		return false;
	how->stop_at = (uint64_t)stop_at;
	if (own->stop_at && how->n_events != 1) {
		err_set(e, "--stop-at needs one event whose count it is");
		return err_hint(e, "name it with -e, as in -e page-faults --stop-at %s", own->stop_at);
	}
	return true;
}

int
determinism_overflow(const struct options *o)
{
	struct signals signals;
	struct trust_overflow_options how = {.argv = o->argv,
		.during = &signals.during,
		.interrupted = signals_interrupted,
		.runs = o->runs > 1 ? (unsigned)o->runs : RUNS,
		.seconds = o->duration > 0 ? o->duration : SECONDS,
		.progress = o->quiet ? NULL : determinism_overflow_say_progress};
	char **event = o->events ? event_list_split(o->events, &how.n_events) : NULL;
	struct trust_overflow *r = NULL;
	struct writing out;
	struct err e = {0};
	bool good;

	how.event = (const char *const *)event;
	good = read_options(o, &how, &e);
	signals_block(&signals);
	if (good)
		r = trust_overflow_new(&how, &e);
	signals_release(&signals);
	str_split_free(event);
	if (!r) {
		print_failure(&e);
		signals_obey();
		return 2;
	}
	writing_begin(&out, o);
	if (o->json)
		trust_overflow_json(r, &out.json);
	else
		trust_overflow_text(r, &out.text);
	good = writing_end(&out, true) && trust_overflow_any(r);
	trust_overflow_free(r);
	signals_obey();
	return good ? 0 : 2;
}
