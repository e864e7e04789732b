/* hecate calibrate: makes a simulated machine answer probes as another machine does, and names what was at fault. */
#include "cli/commands.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/str.h"
#include "cli/options.h"
#include "cli/own_options.h"
#include "cli/print/print.h"
#include "cli/print/print_calibrate.h"
#include "cli/signals.h"
#include "cli/writing.h"
#include "text/diag.h"
#include "work/calibrate/calibrate.h"
#include "work/calibrate/candidate.h"
#include "work/calibrate/staged.h"
#include "work/probe/probe_machine.h"

static const char import[] = "import:"; /* curves */

#define UOPS 300000u         /* of each program */
#define QUICK_UOPS 20000u    /* of each that nobody asked for */
#define PROGRESS_SECONDS 5.0 /* between two lines of progress */

struct job_of_calibrate {
	const struct options *options;
	struct calibration_names names;
	struct probe_list list;
	struct probe_list installed; /* all that may tell ties apart */
	struct known_answer *truth; /* list.n */
	struct calibration *c;
	struct staged *programs;  /* NULL: none are asked for */
	struct patience patience; /* until Ctrl-C */
	double begun, said;       /* when it began, and reported progress */
};

static bool
cmd_calibrate_go_on(void *ctx)
{
	struct job_of_calibrate *j = ctx;
	double now = clock_seconds();

	if (!j->options->quiet && now - j->said >= PROGRESS_SECONDS) {
		log_line(NULL, "%.0f s so far; Ctrl-C ends it, and what was found is printed", now - j->begun);
		j->said = now;
	}
	return !signals_interrupted();
}

static bool
is_machine(const char *text)
{
	return str_starts(text, "sim:") || str_eq(text, "native");
}

/* The machine that is the truth: it is asked here. */
static bool
ask_truth(struct job_of_calibrate *j, struct err *e)
{
	struct probe_machine *m = probe_machine_new(j->names.truth, NULL, e);
	bool good = m && calibrate_truth(m, &j->list, &j->patience, j->truth, e);

	probe_machine_free(m);
	return good;
}

static void
say_missing(const struct job_of_calibrate *j, const struct str *others)
{
	struct str missing = {0};

	for (size_t i = 0; i < j->list.n; i++)
		if (!j->truth[i].known)
			str_addf(&missing, "%s%s", missing.n ? ", " : "", j->list.probe[i]->name);
	if (missing.n && !j->options->quiet)
		log_line(NULL, "%s has no answer of these probes, which are not compared: %s", j->names.truth,
			str_text(&missing));
	if (others->n && !j->options->quiet)
		log_line(NULL, "%s has answers of probes that are not run here: %s", j->names.truth, str_text(others));
	str_free(&missing);
}

static bool
find_truth(struct job_of_calibrate *j, struct err *e)
{
	struct str others = {0};
	bool good, some = false, curves = str_starts(j->names.truth, import);

	j->truth = mem_new_array(j->list.n + 1, sizeof *j->truth);
	if (is_machine(j->names.truth))
		return ask_truth(j, e);
	good = curves ?
		answers_import(j->names.truth + sizeof import - 1, &j->list, j->truth, &others, e) :
		answers_read(j->names.truth, &j->list, j->truth, &others, e);
	for (size_t i = 0; i < j->list.n && good; i++)
		some |= j->truth[i].known;
	if (good && !some) {
		good = err_set(e, "%s has no answer of a probe that runs here", j->names.truth);
		err_hint(e, curves ? "name the one probe that the curve is of, or give it a line '# probe: NAME'" :
			"hecate probe --list names those that run here");
	} else if (good) {
		say_missing(j, &others);
	}
	str_free(&others);
	return good;
}

/* Writes the machine that fits. */
static bool
write_machine(const struct job_of_calibrate *j, struct err *e)
{
	struct str heading = {0}, text = {0};
	char *file;
	bool good;

	str_addf(&heading, "// hecate calibrate made this of %s by the probes of %s:\n", j->names.a, j->names.truth);
	for (size_t i = 0; i < j->c->n_faults; i++)
		str_addf(&heading, "//   %s: %s, was %s\n", knob_name(j->c->fault[i].knob), j->c->fault[i].after,
			j->c->fault[i].before);
	if (j->c->remaining)
		str_addf(&heading, "// %zu of %zu probes still differ.\n", j->c->remaining, j->c->compared);
	str_addc(&heading, '\n');
	file = candidate_file(j->c->after, str_text(&heading), e);
	good = file != NULL;
	if (good)
		str_add(&text, file);
	good = good && writing_file(j->options->output, &text, e);
	if (good && !j->options->quiet)
		log_line(NULL, "%s: the machine that fits, by %zu of %zu probes", j->options->output,
			j->c->compared - j->c->remaining, j->c->compared);
	free(file);
	str_free(&heading);
	str_free(&text);
	return good;
}

static uint64_t
uops_of(const struct job_of_calibrate *j)
{
	return j->options->accesses ? j->options->accesses : staged_is_quick(j->programs) ? QUICK_UOPS : UOPS;
}

