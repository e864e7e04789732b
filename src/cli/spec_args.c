#include "cli/spec_args.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "base/err.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/shell.h"
#include "base/str.h"
#include "cli/options.h"
#include "cli/print/print.h"
#include "text/diag.h"
#include "work/files/files.h"
#include "work/files/recording.h"
#include "work/files/texts.h"
#include "work/run/spec_run.h"

/* True when the other options fit to --spec. */
static bool
spec_args_fits(const struct options *options)
{
	struct err e = {0};

	if (options->argv) {
		err_set(&e, "--spec %s says what is run, and %s is a command to run too", options->spec,
			options->argv[0]);
		err_hint(&e, "give one of the two");
	} else if (options->pids || options->tids) {
		err_set(&e, "--spec %s runs its programs, and %s watches what runs already", options->spec,
			options->pids ? "-p" : "-t");
		err_hint(&e, "-a and -C watch CPUs while they run");
	} else if (options->runs > 1) {
		err_set(&e, "-r repeats a command; a specification says how often each program runs: times N;");
	} else if (options->samples) {
		err_set(&e, "--samples: a profile of a specification ends with its programs, or after --duration S");
	} else {
		return true;
	}
	return print_failed(&e);
}

static bool
take_options(const struct options *options, struct profile_spec *spec)
{
	struct err e = {0};

	if (options->duration > 0)
		spec->duration = options->duration;
	if (options->interval && spec->mode == SPEC_AGGREGATED) {
		err_set(&e, "-I asks for samples, and the profile of %s is aggregated", options->spec);
		err_hint(&e, "mode continuous; has a snapshot for each interval");
		return print_failed(&e);
	}
	if (options->interval)
		spec->granularity = (double)options->interval / 1e3;
	if (spec->granularity <= SPEC_GRANULARITY_MOST)
		return true;
	err_set(&e, "-I: a profile takes at least one sample an hour");
	return print_failed(&e);
}

struct profile_spec *
spec_args_load(const struct options *options, bool *good)
{
	struct diags d = {0};
	struct err e = {0};
	struct profile_spec *spec = NULL;
	size_t n;
	char *text;

	*good = true;
	if (!options->spec)
		return NULL;
	*good = false;
	if (!spec_args_fits(options))
		return NULL;
	text = file_read(options->spec, SPEC_FILE_MAX, &n, &e);
	if (!text)
		return print_failure(&e), NULL;
	spec = spec_parse(mem_str(options->spec), text, n, &d);
	print_diagnostics(options, &d);
	diags_free(&d);
	if (spec && !take_options(options, spec)) {
		spec_free(spec);
		spec = NULL;
	}
	*good = spec != NULL;
	return spec;
}

bool
spec_args_fit(const struct profile_spec *s, bool tasks, bool watches)
{
	struct err e = {0};

	if (!s || !tasks || !watches)
		return true;
	err_set(&e,
		"-a and -C watch CPUs, but the time of tasks is divided for the programs of a specification, or for "
		"the machine");
	err_hint(&e, "without -a and -C it is that of the programs; of the machine: hecate stack stall-sources -a");
	return print_failed(&e);
}

