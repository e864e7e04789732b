#include "cli/commands.h"

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
read_options(const struct options *options, struct trust_overflow_options *how, struct err *e)
{
	const struct determinism_options *own = options->own;
	int64_t stop_at = 0;

	if (!options->argv) {
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
determinism_overflow(const struct options *options)
{
	struct signals signals;
	struct trust_overflow_options how = {.argv = options->argv,
		.during = &signals.during,
		.interrupted = signals_interrupted,
		.runs = options->runs > 1 ? (unsigned)options->runs : RUNS,
		.seconds = options->duration > 0 ? options->duration : SECONDS,
		.progress = options->quiet ? NULL : determinism_overflow_say_progress};
	char **event = options->events ? event_list_split(options->events, &how.n_events) : NULL;
	struct trust_overflow *overflow = NULL;
	struct writing out;
	struct err e = {0};
	bool good;

	how.event = (const char *const *)event;
	good = read_options(options, &how, &e);
	signals_block(&signals);
	if (good)
		overflow = trust_overflow_new(&how, &e);
	signals_release(&signals);
	str_split_free(event);
	if (!overflow) {
		print_failure(&e);
		signals_obey();
		return 2;
	}
	writing_begin(&out, options);
	if (options->json)
		trust_overflow_json(overflow, &out.json);
	else
		trust_overflow_text(overflow, &out.text);
	good = writing_end(&out, true) && trust_overflow_any(overflow);
	trust_overflow_free(overflow);
	signals_obey();
	return good ? 0 : 2;
}
