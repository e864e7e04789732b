/* hecate determinism: how far events can be trusted, by repeated runs of the same program. */
#include "cli/commands.h"

#include "base/err.h"
#include "base/log.h"
#include "base/shell.h"
#include "base/str.h"
#include "cli/determinism_here.h"
#include "cli/determinism_overflow.h"
#include "cli/options.h"
#include "cli/own_options.h"
#include "cli/print/print.h"
#include "cli/print/print_determinism.h"
#include "cli/print/print_trust.h"
#include "cli/signals.h"
#include "cli/writing.h"
#include "core/trust/judge.h"
#include "core/trust/runs.h"
#include "work/trust/command.h"
#include "work/trust/determinism.h"
#include "work/trust/facts.h"
#include "work/trust/recorded.h"
#include "work/trust/shelf.h"

/* Judges recorded runs. */
static int
judge_recorded(const struct options *o)
{
	struct trust_runs runs = {0};
	struct trust_judgement *r = NULL;
	struct trust_shelf *shelf;
	struct str notes = {0};
	struct writing out;
	struct err e = {0};
	int status;

	if (!recorded_read(o->arg, o->n_args, o->expected, &runs, &e)) {
		trust_runs_free(&runs);
		return print_failure(&e);
	}
	shelf = trust_shelf_new(trust_facts_load(&notes));
	r = trust_judge(&runs, trust_shelf_entry, shelf);
	for (size_t i = 0; i < runs.n_notes; i++)
		str_addf(&notes, "%s\n", runs.note[i]);
	print_remarks(o, &notes);
	writing_begin(&out, o);
	if (o->json)
		print_determinism_json(&runs, r, &out.json);
	else
		print_determinism_text(o, &runs, r, &out.text);
	status = writing_end(&out, true) ? 0 : 2;
	trust_judgement_free(r);
	trust_runs_free(&runs);
	trust_shelf_free(shelf);
	return status;
}

#define COMMAND_RUNS 3      /* for each event, at least */
#define COMMAND_SECONDS 60  /* of a method */

static void
cmd_determinism_say_progress(void *ctx, const char *what, unsigned run, unsigned of)
{
	(void)ctx;
	log_line(NULL, "%s: run %u of %u", what, run, of);
}

static bool
cmd_determinism_write_command(const struct options *o, const struct trust_command *c, struct err *e)
{
	const struct determinism_options *own = o->own;
	struct str expected = {0};
	struct writing out;
	bool good = true;

	writing_begin(&out, o);
	if (o->json)
		trust_command_json(c, &out.json);
	else
		trust_command_text(c, &out.text);
	if (!writing_end(&out, true))
		return false;
	if (own->write_expected) {
		trust_command_expected(c, &expected);
		good = writing_file(own->write_expected, &expected, e);
		str_free(&expected);
		if (!good)
			print_failure(e);
	}
	return good;
}

/* Compares the counters of a command with what instrumentation counts. */
static int
judge_command(const struct options *o)
{
	struct signals signals;
	struct trust_command_options how = {
		.argv = o->argv,
		.during = &signals.during,
		.interrupted = signals_interrupted,
		.runs = o->runs > COMMAND_RUNS ? (unsigned)o->runs : COMMAND_RUNS,
		.seconds = o->duration > 0 ? o->duration : COMMAND_SECONDS,
		.progress = o->quiet ? NULL : cmd_determinism_say_progress};
	struct trust_command *c;
	struct err e = {0};
	bool good;

	signals_block(&signals);
	c = trust_command_new(&how, &e);
	signals_release(&signals);
	if (c)
		good = cmd_determinism_write_command(o, c, &e);
	else
		good = print_failed(&e);
	trust_command_free(c);
	signals_obey();
	return good ? 0 : 2;
}

/* The parts of the workload. */
static int
list_parts(const struct options *o)
{
	struct str out = {0};
	bool good;

	determinism_list_parts(&out);
	good = writing_text(o, &out);
	str_free(&out);
	return good ? 0 : 2;
}

int
cmd_determinism(const struct options *o)
{
	const struct determinism_options *own = o->own;
	struct err e = {0};

	if (o->argv && o->n_args && !own->facts) {
		err_set(&e, "determinism takes recorded runs or a command, not both");
		return print_failure(&e);
	}
	if (own->stop_at && !own->overflow) {
		err_set(&e, "--stop-at needs --overflow");
		return print_failure(&e);
	}
	if (own->overflow)
		return determinism_overflow(o);
	if (own->facts && (o->argv || o->n_args > 1)) {
		err_set(&e, "--facts takes one name: of a processor, all, or a .trust file");
		return print_failure(&e);
	}
	if (own->facts)
		return print_trust_facts(o, o->n_args ? o->arg[0] : NULL);
	if (own->list_parts)
		return list_parts(o);
	if (o->argv)
		return judge_command(o);
	return o->n_args ? judge_recorded(o) : determinism_here(o);
}
