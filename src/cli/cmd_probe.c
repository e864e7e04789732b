/* hecate probe: curves that isolate one feature of a machine, and where they change. */
#include "cli/commands.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/number.h"
#include "base/str.h"
#include "cli/options.h"
#include "cli/own_options.h"
#include "cli/print/print.h"
#include "cli/print/print_probe.h"
#include "cli/signals.h"
#include "cli/writing.h"
#include "core/curve/curve.h"
#include "core/curve/knee.h"
#include "core/probe/probe.h"
#include "event/list.h"
#include "text/diag.h"
#include "work/probe/native_expect.h"
#include "work/probe/probe_machine.h"
#include "work/probe/probe_store.h"
#include "work/probe/probes.h"
#include "work/probe/rob_study.h"

static const char import[] = "import:";
static const char native[] = "native";

/* The items of --set as one text; NULL: none. The caller frees it. */
static char *
changes_text(const struct text_list *l)
{
	struct str s = {0};

	for (size_t i = 0; i < l->n; i++)
		str_addf(&s, "%s%s", i ? "; " : "", l->item[i]);
	return l->n ? str_take(&s) : NULL;
}

/* Notes of a curve, on standard error. */
static void
print_notes(const struct options *o, const struct curve *c)
{
	struct str notes = {0};

	for (size_t i = 0; i < c->n_notes; i++)
		str_addf(&notes, "%s: %s\n", c->name, c->note[i]);
	print_remarks(o, &notes);
}

static bool
not_interrupted(void *ctx, const struct curve *c)
{
	(void)ctx, (void)c;
	return !signals_interrupted();
}

/* A probe that ran. Owns all that it points to. */
struct ran {
	struct probe *probe;
	struct curve curve, *count; /* count: n_events */
	struct knees *knees;
	struct probe_answer answer;
};

/* A run of probes. */
struct work {
	const struct options *o;
	struct probe_machine *m;
	struct expectation *expect; /* of the machine here; NULL: nothing is known of it */
	bool all;                   /* no probe was named, and those that the machine does not take are left out */
	const char *file;           /* session file that gets the curves, as those of `machine`; NULL: none */
	char *machine;
	char **event;               /* n_events of -e */
	size_t n_events;
	struct ran *ran;            /* n_ran so far */
	size_t n_ran;
	struct writing out;
};

static bool
cmd_probe_go_on(void *ctx)
{
	(void)ctx;
	return !signals_interrupted();
}

/* What the events of -e count at the points of the curve, one curve each; freed with free_counts(). */
static bool
cmd_probe_count_events(
	const struct work *w, const struct probe *p, const struct curve *at, struct curve **count, struct err *e)
{
	*count = mem_new_array(w->n_events, sizeof **count);
	for (size_t i = 0; i < w->n_events; i++)
		(*count)[i].name = mem_str(w->event[i]);
	return w->n_events == 0 || probe_machine_count(w->m, p, at, cmd_probe_go_on, NULL, *count, e);
}

static void
free_counts(struct curve *count, size_t n)
{
	for (size_t i = 0; i < n && count; i++)
		curve_free(&count[i]);
	free(count);
}

/* Says why one of all probes is left out. */
static void
cmd_probe_leave_out(const struct work *w, struct err *e)
{
	struct str text = {0};

	str_add(&text, "left out: ");
	err_text(e, &text);
	str_addc(&text, '\n');
	print_remarks(w->o, &text);
	*e = (struct err){0};
}

/* Says that Ctrl-C came before the last point. */
static void
note_cut(const struct probe *p, struct curve *c)
{
	uint64_t next = c->n ? probe_next_x(p, (uint64_t)c->point[c->n - 1].x) : p->first;

	if (signals_interrupted() && next <= p->last && !probe_has_enough(p, c))
		curve_note(c, str_format("stopped after %zu point%s: the answer is that of a part of the curve", c->n,
			plural_s(c->n)));
}

/* Keeps what was measured: other probes may show that its answer is a lower bound. Takes all of it over. */
static void
cmd_probe_keep(struct work *w, struct probe *p, const struct curve *c, struct curve *count)
{
	struct ran r = {.probe = p, .curve = *c, .count = count, .knees = knees_find(c)};

	r.answer = probe_answer_of(p, r.knees);
	w->ran = mem_resize(w->ran, w->n_ran + 1, sizeof *w->ran);
	w->ran[w->n_ran++] = r;
}