static bool
is_same_file(const char *a, const char *b)
{
	struct stat x, y;

	return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

const char *
spec_args_choose(const char *argument, const char *named, const char *what)
{
	struct err e = {0};

	if (argument && named && !str_eq(argument, named) && !is_same_file(argument, named)) {
		err_set(&e, "the specification names the %s %s, and the argument is %s", what, named, argument);
		err_hint(&e, "leave one of them out");
		return print_failure(&e), NULL;
	}
	if (argument || named)
		return argument ? argument : named;
	err_set(&e, "the specification names no %s, and there is no argument", what);
	err_hint(&e, "%s NAME; in the file, or NAME as the first argument", what);
	return print_failure(&e), NULL;
}

/* The file's model, network or stack for this kind; of several stacks the one asked for, if it is among them. */
static const char *
named_of(const struct profile_spec *spec, enum text_kind kind, const char *asked)
{
	switch (kind) {
	case TEXT_MODEL:
		return spec->model;
	case TEXT_NETWORK:
		return spec->network;
	case TEXT_STACK:
		for (size_t i = 0; i < spec->n_stacks; i++)
			if (str_eq(spec->stack[i], asked))
				return asked;
		return spec->n_stacks ? spec->stack[0] : NULL;
	}
	return NULL;
}

const char *
spec_args_subject(const struct profile_spec *spec, const char *asked)
{
	size_t n = spec->n_stacks + (spec->network != NULL) + (spec->model != NULL);
	enum text_kind kind;
	struct err e = {0};

	if (asked) {
		if (!text_kind_of(asked, &kind, &e))
			return print_failure(&e), NULL;
		return spec_args_choose(asked, named_of(spec, kind, asked), text_word(kind));
	}
	if (n == 1)
		return spec->network ? spec->network : spec->model ? spec->model : spec->stack[0];
	err_set(&e, "the specification names %zu things to be counted, and a session file is of one", n);
	err_hint(&e, "choose it: -m %s", spec->network ? spec->network : spec->n_stacks ? spec->stack[0] : "NAME");
	return print_failure(&e), NULL;
}

char *
spec_args_stacks(const struct profile_spec *s)
{
	struct str all = {0};

	for (size_t i = 0; i < s->n_stacks; i++)
		str_addf(&all, "%s%s", i ? "," : "", s->stack[i]);
	return s->n_stacks ? str_take(&all) : NULL;
}

bool
spec_args_want(const struct profile_spec *s, enum spec_statistic w)
{
	return !s->report_given || s->report[w];
}

bool
spec_args_allow(const struct profile_spec *spec, const char *argument)
{
	char **part = recording_is(argument) ? NULL : str_split(argument, ',', NULL);
	enum text_kind kind;
	struct err e = {0};
	bool good = true;

	if (part && text_kind_of(argument, &kind, &e)) /* a name with a comma is one name */
		good = spec_args_choose(argument, named_of(spec, kind, argument), text_word(kind)) != NULL;
	else
		for (size_t i = 0; part && part[i] && good; i++)
			if (*part[i] && text_kind_of(part[i], &kind, &e))
				good = spec_args_choose(part[i], named_of(spec, kind, part[i]), text_word(kind)) !=
					NULL;
	str_split_free(part);
	return good;
}

char **
spec_args_open(const struct profile_spec *spec, size_t *n)
{
	char **name = NULL;
	struct err e = {0};

	*n = 0;
	if (spec->model && (spec->network || spec->n_stacks)) {
		err_set(&e, "the specification names a model and a %s, and the explorer opens one of the two",
			spec->network ? "network" : "stack");
		shell_hint(&e, "choose it: hecate %s --spec FILE", spec->model);
		return print_failure(&e), NULL;
	}
	name = mem_new_array(spec->n_stacks + 2, sizeof *name);
	if (spec->model || spec->network)
		name[(*n)++] = mem_str(spec->model ? spec->model : spec->network);
	for (size_t i = 0; i < spec->n_stacks; i++)
		name[(*n)++] = mem_str(spec->stack[i]);
	return name;
}

/* --- how it went ------------------------------------------------------------------------------------------------- */

void
spec_args_report(const struct profile_spec *spec, struct run *run, const bool *reported, struct str *out)
{
	const struct spec_run *spec_run = run_as_spec(run);
	bool some = false;

	spec_run_report_programs(spec_run, out);
	spec_run_report_limits(spec_run, out);
	for (int i = 0; i < SPEC_STATISTICS; i++)
		if (reported && spec->report_given && spec->report[i] && !reported[i])
			str_addf(out, "%s%s", some ? ", " : "not reported here, although the report is to have it: ",
				spec_statistic_name((enum spec_statistic)i)),
				some = true;
	str_add(out, some ? "\n\n" : "\n");
}

static void
write_numbers(struct json_writer *w, const char *key, const struct spec_numbers *n)
{
	json_open(w, key, '[');
	for (size_t i = 0; i < n->n; i++)
		json_int(w, NULL, n->at[i]);
	json_close(w, ']');
}

static void
write_program(struct json_writer *writer, const struct spec_run *run, size_t i, uint64_t from_ns)
{
	const struct program *program = programs_at(spec_run_programs(run), i);
	bool ended = program->state == PROGRAM_ENDED, known = ended && program->end.known;
	struct str name = {0};

	programs_name(spec_run_programs(run), i, &name);
	json_open(writer, NULL, '{');
	json_str(writer, "name", str_text(&name));
	json_str(writer, "text", program->of->text);
	json_open(writer, "argv", '[');
	for (size_t k = 0; k < program->of->n_args; k++)
		json_str(writer, NULL, program->of->argv[k]);
	json_close(writer, ']');
	write_numbers(writer, "cores", &program->of->cores);
	json_str(writer, "memory", program->of->nodes.n ? spec_memory_name(program->of->memory) : NULL);
	write_numbers(writer, "nodes", &program->of->nodes);
	json_bool(writer, "background", program->of->background);
	json_num(writer, "begun", program->begun_ns ? (double)(program->begun_ns - from_ns) / 1e9 : NAN);
	json_num(writer, "seconds", ended ? (double)(program->end.at_ns - program->begun_ns) / 1e9 : NAN);
	if (known && WIFEXITED(program->end.status))
		json_int(writer, "exit", WEXITSTATUS(program->end.status));
	else
		json_null(writer, "exit");
	if (known && WIFSIGNALED(program->end.status))
		json_int(writer, "signal", WTERMSIG(program->end.status));
	else
		json_null(writer, "signal");
	json_close(writer, '}');
	str_free(&name);
}

static void
write_limit(struct json_writer *w, const char *key, double taken, double limit, bool kept)
{
	json_open(w, key, '{');
	json_num(w, "taken", taken);
	json_num(w, "limit", limit > 0 ? limit : NAN);
	if (limit > 0)
		json_bool(w, "kept", kept);
	else
		json_null(w, "kept");
	json_close(w, '}');
}

void
spec_args_json(struct json_writer *writer, const struct profile_spec *spec, struct run *run, const bool *reported)
{
	const struct spec_run *spec_run = run_as_spec(run);
	bool continuous = spec->mode == SPEC_CONTINUOUS;
	struct spec_run_state t;

	spec_run_state(spec_run, &t);
	json_open(writer, "profile", '{');
	json_str(writer, "name", spec->name);
	json_str(writer, "text", spec->text);
	json_str(writer, "mode", continuous ? "continuous" : "aggregated");
	json_num(writer, "seconds", t.seconds);
	json_str(writer, "ended_by", run_ending_word(t.ending));
	json_open(writer, "programs", '[');
	for (size_t i = 0; i < programs_n(spec_run_programs(spec_run)); i++)
		write_program(writer, spec_run, i, spec_run_beginning(spec_run));
	json_close(writer, ']');
	json_num(writer, "granularity", continuous ? spec->granularity : NAN);
	json_int(writer, "looks", (int64_t)t.looks);
	json_int(writer, "missed", (int64_t)t.missed);
	json_num(writer, "interval", t.looks ? t.interval : NAN);
	json_num(writer, "longest", t.looks ? t.longest : NAN);
	write_limit(writer, "processor", t.processor, spec->processor, t.processor_kept);
	write_limit(writer, "own_memory", t.memory, spec->memory, t.memory_kept);
	json_open(writer, "not_told", '[');
	for (int i = 0; i < SPEC_STATISTICS; i++)
		if (reported && spec->report_given && spec->report[i] && !reported[i])
			json_str(writer, NULL, spec_statistic_name((enum spec_statistic)i));
	json_close(writer, ']');
	json_close(writer, '}');
}
