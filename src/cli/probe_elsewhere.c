#include "cli/commands.h"

#include <stdlib.h>

#include "base/err.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/str.h"
#include "cli/options.h"
#include "cli/own_options.h"
#include "cli/print/print.h"
#include "cli/print/print_probe.h"
#include "cli/writing.h"
#include "core/curve/curve.h"
#include "core/curve/knee.h"
#include "core/probe/probe.h"
#include "text/diag.h"
#include "work/probe/export.h"
#include "work/probe/probe_store.h"
#include "work/probe/probes.h"

/* Loads a probe. NULL after a message. */
static struct probe *
probe_elsewhere_load(const struct options *o, const char *name, struct err *e)
{
	struct diags d = {0};
	struct probe *p = probe_load(name, &d, e);

	print_diagnostics(o, &d);
	if (d.errors)
		err_set(e, "the probe %s is not usable", name);
	diags_free(&d);
	return p;
}

static bool
export_probes(const struct options *options, char *const *name, size_t n, struct err *e)
{
	const struct probe_options *own = options->own;
	struct probe **probe = mem_new_array(n + 1, sizeof *probe);
	struct str left_out = {0};
	bool good = true;
	size_t loaded = 0;

	while (loaded < n && good) {
		probe[loaded] = probe_elsewhere_load(options, name[loaded], e);
		good = probe[loaded] != NULL;
		loaded += good;
	}
	good = good && probe_export(own->export_folder, own->isa, probe, loaded, &left_out, e);
	print_remarks(options, &left_out);
	for (size_t i = 0; i < loaded; i++)
		probe_free(probe[i]);
	free(probe);
	return good;
}

int
probe_elsewhere_export(const struct options *options)
{
	const struct probe_options *own = options->own;
	char **all = options->n_args ? NULL : probe_names();
	size_t n = options->n_args;
	struct err e = {0};
	bool good;

	while (all && all[n])
		n++;
	if (own->on || options->list || options->json || options->output) {
		good = err_set(&e, "--export writes programs: nothing is measured");
		err_hint(&e, "leave out --on, --list, --json and -o");
	} else if (!own->isa) {
		good = err_set(&e, "--export needs an instruction set");
		err_hint(&e, "--isa riscv64, --isa aarch64 or --isa x86_64");
	} else {
		good = export_probes(options, all ? all : options->arg, n, &e);
	}
	str_split_free(all);
	return good ? 0 : print_failure(&e);
}

/* The probe of an imported curve. NULL without an error: it is of none. */
static struct probe *
probe_of_curve(const struct options *options, const struct curve *curve, struct err *e)
{
	struct err unknown = {0};
	struct probe *probe;

	if (options->n_args)
		return probe_elsewhere_load(options, options->arg[0], e);
	if (!curve->of)
		return NULL;
	/* A name in a file is no path: it must not make hecate read other files. */
	probe = probe_load_installed(curve->of, &unknown);
	if (!probe && !options->quiet)
		log_line(NULL, "%s is a curve of the probe %s, which %s%s", curve->name, curve->of,
			*unknown.what ? "has an error: " : "is not installed", unknown.what);
	return probe;
}

/* Prints a curve, and records it if -o is a session file. */
static bool
print_curve(const struct options *asked, const struct probe *probe, const struct curve *curve)
{
	struct options own = *asked;
	struct knees *knees = knees_find(curve);
	struct writing out;
	struct err e = {0};
	bool records = probe_store_is_for(asked->output), good;

	if (records)
		own.output = NULL; /* what is printed goes to standard output */
	writing_begin(&out, &own);
	print_imported(&own, probe, curve, knees, &out);
	knees_free(knees);
	good = writing_end(&out, true);
	if (good && records)
		good = probe_store_append(
			       asked->output, PROBE_IMPORT, probe ? probe->name : curve->name, curve, true, &e) ||
			print_failed(&e);
	return good;
}

int
probe_elsewhere_import(const struct options *options, const char *path)
{
	struct curve c = {0};
	struct probe *probe = NULL;
	struct str notes = {0};
	struct err e = {0};
	bool good;

	if (options->n_args > 1) {
		err_set(&e, "a curve is of one probe, and %zu are named", options->n_args);
		err_hint(&e, "leave out '%s'", options->arg[1]);
		return print_failure(&e);
	}
	good = probe_imported(path, &c, &e);
	if (good) {
		probe = probe_of_curve(options, &c, &e);
		good = probe || !options->n_args;
		if (probe && probe_is_pair(probe))
			c.means_of_all = false;
	}
	if (!good) {
		curve_free(&c);
		return print_failure(&e);
	}
	for (size_t i = 0; i < c.n_notes; i++)
		str_addf(&notes, "%s: %s\n", c.name, c.note[i]);
	print_remarks(options, &notes);
	good = print_curve(options, probe, &c);
	probe_free(probe);
	curve_free(&c);
	return good ? 0 : 2;
}
