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
say_missing(const struct job_of_calibrate *calibrate, const struct str *others)
{
	struct str missing = {0};

	for (size_t i = 0; i < calibrate->list.n; i++)
		if (!calibrate->truth[i].known)
			str_addf(&missing, "%s%s", missing.n ? ", " : "", calibrate->list.probe[i]->name);
	if (missing.n && !calibrate->options->quiet)
		log_line(NULL, "%s has no answer of these probes, which are not compared: %s", calibrate->names.truth,
			str_text(&missing));
	if (others->n && !calibrate->options->quiet)
		log_line(NULL, "%s has answers of probes that are not run here: %s", calibrate->names.truth,
			str_text(others));
	str_free(&missing);
}

static bool
find_truth(struct job_of_calibrate *calibrate, struct err *e)
{
	struct str others = {0};
	bool good, some = false, curves = str_starts(calibrate->names.truth, import);

	calibrate->truth = mem_new_array(calibrate->list.n + 1, sizeof *calibrate->truth);
	if (is_machine(calibrate->names.truth))
		return ask_truth(calibrate, e);
	good = curves ? answers_import(calibrate->names.truth + sizeof import - 1, &calibrate->list, calibrate->truth,
				&others, e)
		      : answers_read(calibrate->names.truth, &calibrate->list, calibrate->truth, &others, e);
	for (size_t i = 0; i < calibrate->list.n && good; i++)
		some |= calibrate->truth[i].known;
	if (good && !some) {
		good = err_set(e, "%s has no answer of a probe that runs here", calibrate->names.truth);
		err_hint(e, curves ? "name the one probe that the curve is of, or give it a line '# probe: NAME'" :
			"hecate probe --list names those that run here");
	} else if (good) {
		say_missing(calibrate, &others);
	}
	str_free(&others);
	return good;
}

