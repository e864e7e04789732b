#include "cli/specified.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "app/files.h"
#include "app/spec_run.h"
#include "app/stall_run.h"
#include "app/texts.h"
#include "base/err.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/str.h"
#include "base/utf8.h"
#include "cli/options.h"
#include "cli/work.h"
#include "core/lang/diag.h"

/* Do the options fit beside it? */
static bool
fits(const struct options *o)
{
	struct err e = {0};

	if (o->argv) {
		err_set(&e, "--spec %s says what is run, and %s is a command to run too", o->spec, o->argv[0]);
		err_hint(&e, "give one of the two");
	} else if (o->pids || o->tids) {
		err_set(&e, "--spec %s runs its programs, and %s watches what runs already", o->spec, o->pids ? "-p" : "-t");
		err_hint(&e, "-a and -C watch CPUs while they run");
	} else if (o->runs > 1) {
		err_set(&e, "-r repeats a command; a specification says how often each program runs: times N;");
	} else if (o->samples) {
		err_set(&e, "--samples: a profile of a specification ends with its programs, or after --duration S");
	} else {
		return true;
	}
	return work_fail(&e), false;
}

static bool
take_options(const struct options *o, struct profile_spec *s)
{
	struct err e = {0};

	if (o->duration > 0)
		s->duration = o->duration;
	if (o->interval && s->mode == SPEC_AGGREGATED) {
		err_set(&e, "-I asks for samples, and the profile of %s is aggregated", o->spec);
		err_hint(&e, "mode continuous; has a snapshot for each interval");
		return work_fail(&e), false;
	}
	if (o->interval)
		s->granularity = (double)o->interval / 1e3;
	if (s->granularity <= SPEC_GRANULARITY_MOST)
		return true;
	err_set(&e, "-I: a profile looks at least once an hour");
	return work_fail(&e), false;
}

struct profile_spec *
specified_load(const struct options *o, bool *good)
{
	struct diags d = {0};
	struct err e = {0};
	struct profile_spec *s = NULL;
	size_t n;
	char *text;

	*good = true;
	if (!o->spec)
		return NULL;
	*good = false;
	if (!fits(o))
		return NULL;
	text = file_read(o->spec, SPEC_FILE_MAX, &n, &e);
	if (!text)
		return work_fail(&e), NULL;
	s = spec_parse(mem_str(o->spec), text, n, &d);
	work_say_diagnostics(o, &d);
	diags_free(&d);
	if (s && !take_options(o, s)) {
		spec_free(s);
		s = NULL;
	}
	*good = s != NULL;
	return s;
}

bool
specified_counts(const struct profile_spec *s, struct stack *const *stack, size_t n)
{
	struct err e = {0};

	if (!s || !stall_run_serves(stack, n))
		return true;
	err_set(&e, "the time of tasks is divided for one command or for what runs already, not for the programs of a specification");
	err_hint(&e, "beside the profile: hecate stack stall-sources -a --duration S");
	return work_fail(&e), false;
}

