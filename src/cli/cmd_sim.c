/* hecate sim: simulates a machine with known features into a session file. */
#include "cli/commands.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/str.h"
#include "cli/options.h"
#include "cli/own_options.h"
#include "cli/print/print.h"
#include "cli/signals.h"
#include "cli/sim_parts.h"
#include "cli/text_args.h"
#include "cli/writing.h"
#include "core/obs/obs.h"
#include "core/stack/stack.h"
#include "core/trust/book.h"
#include "text/diag.h"
#include "text/notation.h"
#include "work/files/calibration.h"
#include "work/files/recording.h"
#include "work/files/reveal.h"
#include "work/files/simulation.h"
#include "work/files/texts.h"
#include "work/files/trace_file.h"
#include "work/run/counter_list.h"

#define TRACE_SAMPLES 1000000u /* a trace is read to its end */
#define PROGRESS_SECONDS 5.0 /* s, between two lines of progress */

struct job_of_sim {
	const struct options *options;
	struct simulation how;
	struct sim_suite suite;       /* the workloads */
	struct trace_file trace;
	struct text_args subject;       /* counters of -m */
	bool has_subject;
	struct sim_counters events;   /* events that are counted without -m */
	struct counter_list *counters;
	struct source_counter *counter; /* either of them */
	size_t n_counters;
	uint64_t salt;
	double begun, said;
	size_t done;
};

static bool
cmd_sim_take_numbers(const struct options *options, struct simulation *simulation, struct err *e)
{
	const struct sim_options *own = options->own;

	simulation->samples = options->samples ? options->samples : simulation->samples;
	simulation->accesses = options->accesses ? options->accesses : simulation->accesses;
	simulation->exact = options->exact;
	simulation->slice_ns = own->slice;
	if (options->rotation && !simulation_rotation(options->rotation, &simulation->rotation))
		return err_set(e, "--rotation is random or kernel, not %s", options->rotation);
	if (own->secret && !options->seed)
		simulation->seed = reveal_chance() >> 32;
	if (options->seed &&
		!notation_take("--seed", NOTATION_SEED, 0, 0, options->seed, (int64_t *)&simulation->seed, e))
		return false;
	if (options->trace && !own->warm_up)
		simulation->warm_up = 0;
	if (options->trace && !options->samples)
		simulation->samples = TRACE_SAMPLES;
	if (own->truth)
		simulation->references = simulation->machine->pipe.there &&
			(str_eq(own->truth, "always") || (str_eq(own->truth, "auto") && !options->trace));
	else if (options->trace)
		simulation->references = false;
	if (own->perfect && !simulation_perfect(own->perfect, &simulation->perfect, e))
		return false;
	if (own->perfect && !simulation->machine->pipe.there)
		return err_set(e, "--perfect needs a machine with a pipeline"),
		       err_hint(e, "for instance --machine core");
	if (own->warm_up && !notation_take("--warm-up", NOTATION_WHOLE, 0, SIMULATION_ACCESSES_MOST, own->warm_up,
				    (int64_t *)&simulation->warm_up, e))
		return false;
	for (size_t i = 0; i < own->lies.n; i++) {
		simulation->lie = mem_resize(simulation->lie, simulation->n_lies + 1, sizeof *simulation->lie);
		if (!sim_lie_parse(own->lies.item[i], &simulation->lie[simulation->n_lies++], e))
			return false;
	}
	return true;
}

/* The features of --plant; for a secret machine, those that it may have. */
static bool
take_plants(struct job_of_sim *sim, struct err *e)
{
	const struct options *options = sim->options;
	const struct sim_options *own = options->own;
	struct simulation *simulation = &sim->how;

	if (own->plants && !sim_plants_parse(simulation->machine, own->plants, &simulation->plants, e))
		return false;
	if (!own->secret)
		return true;
	if (!simulation->plants) {
		err_set(e, "--secret has no feature to draw");
		return err_hint(e, "name with --plant those that the machine may have");
	}
	simulation->plants = reveal_draw(simulation->plants, options->seed ? simulation->seed : reveal_chance());
	sim->salt = options->seed ? simulation->seed : reveal_chance();
	return true;
}