/* Prints the calibration at once, and then the programs, which take longer. */
static bool
cmd_calibrate_report(const struct job_of_calibrate *j, struct err *e)
{
	const struct options *o = j->options;
	const struct calibrate_options *own = o->own;
	struct options plain = *o; /* -o is the machine */
	struct writing out;
	bool good = true;

	plain.output = NULL;
	writing_begin(&out, &plain);
	if (o->json)
		print_calibration_json(&j->names, j->c, &out.json);
	else
		print_calibration(&plain, &j->names, j->c, &out.text);
	if (j->programs && !j->c->cut) {
		good = (o->json || writing_flush(&out.text, e)) &&
			staged_run(j->programs, j->c, j->names.truth, own->gain, uops_of(j), &j->patience, e);
		if (good && o->json)
			print_calibrated_programs_json(j->programs, own->gain, &out.json);
		else if (good)
			print_calibrated_programs(&plain, j->programs, j->c, own->gain, &out.text);
	} else if (!o->json && !j->c->cut) {
		str_addf(&out.text, "Programs run on simulated machines alone, so whether they fit is not known.\n");
	}
	if (o->json)
		json_close(&out.json, '}');
	return writing_end(&out, true) && good;
}

/* Programs that no probe knows, which must not come out worse. */
static bool
take_usual_programs(struct job_of_calibrate *j, struct err *e)
{
	static const char *const usual[] = {"specint-like", "specfp-like"};
	bool good = true;

	j->programs = staged_new(true);
	for (size_t i = 0; i < sizeof usual / sizeof *usual && good; i++)
		good = staged_add_suite(j->programs, usual[i], e);
	return good;
}

static bool
take_programs(struct job_of_calibrate *j, struct err *e)
{
	const struct options *o = j->options;
	const struct calibrate_options *own = o->own;
	bool good = true;

	if (!o->programs.n && !o->suites.n) {
		if (own->gain)
			return err_set(e, "--gain needs programs"), err_hint(e, "for instance: --suite specint-like");
		return !str_starts(j->names.truth, "sim:") || take_usual_programs(j, e);
	}
	if (!str_starts(j->names.truth, "sim:")) {
		err_set(e, "programs run on simulated machines alone, and %s is none", j->names.truth);
		return err_hint(e, "leave out --program and --suite");
	}
	j->programs = staged_new(false);
	for (size_t i = 0; i < o->programs.n && good; i++)
		good = staged_add(j->programs, o->programs.item[i], e);
	for (size_t i = 0; i < o->suites.n && good; i++)
		good = staged_add_suite(j->programs, o->suites.item[i], e);
	return good;
}

static bool
cmd_calibrate_run(struct job_of_calibrate *j, struct err *e)
{
	const struct options *o = j->options;

	if (!find_truth(j, e))
		return false;
	j->c = calibrate(j->names.a, NULL, &j->list, j->truth, &j->patience, e);
	if (!j->c)
		return false;
	if (!j->c->cut && !calibrate_cover(j->c, j->truth, &j->installed, NULL, 0, &j->patience, e))
		return false;
	if (!cmd_calibrate_report(j, e))
		return false;
	if (o->output && j->c->cut)
		return err_set(e, "%s was not written, because the calibration was stopped", o->output);
	if (o->output && j->programs && staged_got_worse(j->programs)) {
		err_set(e, "%s was not written, because programs come out worse on the machine that fits the probes",
			o->output);
		return err_hint(e, "compare by more probes, or leave out -o to see what was found");
	}
	return !o->output || write_machine(j, e);
}

/* Refuses what cannot be calibrated, before anything runs. */
static bool
cmd_calibrate_is_complete(const struct options *o, struct err *e)
{
	if (o->n_args < 2) {
		err_set(e, "calibrate needs two machines: the simulated one, and the truth");
		return err_hint(e, "for instance: hecate calibrate sim:core sim:./other.machine, native, import:FILE, "
			"or a document of hecate probe --json");
	}
	if (o->output && access(o->output, F_OK) == 0) {
		err_set(e, "%s exists already, but -o makes a new machine file", o->output);
		return err_hint(e, "give another name, or remove it first");
	}
	return writing_can(o->output, e);
}

int
cmd_calibrate(const struct options *o)
{
	struct job_of_calibrate j = {.options = o};
	struct signals signals;
	struct diags d = {0};
	struct err e = {0};
	bool good = cmd_calibrate_is_complete(o, &e);

	j.begun = j.said = clock_seconds();
	j.patience = (struct patience){cmd_calibrate_go_on, &j};
	if (good) {
		struct candidate *a;

		j.names = (struct calibration_names){o->arg[0], o->arg[1]};
		good = probe_list_load(&j.list, o->n_args > 2 ? o->arg + 2 : NULL, o->n_args - 2, &d, &e);
		good = good && probe_list_load(&j.installed, NULL, 0, &d, &e);
		print_diagnostics(o, &d);
		a = good ? candidate_new(j.names.a, NULL, &j.list, &e) : NULL;
		good = a && take_programs(&j, &e);
		candidate_free(a);
	}
	if (good && str_eq(j.names.a, j.names.truth) && !o->json && !o->output) {
		if (!o->quiet)
			log_line(NULL, "both machines are %s: there is nothing to do", j.names.a);
	} else if (good) {
		signals_hold(&signals);
		good = cmd_calibrate_run(&j, &e);
		signals_let_go(&signals);
	}
	if (!good && *e.what)
		print_failure(&e);
	staged_free(j.programs);
	calibrate_free(j.c);
	free(j.truth);
	probe_list_free(&j.list);
	probe_list_free(&j.installed);
	diags_free(&d);
	signals_obey();
	return good ? 0 : 2;
}