static bool
is_same_file(const char *a, const char *b)
{
	struct stat x, y;

	return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

const char *
specified_choose(const char *argument, const char *named, const char *what)
{
	struct err e = {0};

	if (argument && named && !str_eq(argument, named) && !is_same_file(argument, named)) {
		err_set(&e, "the specification names the %s %s, and the argument is %s", what, named, argument);
		err_hint(&e, "leave one of them out");
		return work_fail(&e), NULL;
	}
	if (argument || named)
		return argument ? argument : named;
	err_set(&e, "the specification names no %s, and there is no argument", what);
	err_hint(&e, "%s NAME; in the file, or NAME as the first argument", what);
	return work_fail(&e), NULL;
}

/* The one that stands for what was asked for; of several stacks the same, if it is among them. */
static const char *
named_of(const struct profile_spec *s, enum session_text kind, const char *asked)
{
	switch (kind) {
	case SESSION_MODEL:
		return s->model;
	case SESSION_NETWORK:
		return s->network;
	case SESSION_STACK:
		for (size_t i = 0; i < s->n_stacks; i++)
			if (str_eq(s->stack[i], asked))
				return asked;
		return s->n_stacks ? s->stack[0] : NULL;
	}
	return NULL;
}

const char *
specified_subject(const struct profile_spec *s, const char *asked)
{
	size_t n = s->n_stacks + (s->network != NULL) + (s->model != NULL);
	enum session_text kind;
	struct err e = {0};

	if (asked) {
		if (!text_kind_of(asked, &kind, &e))
			return work_fail(&e), NULL;
		return specified_choose(asked, named_of(s, kind, asked), text_word(kind));
	}
	if (n == 1)
		return s->network ? s->network : s->model ? s->model : s->stack[0];
	err_set(&e, "the specification names %zu things to be counted, and a session file is of one", n);
	err_hint(&e, "choose it: -m %s", s->network ? s->network : s->n_stacks ? s->stack[0] : "NAME");
	return work_fail(&e), NULL;
}

char *
specified_stacks(const struct profile_spec *s)
{
	struct str all = {0};

	for (size_t i = 0; i < s->n_stacks; i++)
		str_addf(&all, "%s%s", i ? "," : "", s->stack[i]);
	return s->n_stacks ? str_take(&all) : NULL;
}

bool
specified_wants(const struct profile_spec *s, enum spec_statistic w)
{
	return !s->report_given || s->report[w];
}

/* --- how it went -------------------------------------------------------------------------------------------------------------------------- */

static const char *
ending_word(enum live_ending e)
{
	switch (e) {
	case LIVE_ENDED:
		return "end";
	case LIVE_SAMPLES:
		return "samples";
	case LIVE_DURATION:
		return "duration";
	case LIVE_ASKED:
		return "interrupt";
	case LIVE_FULL:
		return "full";
	}
	return "end";
}

static void
add_safe(struct str *out, const char *text)
{
	utf8_add_visible(out, text, strlen(text));
}

static void
add_numbers(struct str *out, const struct spec_numbers *n)
{
	for (size_t i = 0; i < n->n; i++) {
		size_t last = i;

		while (last + 1 < n->n && n->at[last + 1] == n->at[last] + 1)
			last++;
		str_addf(out, "%s%d", i ? "," : "", n->at[i]);
		if (last > i)
			str_addf(out, "-%d", n->at[last]);
		i = last;
	}
}

static void
tell_program(const struct spec_run *r, size_t i, uint64_t from_ns, struct str *out)
{
	const struct program *p = programs_at(spec_run_programs(r), i);
	const struct spec_program *of = p->of;
	struct str name = {0};

	spec_run_name(r, i, &name);
	str_add(out, "  ");
	add_safe(out, str_text(&name));
	str_free(&name);
	if (of->cores.n)
		str_add(out, of->cores.n > 1 ? ", CPUs " : ", CPU "), add_numbers(out, &of->cores);
	if (of->nodes.n)
		str_addf(out, ", memory %s ", spec_memory_name(of->memory)), add_numbers(out, &of->nodes);
	if (p->state == PROGRAM_READY) {
		str_add(out, ": never begun\n");
		return;
	}
	str_addf(out, ": begun at %.4g s", (double)(p->begun_ns - from_ns) / 1e9);
	if (p->state == PROGRAM_ENDED)
		str_addf(out, ", ran %.4g s", (double)(p->end.at_ns - p->begun_ns) / 1e9);
	if (p->state == PROGRAM_ENDED && p->end.known && WIFSIGNALED(p->end.status))
		str_addf(out, ", ended by signal %d (%s)", WTERMSIG(p->end.status), strsignal(WTERMSIG(p->end.status)));
	else if (p->state == PROGRAM_ENDED && p->end.known && WEXITSTATUS(p->end.status))
		str_addf(out, ", ended with status %d", WEXITSTATUS(p->end.status));
	str_add(out, of->background ? ", in the background\n" : "\n");
}

/* When the first began: times of programs are told from there. */
static uint64_t
beginning(const struct spec_run *r)
{
	const struct programs *p = spec_run_programs(r);
	uint64_t first = UINT64_MAX;

	for (size_t i = 0; i < programs_n(p); i++) {
		const struct program *g = programs_at(p, i);

		if (g->begun_ns && g->begun_ns - (uint64_t)(g->of->delay * 1e9) < first)
			first = g->begun_ns - (uint64_t)(g->of->delay * 1e9);
	}
	return first;
}

static void
tell_limits(const struct profile_spec *s, const struct spec_run_state *t, struct str *out)
{
	if (s->mode == SPEC_AGGREGATED)
		str_add(out, "aggregated: one snapshot of all of it\n");
	else if (!t->looks)
		str_addf(out, "it was over before the first look, after %.4g s\n", s->granularity);
	else
		str_addf(out, "%zu looks; asked for every %.4g s, kept every %.4g s on average, %.4g s at most%s\n", t->looks, s->granularity, t->interval, t->longest,
		         t->missed ? ", and some came late" : "");
	str_addf(out, "hecate itself took %.2g %% of a CPU", t->processor * 100);
	if (s->processor > 0)
		str_addf(out, " (limit %.4g %%: %s)", s->processor * 100, t->processor_kept ? "kept" : "not kept");
	str_addf(out, " and %.3g MiB of memory", t->memory / 0x1p20);
	if (s->memory > 0)
		str_addf(out, " (limit %.4g MiB: %s)", s->memory / 0x1p20, t->memory_kept ? "kept" : "not kept");
	str_addc(out, '\n');
}

void
specified_tell(const struct profile_spec *s, const struct spec_run *r, const bool *told, struct str *out)
{
	struct spec_run_state t;
	bool some = false;

	spec_run_state(r, &t);
	str_add(out, "profile ");
	add_safe(out, s->name);
	if (s->text && *s->text)
		str_add(out, ": "), add_safe(out, s->text);
	str_addf(out, "\n%.4g s%s\n", t.seconds, t.ending == LIVE_DURATION ? ", its duration" : t.ending == LIVE_ASKED ? ", ended early" : ", to the end of its programs");
	for (size_t i = 0; i < programs_n(spec_run_programs(r)); i++)
		tell_program(r, i, beginning(r), out);
	tell_limits(s, &t, out);
	for (int i = 0; i < SPEC_STATISTICS; i++)
		if (told && s->report_given && s->report[i] && !told[i])
			str_addf(out, "%s%s", some ? ", " : "not told here, though the report is to have it: ", spec_statistic_name((enum spec_statistic)i)), some = true;
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
write_program(struct json_writer *w, const struct spec_run *r, size_t i, uint64_t from_ns)
{
	const struct program *p = programs_at(spec_run_programs(r), i);
	bool ended = p->state == PROGRAM_ENDED, known = ended && p->end.known;
	struct str name = {0};

	spec_run_name(r, i, &name);
	json_open(w, NULL, '{');
	json_str(w, "name", str_text(&name));
	json_str(w, "text", p->of->text);
	json_open(w, "argv", '[');
	for (size_t k = 0; k < p->of->n_args; k++)
		json_str(w, NULL, p->of->argv[k]);
	json_close(w, ']');
	write_numbers(w, "cores", &p->of->cores);
	json_str(w, "memory", p->of->nodes.n ? spec_memory_name(p->of->memory) : NULL);
	write_numbers(w, "nodes", &p->of->nodes);
	json_bool(w, "background", p->of->background);
	json_num(w, "begun", p->begun_ns ? (double)(p->begun_ns - from_ns) / 1e9 : NAN);
	json_num(w, "seconds", ended ? (double)(p->end.at_ns - p->begun_ns) / 1e9 : NAN);
	if (known && WIFEXITED(p->end.status))
		json_int(w, "exit", WEXITSTATUS(p->end.status));
	else
		json_null(w, "exit");
	if (known && WIFSIGNALED(p->end.status))
		json_int(w, "signal", WTERMSIG(p->end.status));
	else
		json_null(w, "signal");
	json_close(w, '}');
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
specified_json(struct json_writer *w, const struct profile_spec *s, const struct spec_run *r, const bool *told)
{
	bool continuous = s->mode == SPEC_CONTINUOUS;
	struct spec_run_state t;

	spec_run_state(r, &t);
	json_open(w, "profile", '{');
	json_str(w, "name", s->name);
	json_str(w, "text", s->text);
	json_str(w, "mode", continuous ? "continuous" : "aggregated");
	json_num(w, "seconds", t.seconds);
	json_str(w, "ended_by", ending_word(t.ending));
	json_open(w, "programs", '[');
	for (size_t i = 0; i < programs_n(spec_run_programs(r)); i++)
		write_program(w, r, i, beginning(r));
	json_close(w, ']');
	json_num(w, "granularity", continuous ? s->granularity : NAN);
	json_int(w, "looks", (int64_t)t.looks);
	json_int(w, "missed", (int64_t)t.missed);
	json_num(w, "interval", t.looks ? t.interval : NAN);
	json_num(w, "longest", t.looks ? t.longest : NAN);
	write_limit(w, "processor", t.processor, s->processor, t.processor_kept);
	write_limit(w, "own_memory", t.memory, s->memory, t.memory_kept);
	json_open(w, "not_told", '[');
	for (int i = 0; i < SPEC_STATISTICS; i++)
		if (told && s->report_given && s->report[i] && !told[i])
			json_str(w, NULL, spec_statistic_name((enum spec_statistic)i));
	json_close(w, ']');
	json_close(w, '}');
}