static bool
open_trace(struct job_of_sim *sim, struct err *e)
{
	const struct sim_options *own = sim->options->own;
	const struct text_list *list = &own->workloads;

	if (sim->how.machine->pipe.there) {
		if (list->n || sim->options->programs.n || sim->options->suites.n)
			return err_set(e, "--trace replaces a program"),
			       err_hint(e,
				       "simulate programs before or after it, "
				       "into the same file");
	} else if (list->n > 1 || sim->options->suites.n ||
		(list->n && !str_eq(list->item[0], "trace") && !str_starts(list->item[0], "trace:"))) {
		err_set(e,
			"--trace replaces a workload; --workload trace:PARAMETER=VALUE describes its "
			"memory");
		return err_hint(e, "simulate others before or after it, into the same file");
	}
	return trace_file_open(sim->options->trace, &sim->trace, e) &&
		sim_suite_add(&sim->suite, list->n ? list->item[0] : "trace", 0, e);
}

static bool
take_workloads(struct job_of_sim *sim, struct err *e)
{
	const struct options *options = sim->options;
	const struct sim_options *own = options->own;
	bool good = true;

	const struct sim_machine *machine = sim->how.machine;

	if (options->trace)
		return open_trace(sim, e);
	for (size_t i = 0; i < options->programs.n && good; i++)
		good = simulation_add_workloads(&sim->suite, machine, options->programs.item[i], e);
	for (size_t i = 0; i < own->workloads.n && good; i++)
		good = simulation_add_workloads(&sim->suite, machine, own->workloads.item[i], e);
	for (size_t i = 0; i < options->suites.n && good; i++)
		good = simulation_add_suite(&sim->suite, machine, options->suites.item[i], e);
	return good && (sim->suite.n || sim_suite_add(&sim->suite, sim->how.workload, 0, e));
}

/* The counters of the model whose events the simulated PMU has. The others are reported by their status. */
static bool
take_counters(struct job_of_sim *sim, struct err *e)
{
	const struct options *options = sim->options;

	if (options->events && options->model_name)
		return err_set(e, "-e names events, and -m a model whose counters are counted"),
		       err_hint(e, "give one of the two");
	if (!options->model_name) {
		if (!sim_counters_parse(sim->how.machine, options->events, &sim->events, e))
			return false;
		if (!sim->how.references)
			sim_counters_drop_truth(&sim->events);
		sim->counter = mem_copy(sim->events.counter, sim->events.n * sizeof *sim->counter);
		sim->n_counters = sim->events.n;
		return true;
	}
	sim->has_subject = true;
	if (!text_args_load(options, options->model_name, &sim->subject))
		return err_set(e, "%s", ""); /* the message was printed already */
	sim->counters = text_args_counters(&sim->subject);
	sim->counter = mem_new_array(sim->counters->n, sizeof *sim->counter);
	for (; sim->n_counters < sim->counters->n; sim->n_counters++) {
		const struct counter_list_item *item = &sim->counters->counter[sim->n_counters];

		sim->counter[sim->n_counters] = (struct source_counter){.name = item->name};
		if (item->n_choices) {
			sim->counter[sim->n_counters].event = item->choice[0].event;
			sim->counter[sim->n_counters].n_events = item->choice[0].n;
		}
	}
	return true;
}

static void
cmd_sim_say_progress(void *ctx, size_t done)
{
	struct job_of_sim *j = ctx;
	double now = clock_seconds();

	j->done = done;
	if (!j->options->quiet && now - j->said >= PROGRESS_SECONDS) {
		log_line(NULL, "%zu of %zu workloads simulated in %.0f s; Ctrl-C ends it, and what is done is kept",
			done, j->suite.n, now - j->begun);
		j->said = now;
	}
}

static bool
cmd_sim_stop(void *ctx)
{
	(void)ctx;
	return signals_interrupted();
}

static void
say_missing(const struct options *options, const struct obs_table *table)
{
	struct str names = {0};

	for (size_t c = 0; c < table->n_columns && table->n; c++)
		if (table->obs[0]->health[c] == OBS_UNSUPPORTED)
			str_addf(&names, "%s%s", names.n ? ", " : "", table->column[c]);
	if (names.n && !options->quiet)
		log_line(NULL,
			"not counted, because the simulated PMU has no such events: %s; hecate sim --list shows those "
			"that it has",
			str_text(&names));
	str_free(&names);
	for (size_t c = 0; c < table->n_columns && table->n; c++)
		if (table->obs[0]->health[c] == OBS_DEAD)
			str_addf(&names, "%s%s", names.n ? ", " : "", table->column[c]);
	if (names.n && !options->quiet)
		log_line(NULL, "dead, because they rose in none of %zu workloads; no verdict uses them: %s", table->n,
			str_text(&names));
	str_free(&names);
}

