/* hecate probe: curves that isolate one feature of a machine, and where they change. */
#include "cli/commands.h"

#include <stdlib.h>
#include <string.h>

#include "app/probe/probe_machine.h"
#include "app/probe/probes.h"
#include "app/probe/rob_study.h"
#include "base/err.h"
#include "base/str.h"
#include "cli/options.h"
#include "cli/print/print.h"
#include "cli/print/print_probe.h"
#include "cli/print/print_rob_study.h"
#include "cli/signals.h"
#include "cli/writing.h"
#include "core/curve/curve.h"
#include "core/curve/knee.h"
#include "core/lang/diag.h"
#include "core/probe/probe.h"

static const char import[] = "import:";
static const char simulated[] = "sim:";

/* The items of --set as one text; NULL: none. The caller frees it. */
static char *
changes_text(const struct text_list *l)
{
	struct str s = {0};

	for (size_t i = 0; i < l->n; i++)
		str_addf(&s, "%s%s", i ? "; " : "", l->item[i]);
	return l->n ? str_take(&s) : NULL;
}

static int
probe_imported_curve(const struct options *o, const char *path)
{
	struct curve c = {0};
	struct knees *k;
	struct str notes = {0};
	struct writing out;
	struct err e = {0};
	bool good;

	if (!probe_imported(path, &c, &e)) {
		curve_free(&c);
		return print_failure(&e);
	}
	for (size_t i = 0; i < c.n_notes; i++)
		str_addf(&notes, "%s: %s\n", c.name, c.note[i]);
	print_remarks(o, &notes);
	k = knees_find(&c);
	writing_begin(&out, o);
	print_probe(o, NULL, &c, k, &out);
	good = writing_end(&out, true);
	knees_free(k);
	curve_free(&c);
	return good ? 0 : 2;
}

static bool
not_interrupted(void *ctx, const struct curve *c)
{
	(void)ctx, (void)c;
	return !signals_interrupted();
}

/* All named probes, one after the other. Ctrl-C ends the one that runs; what was measured is printed. */
static bool
run_probes(const struct options *o, struct probe_machine *m, char *const *name, size_t n, struct writing *out,
	struct err *e)
{
	bool good = true;

	if (o->json)
		print_probes_begin(o->on, &out->json);
	for (size_t i = 0; i < n && good && !signals_interrupted(); i++) {
		struct curve c = {0};
		struct diags d = {0};
		struct probe *p = probe_load(name[i], &d, e);

		print_diagnostics(o, &d);
		if (d.errors)
			err_set(e, "the probe %s was not run", name[i]);
		good = p && probe_machine_run(m, p, not_interrupted, NULL, &c, e);
		if (good) {
			struct knees *k = knees_find(&c);

			print_probe(o, p, &c, k, out);
			knees_free(k);
		}
		curve_free(&c);
		diags_free(&d);
		probe_free(p);
	}
	if (o->json)
		print_probes_end(signals_interrupted(), &out->json);
	return good;
}

static int
probe_machine(const struct options *o)
{
	char **all = o->n_args ? NULL : probe_names();
	char *const *name = all ? all : o->arg;
	size_t n = o->n_args;
	struct signals signals;
	struct writing out;
	struct err e = {0};
	char *changes = changes_text(&o->changes);
	struct probe_machine *m = probe_machine_new(o->on, changes, &e);
	bool good;

	free(changes);
	if (!m) {
		str_split_free(all);
		return print_failure(&e);
	}
	while (all && all[n])
		n++;
	writing_begin(&out, o);
	signals_hold(&signals);
	good = run_probes(o, m, name, n, &out, &e);
	signals_let_go(&signals);
	if (!good)
		print_failed(&e);
	good = writing_end(&out, good) && good;
	str_split_free(all);
	probe_machine_free(m);
	signals_obey();
	return good ? 0 : 2;
}

static bool
go_on(void *ctx)
{
	(void)ctx;
	return !signals_interrupted();
}

/* The study of many curves that has a probe's place on the command line. */
static int
study_rob(const struct options *o)
{
	struct signals signals;
	struct writing out;
	struct err e = {0};
	char *changes = changes_text(&o->changes);
	struct probe_machine *m = probe_machine_new(o->on, changes, &e);
	struct rob_study study;
	bool good;

	free(changes);
	if (!m)
		return print_failure(&e);
	writing_begin(&out, o);
	signals_hold(&signals);
	good = rob_study_run(m, go_on, NULL, &study, &e);
	signals_let_go(&signals);
	if (good)
		print_rob_study(o, o->on, &study, &out);
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
	struct err e = {0};

	if (o->list)
		return list_probes(o);
	if (o->on && strncmp(o->on, import, sizeof import - 1) == 0 && o->n_args) {
		err_set(&e, "a curve that is imported has been measured: no probe runs");
		err_hint(&e, "leave out '%s'", o->arg[0]);
		return print_failure(&e);
	}
	if (o->on && strncmp(o->on, import, sizeof import - 1) == 0)
		return probe_imported_curve(o, o->on + sizeof import - 1);
	if (o->on && names_study(o) && o->n_args > 1) {
		err_set(&e, "%s is a study of many curves, and runs alone", ROB_STUDY_NAME);
		err_hint(&e, "name the probes in a command of their own");
		return print_failure(&e);
	}
	if (o->on && strncmp(o->on, simulated, sizeof simulated - 1) == 0)
		return names_study(o) ? study_rob(o) : probe_machine(o);
	if (o->on)
		err_set(&e, "probes do not run on '%s'", o->on);
	else
		err_set(&e, "probe needs a machine, or a curve");
	err_hint(&e, "--on sim:MACHINE runs probes on a simulated machine, such as core; --on import:FILE reads a "
		"curve");
	return print_failure(&e);
}