/* Runs a probe, and takes it over. */
static bool
run_probe(struct work *work, struct probe *p, struct err *e)
{
	struct curve c = {0}, *count = NULL;
	bool good = probe_machine_run(work->m, p, not_interrupted, NULL, &c, e) &&
		cmd_probe_count_events(work, p, &c, &count, e);
	bool left_out = !good && work->all;

	if (left_out)
		cmd_probe_leave_out(work, e);
	if (!good) {
		free_counts(count, work->n_events);
		curve_free(&c);
		probe_free(p);
		return left_out;
	}
	note_cut(p, &c);
	print_notes(work->o, &c);
	for (size_t i = 0; i < work->n_events; i++)
		print_notes(work->o, &count[i]);
	cmd_probe_keep(work, p, &c, count);
	return !work->file || probe_store_append(work->file, work->machine, p->name, &c, !signals_interrupted(), e);
}

/* All named probes, one after the other. Ctrl-C ends the one that runs; what was measured is printed, and recorded. */
static bool
run_probes(struct work *work, char *const *name, size_t n, struct err *e)
{
	bool good = true;

	for (size_t i = 0; i < n && good && !signals_interrupted(); i++) {
		struct diags d = {0};
		struct probe *probe = probe_load(name[i], &d, e);

		print_diagnostics(work->o, &d);
		if (d.errors)
			err_set(e, "the probe %s was not run", name[i]);
		if (!probe && work->all)
			cmd_probe_leave_out(work, e);
		else if (probe && work->all && !probe_machine_takes(work->m, probe))
			probe_free(probe);
		else
			good = probe && run_probe(work, probe, e);
		diags_free(&d);
	}
	if (good && work->all && !work->n_ran && !signals_interrupted())
		good = err_set(e, "no probe runs on %s", probe_machine_name(work->m));
	return good;
}

/* Prints all results, after the answers were compared with each other. */
static void
print_results(struct work *work)
{
	struct probe_finding *all = mem_new_array(work->n_ran + 1, sizeof *all);

	for (size_t i = 0; i < work->n_ran; i++)
		all[i] = (struct probe_finding){.probe = work->ran[i].probe, .answer = &work->ran[i].answer};
	probe_answers_compare(all, work->n_ran, probe_machine_is_here(work->m));
	if (work->o->json)
		print_probes_begin(probe_machine_name(work->m), &work->out.json);
	for (size_t i = 0; i < work->n_ran; i++) {
		const struct ran *ran = &work->ran[i];

		print_probe(work->o, &(struct probe_result){ran->probe, &ran->curve, ran->knees, &ran->answer,
			expectation_of(work->expect, ran->probe->name), ran->count, work->n_events}, &work->out);
	}
	if (work->o->json)
		print_probes_end(signals_interrupted(), &work->out.json);
	free(all);
}

static void
free_ran(struct work *w)
{
	for (size_t i = 0; i < w->n_ran; i++) {
		free_counts(w->ran[i].count, w->n_events);
		curve_free(&w->ran[i].curve);
		knees_free(w->ran[i].knees);
		probe_free(w->ran[i].probe);
	}
	free(w->ran);
}

/* Loads what is known of the machine here. Broken files, and that there is none, are printed. */
static void
load_expectation(struct work *work)
{
	struct diags d = {0};
	struct err e = {0};
	struct str text = {0};

	if (!probe_machine_is_here(work->m))
		return;
	work->expect = expectation_here(&d, &e);
	print_diagnostics(work->o, &d);
	if (!work->expect) {
		err_text(&e, &text);
		str_addc(&text, '\n');
	}
	print_remarks(work->o, &text);
	diags_free(&d);
}