/* The description of the run for the session file. For a secret machine it leaves out the seed. */
static char **
command_of(const struct job_of_sim *j)
{
	const struct sim_options *own = j->options->own;
	char **argv = mem_new_array(4, sizeof *argv), *workload;

	argv[0] = mem_str("hecate");
	argv[1] = mem_str("sim");
	workload = trace_file_workload(&j->trace, j->suite.workload[0]);
	argv[2] = simulation_text(&j->how, workload, j->how.seed, own->secret);
	free(workload);
	return argv;
}

/* Puts the stacks of the machine into the session file, so that the explorer shows its cycles by them. The file lists
 * the newest first. */
static bool
keep_stacks(const struct job_of_sim *sim, struct recording *recording, struct err *e)
{
	const struct sim_machine *machine = sim->how.machine;
	bool good = true;

	for (size_t i = machine->n_stacks; i-- > 0 && good;) {
		struct text text = {0};
		struct diags d = {0};
		struct stack *stack;

		good = text_load(machine->stack[i], TEXT_STACK, &text, e);
		stack = good ? text_stack(&text, &d) : NULL;
		if (good && !stack)
			good = err_set(e, "the stack %s, which %s names, has errors", machine->stack[i], machine->name),
			err_hint(e, "hecate stack %s --check lists them", machine->stack[i]);
		if (stack && (!stack->reference || sim->how.references))
			good = recording_add_text(recording, TEXT_STACK, stack->name, &text, e);
		diags_free(&d);
		stack_free(stack);
		text_free(&text);
	}
	return good;
}

static bool
cmd_sim_keep(const struct job_of_sim *j, const struct simulate *all, const struct simulated *got, struct err *e)
{
	char **argv = command_of(j);
	const char *const *command = (const char *const *)argv;
	struct recording *r = j->has_subject ? text_args_record(&j->subject, j->options->output, command, e)
					     : recording_open(j->options->output, NULL, NULL, command, e);
	bool good = r && (j->has_subject || keep_stacks(j, r, e)) && reveal_keep(r, got, all, j->salt, e);

	recording_close(r);
	str_split_free(argv);
	return good;
}

static bool
cmd_sim_drain(void *ctx, struct str *text, struct err *e)
{
	return writing_sink_drain(ctx, text, e);
}

static bool
write_out(const struct job_of_sim *sim, const struct simulate *all, const struct simulated *got, struct err *e)
{
	struct writing_sink sink;
	const struct recording_drain d = {cmd_sim_drain, &sink};
	struct str csv = {0};
	bool good;

	if (!sim->options->csv)
		return cmd_sim_keep(sim, all, got, e);
	writing_sink_begin(&sink, sim->options);
	good = recording_csv(got->table, &d, &csv, e);
	good = writing_sink_end(&sink, &csv, good, e) && good;
	str_free(&csv);
	return good;
}

/* False and *e: what is simulated could not be kept. */
static bool
can_keep(const struct options *o, struct err *e)
{
	if (o->output && !o->csv)
		return recording_try(o->output, e);
	return writing_can(o->output, e);
}

/* Simulates all workloads, or those that a signal leaves time for. */
static bool
run_all(struct job_of_sim *sim, const struct simulate *all, struct simulated *got, struct err *e)
{
	struct signals signals;
	bool good;

	signals_hold(&signals);
	sim->begun = sim->said = clock_seconds();
	good = simulate_all(all, got, e);
	signals_let_go(&signals);
	if (good && got->cut)
		log_line(NULL, "interrupted: %zu of %zu %s complete samples, and these are kept", got->n, sim->suite.n,
			sim->suite.n == 1 ? "workload has" : "workloads have");
	return good;
}

