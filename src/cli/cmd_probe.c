/* hecate probe: curves that isolate one feature of a machine, and where they change. */
#include "cli/commands.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "cli/options.h"
#include "cli/own_options.h"
#include "cli/print/print.h"
#include "cli/print/print_probe.h"
#include "cli/print/print_rob_study.h"
#include "cli/probe_elsewhere.h"
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
			c->n == 1 ? "" : "s"));
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
run_probe(struct work *w, struct probe *p, struct err *e)
{
	struct curve c = {0}, *count = NULL;
	bool good = probe_machine_run(w->m, p, not_interrupted, NULL, &c, e) &&
		cmd_probe_count_events(w, p, &c, &count, e);
	bool left_out = !good && w->all;

	if (left_out)
		cmd_probe_leave_out(w, e);
	if (!good) {
		free_counts(count, w->n_events);
		curve_free(&c);
		probe_free(p);
		return left_out;
	}
	note_cut(p, &c);
	print_notes(w->o, &c);
	for (size_t i = 0; i < w->n_events; i++)
		print_notes(w->o, &count[i]);
	cmd_probe_keep(w, p, &c, count);
	return !w->file || probe_store_append(w->file, w->machine, p->name, &c, !signals_interrupted(), e);
}

/* All named probes, one after the other. Ctrl-C ends the one that runs; what was measured is printed, and recorded. */
static bool
run_probes(struct work *w, char *const *name, size_t n, struct err *e)
{
	bool good = true;

	for (size_t i = 0; i < n && good && !signals_interrupted(); i++) {
		struct diags d = {0};
		struct probe *p = probe_load(name[i], &d, e);

		print_diagnostics(w->o, &d);
		if (d.errors)
			err_set(e, "the probe %s was not run", name[i]);
		if (!p && w->all)
			cmd_probe_leave_out(w, e);
		else if (p && w->all && !probe_machine_takes(w->m, p))
			probe_free(p);
		else
			good = p && run_probe(w, p, e);
		diags_free(&d);
	}
	if (good && w->all && !w->n_ran && !signals_interrupted())
		good = err_set(e, "no probe runs on %s", probe_machine_name(w->m));
	return good;
}

/* Prints all results, after the answers were compared with each other. */
static void
print_results(struct work *w)
{
	struct probe_finding *all = mem_new_array(w->n_ran + 1, sizeof *all);

	for (size_t i = 0; i < w->n_ran; i++)
		all[i] = (struct probe_finding){.probe = w->ran[i].probe, .answer = &w->ran[i].answer};
	probe_answers_compare(all, w->n_ran, probe_machine_is_here(w->m));
	if (w->o->json)
		print_probes_begin(probe_machine_name(w->m), &w->out.json);
	for (size_t i = 0; i < w->n_ran; i++) {
		const struct ran *r = &w->ran[i];

		print_probe(w->o, &(struct probe_result){r->probe, &r->curve, r->knees, &r->answer,
			expectation_of(w->expect, r->probe->name), r->count, w->n_events}, &w->out);
	}
	if (w->o->json)
		print_probes_end(signals_interrupted(), &w->out.json);
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
load_expectation(struct work *w)
{
	struct diags d = {0};
	struct err e = {0};
	struct str text = {0};

	if (!probe_machine_is_here(w->m))
		return;
	w->expect = expectation_here(&d, &e);
	print_diagnostics(w->o, &d);
	if (!w->expect) {
		err_text(&e, &text);
		str_addc(&text, '\n');
	}
	print_remarks(w->o, &text);
	diags_free(&d);
}

static int
probe_machine(const struct options *asked)
{
	const struct probe_options *own = asked->own;
	struct options printed = *asked;
	const struct options *o = &printed;
	const char *on = own->on ? own->on : native;
	char **all = o->n_args ? NULL : probe_names();
	char *const *name = all ? all : o->arg;
	size_t n = o->n_args;
	struct signals signals;
	struct work w = {.o = o, .all = all};
	struct err e = {0};
	char *changes = changes_text(&o->changes);
	bool good;

	w.event = o->events ? event_list_split(o->events, &w.n_events) : NULL;
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
	writing_begin(&w.out, o);
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
study_rob(const struct options *o)
{
	const struct probe_options *own = o->own;
	struct signals signals;
	struct writing out;
	struct err e = {0};
	char *changes = changes_text(&o->changes);
	const char *on = own->on ? own->on : native;
	struct probe_machine *m = probe_machine_new(on, changes, &e);
	struct rob_study study;
	bool good;

	free(changes);
	if (!m || !writing_can(o->output, &e)) {
		probe_machine_free(m);
		return print_failure(&e);
	}
	writing_begin(&out, o);
	signals_hold(&signals);
	good = rob_study_run(m, cmd_probe_go_on, NULL, &study, &e);
	signals_let_go(&signals);
	if (good)
		print_rob_study(o, on, &study, &out);
	else
		print_failed(&e);
	good = writing_end(&out, good) && good;
	probe_machine_free(m);
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
list_probes(const struct options *o)
{
	char **name = probe_names();
	struct str out = {0};
	struct err e = {0};
	bool good;

	for (size_t i = 0; name[i]; i++) {
		struct diags d = {0};
		struct probe *p = probe_load(name[i], &d, &e);

		if (p)
			print_probe_row(o, p->name, p->text, &out);
		else
			print_diagnostics(o, &d);
		diags_free(&d);
		probe_free(p);
	}
	str_split_free(name);
	print_probe_row(o, ROB_STUDY_NAME, ROB_STUDY_TEXT, &out);
	good = writing_text(o, &out);
	str_free(&out);
	return good ? 0 : 2;
}

int
cmd_probe(const struct options *o)
{
	const struct probe_options *own = o->own;
	struct err e = {0};

	if (own->export_folder)
		return probe_elsewhere_export(o);
	if (own->isa) {
		err_set(&e, "--isa is for probes that are exported");
		err_hint(&e, "--export DIR names the folder for them");
		return print_failure(&e);
	}
	if (o->list)
		return list_probes(o);
	if (o->events && (names_study(o) || (own->on && strncmp(own->on, import, sizeof import - 1) == 0))) {
		err_set(&e, "-e counts events of probes that run, and %s",
			names_study(o) ? ROB_STUDY_NAME " is a study" : "this curve was measured elsewhere");
		err_hint(&e, "leave it out");
		return print_failure(&e);
	}
	if (own->on && strncmp(own->on, import, sizeof import - 1) == 0)
		return probe_elsewhere_import(o, own->on + sizeof import - 1);
	if (names_study(o) && o->n_args > 1) {
		err_set(&e, "%s is a study of many curves, and runs alone", ROB_STUDY_NAME);
		err_hint(&e, "name the probes in a command of their own");
		return print_failure(&e);
	}
	return names_study(o) ? study_rob(o) : probe_machine(o);
}
