/* hecate sim: simulates a machine with known features into a session file. */
#include "cli/commands.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/files/recording.h"
#include "app/files/reveal.h"
#include "app/files/simulation.h"
#include "app/run/counter_list.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/str.h"
#include "cli/options.h"
#include "cli/print/print.h"
#include "cli/sim_parts.h"
#include "cli/text_args.h"
#include "cli/writing.h"
#include "core/obs/obs.h"

#define PROGRESS_SECONDS 5.0 /* s, between two lines of progress */

struct job_of_sim {
	const struct options *options;
	struct simulation how;
	struct sim_suite suite;       /* the workloads */
	int trace;                    /* −1: none */
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
take_numbers(const struct options *o, struct simulation *s, struct err *e)
{
	s->samples = o->samples ? o->samples : s->samples;
	s->accesses = o->accesses ? o->accesses : s->accesses;
	s->exact = o->exact;
	s->slice_ns = o->slice;
	if (o->rotation && !simulation_rotation(o->rotation, &s->rotation))
		return err_set(e, "--rotation is random or kernel, not %s", o->rotation);
	if (o->secret && !o->seed)
		s->seed = reveal_chance() >> 32;
	if (o->seed && !str_to_u64(o->seed, &s->seed))
		return err_set(e, "--seed takes a whole number from 0 to 2^64 - 1, not %s", o->seed);
	if (o->trace && !o->warm_up)
		s->warm_up = 0;
	if (o->warm_up && (!str_to_u64(o->warm_up, &s->warm_up) || s->warm_up > (uint64_t)1 << 40))
		return err_set(e, "--warm-up takes a whole number from 0 to 2^40, not %s", o->warm_up);
	for (size_t i = 0; i < o->lies.n; i++) {
		s->lie = mem_resize(s->lie, s->n_lies + 1, sizeof *s->lie);
		if (!sim_lie_parse(o->lies.item[i], &s->lie[s->n_lies++], e))
			return false;
	}
	return true;
}

/* The features of --plant; for a secret machine, those that it may have. */
static bool
take_plants(struct job_of_sim *j, struct err *e)
{
	const struct options *o = j->options;
	struct simulation *s = &j->how;

	if (o->plants && !sim_plants_parse(s->machine, o->plants, &s->plants, e))
		return false;
	if (!o->secret)
		return true;
	if (!s->plants) {
		err_set(e, "--secret has no feature to draw");
		return err_hint(e, "name with --plant those that the machine may have");
	}
	s->plants = reveal_draw(s->plants, o->seed ? s->seed : reveal_chance());
	j->salt = o->seed ? s->seed : reveal_chance();
	return true;
}

static bool
open_trace(struct job_of_sim *j, struct err *e)
{
	const struct text_list *w = &j->options->workloads;
	const char *path = j->options->trace;

	if (w->n > 1 || j->options->suites.n ||
		(w->n && !str_eq(w->item[0], "trace") && !str_starts(w->item[0], "trace:"))) {
		err_set(e,
			"--trace replaces a workload; --workload trace:PARAMETER=VALUE describes its "
			"memory");
		return err_hint(e, "simulate others before or after it, into the same file");
	}
	j->trace = str_eq(path, "-") ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (j->trace < 0)
		return err_set(e, "cannot open %s: %s", path, strerror(errno));
	return sim_suite_add(&j->suite, w->n ? w->item[0] : "trace", 0, e);
}

static bool
take_workloads(struct job_of_sim *j, struct err *e)
{
	const struct options *o = j->options;
	bool good = true;

	if (o->trace)
		return open_trace(j, e);
	for (size_t i = 0; i < o->workloads.n && good; i++)
		good = simulation_add_workloads(&j->suite, o->workloads.item[i], e);
	for (size_t i = 0; i < o->suites.n && good; i++)
		good = simulation_add_suite(&j->suite, o->suites.item[i], e);
	return good && (j->suite.n || sim_suite_add(&j->suite, j->how.workload, 0, e));
}

/* The counters of the model whose events the simulated PMU has. The others are reported by their status. */
static bool
take_counters(struct job_of_sim *j, struct err *e)
{
	const struct options *o = j->options;

	if (o->events && o->model_name)
		return err_set(e, "-e names events, and -m a model whose counters are counted"),
		       err_hint(e, "give one of the two");
	if (!o->model_name) {
		if (!sim_counters_parse(o->events, &j->events, e))
			return false;
		j->counter = mem_copy(j->events.counter, j->events.n * sizeof *j->counter);
		j->n_counters = j->events.n;
		return true;
	}
	j->has_subject = true;
	if (!text_args_load(o, o->model_name, &j->subject))
		return err_set(e, "%s", ""); /* the message was printed already */
	j->counters = text_args_counters(&j->subject);
	j->counter = mem_new_array(j->counters->n, sizeof *j->counter);
	for (; j->n_counters < j->counters->n; j->n_counters++) {
		const struct counter_list_item *c = &j->counters->counter[j->n_counters];

		j->counter[j->n_counters] = (struct source_counter){.name = c->name};
		if (c->n_choices) {
			j->counter[j->n_counters].event = c->choice[0].event;
			j->counter[j->n_counters].n_events = c->choice[0].n;
		}
	}
	return true;
}

static bool
go_on(void *ctx, size_t done)
{
	struct job_of_sim *j = ctx;
	double now = clock_seconds();

	j->done = done;
	if (!j->options->quiet && now - j->said >= PROGRESS_SECONDS) {
		log_line(NULL, "%zu of %zu workloads simulated in %.0f s; Ctrl-C ends it", done, j->suite.n,
			now - j->begun);
		j->said = now;
	}
	return true;
}

static void
say_missing(const struct options *o, const struct obs_table *t)
{
	struct str names = {0};

	for (size_t c = 0; c < t->n_columns && t->n; c++)
		if (t->obs[0]->health[c] == OBS_UNSUPPORTED)
			str_addf(&names, "%s%s", names.n ? ", " : "", t->column[c]);
	if (names.n && !o->quiet)
		log_line(NULL,
			"not counted, because the simulated PMU has no such events: %s; hecate sim --list shows those "
			"that it has",
			str_text(&names));
	str_free(&names);
	for (size_t c = 0; c < t->n_columns && t->n; c++)
		if (t->obs[0]->health[c] == OBS_DEAD)
			str_addf(&names, "%s%s", names.n ? ", " : "", t->column[c]);
	if (names.n && !o->quiet)
		log_line(NULL, "dead, because they rose in none of %zu workloads; no verdict uses them: %s", t->n,
			str_text(&names));
	str_free(&names);
}

/* The description of the run for the session file. For a secret machine it leaves out the seed. */
static char **
command_of(const struct job_of_sim *j)
{
	char **argv = mem_new_array(4, sizeof *argv);

	argv[0] = mem_str("hecate");
	argv[1] = mem_str("sim");
	argv[2] = simulation_text(&j->how, j->suite.workload[0], j->how.seed, j->options->secret);
	return argv;
}

static bool
keep(const struct job_of_sim *j, const struct simulate *all, const struct simulated *got, struct err *e)
{
	char **argv = command_of(j);
	struct recording *r = j->has_subject ? text_args_record(&j->subject, j->options->output, argv, e)
					     : recording_open(j->options->output, NULL, NULL, argv, e);
	bool good = r && reveal_keep(r, got, all, j->salt, e);

	recording_close(r);
	str_split_free(argv);
	return good;
}

static bool
drain(void *ctx, struct str *text, struct err *e)
{
	return writing_sink_drain(ctx, text, e);
}

static bool
write_out(const struct job_of_sim *j, const struct simulate *all, const struct simulated *got, struct err *e)
{
	struct writing_sink sink;
	const struct recording_drain d = {drain, &sink};
	struct str csv = {0};
	bool good;

	if (!j->options->csv)
		return keep(j, all, got, e);
	writing_sink_begin(&sink, j->options);
	good = recording_csv(got->table, &d, &csv, e);
	good = writing_sink_end(&sink, &csv, good, e) && good;
	str_free(&csv);
	return good;
}

static bool
simulate(struct job_of_sim *j, struct err *e)
{
	const struct options *o = j->options;
	const struct simulate all = {
		.how = &j->how, .counter = j->counter, .group = j->has_subject ? NULL : j->events.group,
		.n_counters = j->n_counters,
		.workload = (const char *const *)j->suite.workload, .n = j->suite.n, .trace = j->trace,
		.secret = o->secret, .go_on = go_on, .ctx = j,
	};
	struct simulated got;
	bool good;

	j->begun = j->said = clock_seconds();
	good = simulate_all(&all, &got, e) && write_out(j, &all, &got, e);
	if (good) {
		double seconds = clock_seconds() - j->begun;

		say_missing(o, got.table);
		if (!o->quiet && !o->csv)
			log_line(NULL,
				"%s: %zu observations were added; %" PRIu64 " loads and stores were measured, %.1f s",
				o->output, got.n, got.accesses, seconds);
	}
	simulated_free(&got);
	return good;
}

static bool
is_complete(const struct options *o, struct err *e)
{
	if (!o->output && !o->csv) {
		err_set(e, "sim needs -o FILE, the session file, or --csv");
		return err_hint(
			e, "for instance: hecate sim -m haswell-mmu --workload linear:footprint=1G,stride=64 -o s.hct");
	}
	if (o->json)
		return err_set(e, "--json needs --reveal, because simulated samples go into a file"),
		       err_hint(e, "hecate export FILE --json prints them as JSON");
	if (o->fix)
		return err_set(e, "--fix needs --reveal: it names the features that the search leaves as they are"),
		       err_hint(e, "--plant names the features of the machine");
	if (o->secret && o->csv)
		return err_set(e, "--secret needs a session file, because only that keeps the sealed features"),
		       err_hint(e, "hecate export FILE --csv writes its samples out");
	return true;
}

static int
simulate_into_file(const struct options *o)
{
	struct job_of_sim j = {.options = o, .trace = -1};
	struct err e = {0};
	bool good = is_complete(o, &e) && simulation_load(o->machine ? o->machine : MACHINE_DEFAULT, &j.how, &e) &&
		take_numbers(o, &j.how, &e) && take_plants(&j, &e) && take_workloads(&j, &e) && take_counters(&j, &e) &&
		simulate(&j, &e);

	if (!good && *e.what)
		print_failure(&e);
	if (j.trace > STDIN_FILENO)
		close(j.trace);
	counter_list_free(j.counters);
	sim_counters_free(&j.events);
	free(j.counter);
	text_args_free(&j.subject);
	sim_suite_free(&j.suite);
	simulation_free(&j.how);
	return good ? 0 : 2;
}

int
cmd_sim(const struct options *o)
{
	if (o->reveal)
		return sim_reveal(o);
	return o->list ? sim_list(o) : simulate_into_file(o);
}