/* Writes the machine that fits. */
static bool
write_machine(const struct job_of_calibrate *calibrate, struct err *e)
{
	struct str heading = {0}, text = {0};
	char *file;
	bool good;

	str_addf(&heading, "// hecate calibrate made this of %s by the probes of %s:\n", calibrate->names.a,
		calibrate->names.truth);
	for (size_t i = 0; i < calibrate->c->n_faults; i++)
		str_addf(&heading, "//   %s: %s, was %s\n", knob_name(calibrate->c->fault[i].knob),
			calibrate->c->fault[i].after, calibrate->c->fault[i].before);
	if (calibrate->c->remaining)
		str_addf(&heading, "// %zu of %zu probes still differ.\n", calibrate->c->remaining,
			calibrate->c->compared);
	str_addc(&heading, '\n');
	file = candidate_file(calibrate->c->after, str_text(&heading), e);
	good = file != NULL;
	if (good)
		str_add(&text, file);
	good = good && writing_file(calibrate->options->output, &text, e);
	if (good && !calibrate->options->quiet)
		log_line(NULL, "%s: the machine that fits, by %zu of %zu probes", calibrate->options->output,
			calibrate->c->compared - calibrate->c->remaining, calibrate->c->compared);
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
cmd_calibrate_report(const struct job_of_calibrate *calibrate, struct err *e)
{
	const struct options *options = calibrate->options;
	const struct calibrate_options *own = options->own;
	struct options plain = *options; /* -o is the machine */
	struct writing out;
	bool good = true;

	plain.output = NULL;
	writing_begin(&out, &plain);
	if (options->json)
		print_calibration_json(&calibrate->names, calibrate->c, &out.json);
	else
		print_calibration(&plain, &calibrate->names, calibrate->c, &out.text);
	if (calibrate->programs && !calibrate->c->cut) {
		good = (options->json || writing_flush(&out.text, e)) &&
			staged_run(calibrate->programs, calibrate->c, calibrate->names.truth, own->gain,
				uops_of(calibrate), &calibrate->patience, e);
		if (good && options->json)
			print_calibrated_programs_json(calibrate->programs, own->gain, &out.json);
		else if (good)
			print_calibrated_programs(&plain, calibrate->programs, calibrate->c, own->gain, &out.text);
	} else if (!options->json && !calibrate->c->cut) {
		str_addf(&out.text, "Programs run on simulated machines alone, so whether they fit is not known.\n");
	}
	if (options->json)
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
take_programs(struct job_of_calibrate *calibrate, struct err *e)
{
	const struct options *options = calibrate->options;
	const struct calibrate_options *own = options->own;
	bool good = true;

	if (!options->programs.n && !options->suites.n) {
		if (own->gain)
			return err_set(e, "--gain needs programs"), err_hint(e, "for instance: --suite specint-like");
		return !str_starts(calibrate->names.truth, "sim:") || take_usual_programs(calibrate, e);
	}
	if (!str_starts(calibrate->names.truth, "sim:")) {
		err_set(e, "programs run on simulated machines alone, and %s is none", calibrate->names.truth);
		return err_hint(e, "leave out --program and --suite");
	}
	calibrate->programs = staged_new(false);
	for (size_t i = 0; i < options->programs.n && good; i++)
		good = staged_add(calibrate->programs, options->programs.item[i], e);
	for (size_t i = 0; i < options->suites.n && good; i++)
		good = staged_add_suite(calibrate->programs, options->suites.item[i], e);
	return good;
}

static bool
cmd_calibrate_run(struct job_of_calibrate *job_of_calibrate, struct err *e)
{
	const struct options *options = job_of_calibrate->options;

	if (!find_truth(job_of_calibrate, e))
		return false;
	job_of_calibrate->c = calibrate(job_of_calibrate->names.a, NULL, &job_of_calibrate->list,
		job_of_calibrate->truth, &job_of_calibrate->patience, e);
	if (!job_of_calibrate->c)
		return false;
	if (!job_of_calibrate->c->cut &&
		!calibrate_cover(job_of_calibrate->c, job_of_calibrate->truth, &job_of_calibrate->installed, NULL, 0,
			&job_of_calibrate->patience, e))
		return false;
	if (!cmd_calibrate_report(job_of_calibrate, e))
		return false;
	if (options->output && job_of_calibrate->c->cut)
		return err_set(e, "%s was not written, because the calibration was stopped", options->output);
	if (options->output && job_of_calibrate->programs && staged_got_worse(job_of_calibrate->programs)) {
		err_set(e, "%s was not written, because programs come out worse on the machine that fits the probes",
			options->output);
		return err_hint(e, "compare by more probes, or leave out -o to see what was found");
	}
	return !options->output || write_machine(job_of_calibrate, e);
}

/* Refuses what cannot be calibrated, before anything runs. */
static bool
cmd_calibrate_is_complete(const struct options *options, struct err *e)
{
	if (options->n_args < 2) {
		err_set(e, "calibrate needs two machines: the simulated one, and the truth");
		return err_hint(e, "for instance: hecate calibrate sim:core sim:./other.machine, native, import:FILE, "
			"or a document of hecate probe --json");
	}
	if (options->output && access(options->output, F_OK) == 0) {
		err_set(e, "%s exists already, but -o makes a new machine file", options->output);
		return err_hint(e, "give another name, or remove it first");
	}
	return writing_can(options->output, e);
}

int
cmd_calibrate(const struct options *options)
{
	struct job_of_calibrate j = {.options = options};
	struct signals signals;
	struct diags d = {0};
	struct err e = {0};
	bool good = cmd_calibrate_is_complete(options, &e);

	j.begun = j.said = clock_seconds();
	j.patience = (struct patience){cmd_calibrate_go_on, &j};
	if (good) {
		struct candidate *candidate;

		j.names = (struct calibration_names){options->arg[0], options->arg[1]};
		good = probe_list_load(
			&j.list, options->n_args > 2 ? options->arg + 2 : NULL, options->n_args - 2, &d, &e);
		good = good && probe_list_load(&j.installed, NULL, 0, &d, &e);
		print_diagnostics(options, &d);
		candidate = good ? candidate_new(j.names.a, NULL, &j.list, &e) : NULL;
		good = candidate && take_programs(&j, &e);
		candidate_free(candidate);
	}
	if (good && str_eq(j.names.a, j.names.truth) && !options->json && !options->output) {
		if (!options->quiet)
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
