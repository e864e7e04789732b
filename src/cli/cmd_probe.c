/* hecate probe: curves that isolate one feature of a machine, and where they change. */
#include "cli/commands.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/files/recording.h"
#include "app/probe/probe_machine.h"
#include "app/probe/probe_store.h"
#include "app/probe/probes.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "cli/options.h"
#include "cli/print/print.h"
#include "cli/print/print_probe.h"
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

/* Is -o a session file, by its content or, if it is new, by its name? Else it is a file for what is printed. */
static bool
records(const struct options *o)
{
	static const char *const ending[] = {".hec", ".hecate"};
	bool named = false;

	for (size_t i = 0; o->output && i < sizeof ending / sizeof *ending; i++)
		named |= str_ends(o->output, ending[i]);
	return o->output && (recording_is(o->output) || (named && access(o->output, F_OK) != 0));
}

static int
probe_imported_curve(const struct options *asked, const char *path)
{
	struct options own = *asked;
	const struct options *o = &own;
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
	if (records(asked))
		own.output = NULL;
	writing_begin(&out, o);
	print_probe(o, NULL, &c, k, &out);
	good = writing_end(&out, true);
	if (good && records(asked))
		good = probe_store_append(asked->output, "import", c.name, &c, true, &e) || print_failed(&e);
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

/* All named probes, one after the other. Ctrl-C ends the one that runs; what was measured is printed, and recorded in
 * the file, if there is one, as curves of `machine`. */
static bool
run_probes(const struct options *o, struct probe_machine *m, char *const *name, size_t n, const char *file,
	const char *machine, struct writing *out, struct err *e)
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
		if (good && file)
			good = probe_store_append(file, machine, p->name, &c, !signals_interrupted(), e);
		curve_free(&c);
		diags_free(&d);
		probe_free(p);
	}
	if (o->json)
		print_probes_end(signals_interrupted(), &out->json);
	return good;
}

static int
probe_machine(const struct options *asked)
{
	struct options own = *asked;
	const struct options *o = &own;
	char **all = o->n_args ? NULL : probe_names();
	char *const *name = all ? all : o->arg;
	size_t n = o->n_args;
	struct signals signals;
	struct writing out;
	struct err e = {0};
	char *changes = changes_text(&o->changes);
	struct probe_machine *m = probe_machine_new(o->on, changes, &e);
	char *called = changes ? str_format("%s %s", o->on, changes) : mem_str(o->on);
	const char *file = records(o) ? o->output : NULL;
	bool good;

	free(changes);
	if (!m || (file && !probe_store_try(file, &e))) {
		probe_machine_free(m);
		str_split_free(all);
		free(called);
		return print_failure(&e);
	}
	if (file)
		own.output = NULL; /* what is printed goes to standard output */
	while (all && all[n])
		n++;
	writing_begin(&out, o);
	signals_hold(&signals);
	good = run_probes(o, m, name, n, file, called, &out, &e);
	signals_let_go(&signals);
	if (!good)
		print_failed(&e);
	good = writing_end(&out, good) && good;
	str_split_free(all);
	free(called);
	probe_machine_free(m);
	signals_obey();
	return good ? 0 : 2;
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
			print_probe_row(o, p, &out);
		else
			print_diagnostics(o, &d);
		diags_free(&d);
		probe_free(p);
	}
	str_split_free(name);
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
	if (o->on && strncmp(o->on, simulated, sizeof simulated - 1) == 0)
		return probe_machine(o);
	if (o->on)
		err_set(&e, "probes do not run on '%s'", o->on);
	else
		err_set(&e, "probe needs a machine, or a curve");
	err_hint(&e, "--on sim:MACHINE runs probes on a simulated machine, such as core; --on import:FILE reads a "
		"curve");
	return print_failure(&e);
}
