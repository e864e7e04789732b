/* hecate determinism: how far events can be trusted, by repeated runs of the same program. */
#include "cli/commands.h"

#include "base/err.h"
#include "base/log.h"
#include "base/shell.h"
#include "base/str.h"
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
judge_recorded(const struct options *options)
{
	struct trust_runs runs = {0};
	struct trust_judgement *judgement = NULL;
	struct trust_shelf *shelf;
	struct str notes = {0};
	struct writing out;
	struct err e = {0};
	int status;

	if (!recorded_read(options->arg, options->n_args, options->expected, &runs, &e)) {
		trust_runs_free(&runs);
		return print_failure(&e);
	}
	shelf = trust_shelf_new(trust_facts_load(&notes));
	judgement = trust_judge(&runs, trust_shelf_entry, shelf);
	for (size_t i = 0; i < runs.n_notes; i++)
		str_addf(&notes, "%s\n", runs.note[i]);
	print_remarks(options, &notes);
	writing_begin(&out, options);
	if (options->json)
		print_determinism_json(&runs, judgement, &out.json);
	else
		print_determinism_text(options, &runs, judgement, &out.text);
	status = writing_end(&out, true) ? 0 : 2;
	trust_judgement_free(judgement);
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
cmd_determinism_write_command(const struct options *options, const struct trust_command *command, struct err *e)
{
	const struct determinism_options *own = options->own;
	struct str expected = {0};
	struct writing out;
	bool good = true;

	writing_begin(&out, options);
	if (options->json)
		trust_command_json(command, &out.json);
	else
		trust_command_text(command, &out.text);
	if (!writing_end(&out, true))
		return false;
	if (own->write_expected) {
		trust_command_expected(command, &expected);
		good = writing_file(own->write_expected, &expected, e);
		str_free(&expected);
		if (!good)
			print_failure(e);
	}
	return good;
}

/* Compares the counters of a command with what instrumentation counts. */
static int
judge_command(const struct options *options)
{
	struct signals signals;
	struct trust_command_options how = {
		.argv = options->argv,
		.during = &signals.during,
		.interrupted = signals_interrupted,
		.runs = options->runs > COMMAND_RUNS ? (unsigned)options->runs : COMMAND_RUNS,
		.seconds = options->duration > 0 ? options->duration : COMMAND_SECONDS,
		.progress = options->quiet ? NULL : cmd_determinism_say_progress};
	struct trust_command *command;
	struct err e = {0};
	bool good;

	signals_block(&signals);
	command = trust_command_new(&how, &e);
	signals_release(&signals);
	if (command)
		good = cmd_determinism_write_command(options, command, &e);
	else
		good = print_failed(&e);
	trust_command_free(command);
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
cmd_determinism(const struct options *options)
{
	const struct determinism_options *own = options->own;
	struct err e = {0};

	if (options->argv && options->n_args && !own->facts) {
		err_set(&e, "determinism takes recorded runs or a command, not both");
		return print_failure(&e);
	}
	if (own->stop_at && !own->overflow) {
		err_set(&e, "--stop-at needs --overflow");
		return print_failure(&e);
	}
	if (own->overflow)
		return determinism_overflow(options);
	if (own->facts && (options->argv || options->n_args > 1)) {
		err_set(&e, "--facts takes one name: of a processor, all, or a .trust file");
		return print_failure(&e);
	}
	if (own->facts)
		return print_trust_facts(options, options->n_args ? options->arg[0] : NULL);
	if (own->list_parts)
		return list_parts(options);
	if (options->argv)
		return judge_command(options);
	return options->n_args ? judge_recorded(options) : determinism_here(options);
}