static bool
cmd_sim_simulate(struct job_of_sim *sim, struct err *e)
{
	const struct options *options = sim->options;
	const struct sim_options *own = options->own;
	const struct simulate all = {
		.how = &sim->how,
		.counter = sim->counter,
		.group = sim->has_subject ? NULL : sim->events.group,
		.n_counters = sim->n_counters,
		.workload = (const char *const *)sim->suite.workload,
		.n = sim->suite.n,
		.trace = options->trace ? &sim->trace : NULL,
		.secret = own->secret,
		.progress = cmd_sim_say_progress,
		.stop = cmd_sim_stop,
		.ctx = sim,
	};
	struct simulated got;
	bool good;

	good = run_all(sim, &all, &got, e) && (!(options->output || options->csv) || write_out(sim, &all, &got, e));
	if (good && (options->json || !(options->output || options->csv)))
		good = sim_summary(options, &sim->how, &got);
	if (good && (options->output || options->csv)) {
		double seconds = clock_seconds() - sim->begun;

		say_missing(options, got.table);
		if (!options->quiet && !options->csv)
			log_line(NULL,
				"%s: %zu %s added; %" PRIu64 " %s were measured, %.1f s", options->output, got.n,
				got.n == 1 ? "observation was" : "observations were", got.accesses,
				sim->how.machine->pipe.there ? "µops" : "loads and stores", seconds);
	}
	simulated_free(&got);
	return good;
}

static bool
cmd_sim_is_complete(const struct options *options, bool pipeline, struct err *e)
{
	const struct sim_options *own = options->own;

	if (options->programs.n && !pipeline)
		return err_set(e, "%s has no pipeline, and runs workloads, not programs",
			       own->machine ? own->machine : MACHINE_DEFAULT),
		       err_hint(e, "--machine core has one; or --workload linear");
	if (!options->output && !options->csv && !pipeline) {
		err_set(e, "sim needs -o FILE, the session file, or --csv");
		return err_hint(
			e, "for instance: hecate sim -m haswell-mmu --workload linear:footprint=1G,stride=64 -o s.hct");
	}
	if (options->json && !pipeline)
		return err_set(e, "--json needs --reveal, or a machine with a pipeline: samples go into a file"),
		       err_hint(e, "hecate export FILE --json prints them as JSON");
	if (options->fix)
		return err_set(e, "--fix needs --reveal: it names the features that the search leaves as they are"),
		       err_hint(e, "--plant names the features of the machine");
	if (own->secret && options->csv)
		return err_set(e, "--secret needs a session file, because only that keeps the sealed features"),
		       err_hint(e, "hecate export FILE --csv writes its samples out");
	return true;
}

/* --calibrate: writes a book of the machine's errors, which --trust reads. */
static bool
calibrate(const struct options *options, const struct simulation *simulation, struct err *e)
{
	const struct sim_options *own = options->own;
	struct trust_book *book;
	struct str text = {0};
	bool good;

	if (options->output || options->csv || options->json || own->secret) {
		err_set(e, "--calibrate writes a .trust file, and no samples");
		return err_hint(e, "leave out -o, --csv, --json and --secret");
	}
	book = calibrate_simulation(simulation, e);
	if (!book)
		return false;
	trust_book_print(book, &text);
	good = writing_file(own->calibrate, &text, e);
	if (good && !options->quiet)
		log_line(NULL, "%s: what is known of %zu events; --trust %s corrects counts by it", own->calibrate,
			book->page->n, own->calibrate);
	trust_book_free(book);
	str_free(&text);
	return good;
}

static int
simulate_into_file(const struct options *options)
{
	const struct sim_options *own = options->own;
	struct job_of_sim j = {.options = options, .trace = {.fd = -1}};
	struct err e = {0};
	char *changes = sim_changes(&options->changes);
	int status = 0;
	bool good = simulation_load(own->machine ? own->machine : MACHINE_DEFAULT, changes, &j.how, &e) &&
		(own->intervals || own->calibrate || cmd_sim_is_complete(options, j.how.machine->pipe.there, &e)) &&
		cmd_sim_take_numbers(options, &j.how, &e) && take_plants(&j, &e);

	if (good && own->calibrate)
		good = calibrate(options, &j.how, &e);
	else if (good && own->intervals)
		status = sim_intervals(options, &j.how);
	else
		good = good && take_workloads(&j, &e) && take_counters(&j, &e) &&
			can_keep(options, &e) && cmd_sim_simulate(&j, &e);
	if (!good && *e.what)
		print_failure(&e);
	trace_file_close(&j.trace);
	counter_list_free(j.counters);
	sim_counters_free(&j.events);
	free(j.counter);
	text_args_free(&j.subject);
	sim_suite_free(&j.suite);
	simulation_free(&j.how);
	free(changes);
	signals_obey();
	return good ? status : 2;
}

int
cmd_sim(const struct options *o)
{
	const struct sim_options *own = o->own;

	if (own->reveal)
		return sim_reveal(o);
	return o->list ? sim_list(o) : sim_is_server(o) ? sim_server(o) : simulate_into_file(o);
}