static int
probe_machine(const struct options *asked)
{
	const struct probe_options *own = asked->own;
	struct options printed = *asked;
	const struct options *options = &printed;
	const char *on = own->on ? own->on : native;
	char **all = options->n_args ? NULL : probe_names();
	char *const *name = all ? all : options->arg;
	size_t n = options->n_args;
	struct signals signals;
	struct work w = {.o = options, .all = all};
	struct err e = {0};
	char *changes = changes_text(&options->changes);
	bool good;

	w.event = options->events ? event_list_split(options->events, &w.n_events) : NULL;
	w.m = probe_machine_new(on, changes, &e);
	w.machine = changes ? str_format("%s %s", on, changes) : mem_str(on);
	w.file = probe_store_is_for(asked->output) ? asked->output : NULL;
	free(changes);
	if (!w.m || (w.n_events && !probe_machine_events(w.m, w.event, w.n_events, &e)) ||
		!(w.file ? probe_store_try(w.file, &e) : writing_can(asked->output, &e))) {
		probe_machine_free(w.m);
		free(w.machine);
		str_split_free(w.event);
		str_split_free(all);
		return print_failure(&e);
	}
	if (w.file)
		printed.output = NULL; /* what is printed goes to standard output */
	while (all && all[n])
		n++;
	load_expectation(&w);
	writing_begin(&w.out, options);
	signals_hold(&signals);
	good = run_probes(&w, name, n, &e);
	print_results(&w);
	signals_let_go(&signals);
	if (!good)
		print_failed(&e);
	good = writing_end(&w.out, good) && good;
	free_ran(&w);
	expectation_free(w.expect);
	free(w.machine);
	str_split_free(w.event);
	str_split_free(all);
	probe_machine_free(w.m);
	signals_obey();
	return good ? 0 : 2;
}

/* The study of many curves that has a probe's place on the command line. */
static int
study_rob(const struct options *options)
{
	const struct probe_options *own = options->own;
	struct signals signals;
	struct writing out;
	struct err e = {0};
	char *changes = changes_text(&options->changes);
	const char *on = own->on ? own->on : native;
	struct probe_machine *machine = probe_machine_new(on, changes, &e);
	struct rob_study study;
	bool good;

	free(changes);
	if (!machine || !writing_can(options->output, &e)) {
		probe_machine_free(machine);
		return print_failure(&e);
	}
	writing_begin(&out, options);
	signals_hold(&signals);
	good = rob_study_run(machine, cmd_probe_go_on, NULL, &study, &e);
	signals_let_go(&signals);
	if (good)
		print_rob_study(options, on, &study, &out);
	else
		print_failed(&e);
	good = writing_end(&out, good) && good;
	probe_machine_free(machine);
	signals_obey();
	return good ? 0 : 2;
}

static bool
names_study(const struct options *o)
{
	for (size_t i = 0; i < o->n_args; i++)
		if (str_eq(o->arg[i], ROB_STUDY_NAME))
			return true;
	return false;
}

static int
list_probes(const struct options *options)
{
	char **name = probe_names();
	struct str out = {0};
	struct err e = {0};
	bool good;

	for (size_t i = 0; name[i]; i++) {
		struct diags d = {0};
		struct probe *probe = probe_load(name[i], &d, &e);

		if (probe)
			print_probe_row(options, probe->name, probe->text, &out);
		else
			print_diagnostics(options, &d);
		diags_free(&d);
		probe_free(probe);
	}
	str_split_free(name);
	print_probe_row(options, ROB_STUDY_NAME, ROB_STUDY_TEXT, &out);
	good = writing_text(options, &out);
	str_free(&out);
	return good ? 0 : 2;
}

int
cmd_probe(const struct options *options)
{
	const struct probe_options *own = options->own;
	struct err e = {0};

	if (own->export_folder)
		return probe_elsewhere_export(options);
	if (own->isa) {
		err_set(&e, "--isa is for probes that are exported");
		err_hint(&e, "--export DIR names the folder for them");
		return print_failure(&e);
	}
	if (options->list)
		return list_probes(options);
	if (options->events &&
		(names_study(options) || (own->on && strncmp(own->on, import, sizeof import - 1) == 0))) {
		err_set(&e, "-e counts events of probes that run, and %s",
			names_study(options) ? ROB_STUDY_NAME " is a study" : "this curve was measured elsewhere");
		err_hint(&e, "leave it out");
		return print_failure(&e);
	}
	if (own->on && strncmp(own->on, import, sizeof import - 1) == 0)
		return probe_elsewhere_import(options, own->on + sizeof import - 1);
	if (names_study(options) && options->n_args > 1) {
		err_set(&e, "%s is a study of many curves, and runs alone", ROB_STUDY_NAME);
		err_hint(&e, "name the probes in a command of their own");
		return print_failure(&e);
	}
	return names_study(options) ? study_rob(options) : probe_machine(options);
}
