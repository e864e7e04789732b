#include "work/run/spec_parts.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/names.h"
#include "base/str.h"
#include "collect/process/programs.h"
#include "core/spec/spec.h"
#include "work/run/counter_list.h"
#include "work/run/counters_run.h"
#include "work/run/spec_run.h"
#include "work/run/spec_table.h"

struct part {
	struct counters_run *live;
	size_t program;  /* its number; SPEC_PARTS_MACHINE */
	bool samples;    /* rows come one by one; false: its only row is its totals */
};

struct spec_parts {
	const struct spec_run_options *opt;
	struct programs *programs;
	struct source_keep *keep;
	struct part *part;
	size_t n;
	bool whole;              /* one observation is of all programs together */
	struct spec_table *table;
	struct err machine_why;  /* why counters of the machine are not counted */
};

/* True when a process can have this count; otherwise the machine has it, and it is counted once. */
static bool
is_of_process(enum scope s)
{
	switch (s) {
	case SCOPE_TASK:
	case SCOPE_THREAD:
	case SCOPE_CORE:
		return true;
	case SCOPE_SLICE:
	case SCOPE_CHANNEL:
	case SCOPE_SOCKET:
	case SCOPE_DEVICE:
	case SCOPE_SYSTEM:
	case SCOPES:
		break;
	}
	return false;
}

enum share { ALL, OF_PROCESSES, OF_MACHINE };

/* Which counters a part opens: a model's are all of the process. NULL and *e: a name that was picked is unknown; *some:
 * there are any. */
static bool *
spec_parts_choose(const char *picked, const struct counter_list *list, enum share which, bool *some, struct err *e)
{
	bool *chosen = picked ? counter_list_pick(list, picked, e) : mem_new_array(list->n, sizeof *chosen);

	*some = false;
	for (size_t i = 0; chosen && i < list->n; i++) {
		chosen[i] = (!picked || chosen[i]) &&
			(which == ALL || list->kind == TEXT_MODEL ||
				is_of_process(list->counter[i].scope) == (which == OF_PROCESSES));
		*some |= chosen[i] && !list->counter[i].why;
	}
	return chosen;
}

/* The interval of rows, ms. In aggregated mode processes have exact totals, and CPUs one row at the end. */
static unsigned
interval_of(const struct spec_run_options *o, bool machine)
{
	return o->spec->mode == SPEC_AGGREGATED && !machine ? 0 : spec_interval_ms(o->spec);
}

/* Adds the name of an observation, with "#2" after it in the second run. */
static void
spec_parts_add_name(const struct spec_parts *r, size_t program, struct str *out)
{
	if (program == SPEC_PARTS_MACHINE)
		str_add(out, r->opt->spec->name);
	else
		programs_name(r->programs, program, out);
	if (r->opt->again > 1)
		str_addf(out, "#%u", r->opt->again);
}

/* Adds a part that is not open yet. True, with *made NULL, when it would count nothing. */
static bool
make_part(struct spec_parts *parts, size_t program, enum share which, struct run **made, struct err *e)
{
	static const struct source_target machine = {.kind = SOURCE_CPUS};
	const struct spec_run_options *options = parts->opt;
	bool of_machine = program == SPEC_PARTS_MACHINE, some = false;
	struct counters_run_options how = {
		.ops = options->ops, .keep = parts->keep, .by_hand = true, .out_fd = -1, .err_fd = -1,
		.interval_ms = interval_of(options, of_machine), .folds = options->folds, .peeked = options->peeked,
	};
	struct counter_list *c = options->counters(options->ctx, e);
	bool *chosen = c ? spec_parts_choose(options->picked, c, which, &some, e) : NULL;
	struct str name = {0};

	*made = NULL;
	if (!chosen || (!some && which != ALL)) {
		counter_list_free(c);
		free(chosen);
		return chosen != NULL;
	}
	how.counter = chosen;
	if (of_machine) {
		how.target = options->target ? options->target : &machine;
	} else {
		how.argv = programs_at(parts->programs, program)->argv;
		how.held = programs_child(parts->programs, program);
	}
	spec_parts_add_name(parts, program, &name);
	how.name = str_text(&name);
	parts->part = mem_resize(parts->part, parts->n + 1, sizeof *parts->part);
	parts->part[parts->n] = (struct part){
		.live = counters_run_new(c, &how), .program = program, .samples = how.interval_ms != 0};
	*made = counters_as_run(parts->part[parts->n++].live);
	str_free(&name);
	free(chosen);
	return true;
}

/* Opens the counters of the machine. If that is not permitted, the programs are counted without them. */
static bool
open_machine(struct spec_parts *parts, struct err *e)
{
	struct err why = {0};
	struct run *made;

	if (!make_part(parts, SPEC_PARTS_MACHINE, parts->opt->target ? ALL : OF_MACHINE, &made, e))
		return false;
	if (!made || run_open(made, parts->opt->target ? e : &why))
		return true;
	if (parts->opt->target)
		return false;
	parts->machine_why = why;
	run_free(counters_as_run(parts->part[--parts->n].live));
	return true;
}

static bool
open_programs(struct spec_parts *r, enum share which, struct err *e)
{
	struct run *made;

	for (size_t i = 0; i < programs_n(r->programs); i++)
		if (!make_part(r, i, which, &made, e) || (made && !run_open(made, e)))
			return false;
	return true;
}

static bool
open_all(struct spec_parts *parts, struct err *e)
{
	bool several = programs_n(parts->programs) > 1;
	struct counter_list *list;

	if (!parts->opt->counters)
		return true;
	if (parts->opt->target)
		return open_machine(parts, e);
	if (!open_programs(parts, several ? OF_PROCESSES : ALL, e))
		return false;
	if (!several)
		return true;
	list = parts->opt->counters(parts->opt->ctx, e);
	parts->whole = list && list->kind != TEXT_MODEL;
	counter_list_free(list);
	return !parts->whole || open_machine(parts, e);
}

static struct spec_table *
spec_parts_make_table(const struct spec_parts *parts)
{
	const struct profile_spec *spec = parts->opt->spec;
	struct spec_table_part *part = mem_new_array(parts->n, sizeof *part);
	struct spec_table *table;
	struct str name = {0};

	for (size_t i = 0; i < parts->n; i++) {
		const struct part *p = &parts->part[i];
		bool machine = p->program == SPEC_PARTS_MACHINE;

		part[i] = (struct spec_table_part){p->live, machine,
			!machine && programs_at(parts->programs, p->program)->of->delay > 0, p->samples};
	}
	spec_parts_add_name(parts, SPEC_PARTS_MACHINE, &name);
	table = spec_table_new(
		&(struct spec_table_how){
			.name = str_text(&name),
			.source = spec->text && *spec->text ? spec->text : "profile",
			.whole = parts->whole,
			.common = parts->whole && spec->mode == SPEC_CONTINUOUS,
			.folds = parts->opt->folds,
		},
		part, parts->n);
	str_free(&name);
	free(part);
	return table;
}

struct spec_parts *
spec_parts_open(
	const struct spec_run_options *options, struct programs *programs, struct source_keep *keep, struct err *e)
{
	struct spec_parts *parts = mem_new(sizeof *parts);
	bool good;

	parts->opt = options;
	parts->programs = programs;
	parts->keep = keep;
	good = open_all(parts, e);
	if (good && !parts->n && options->counters)
		good = err_set(e, "there is nothing to count: no counter has an event that can be opened");
	if (good) {
		parts->table = spec_parts_make_table(parts);
		return parts;
	}
	spec_parts_free(parts);
	return NULL;
}

void
spec_parts_free(struct spec_parts *r)
{
	if (!r)
		return;
	spec_table_free(r->table);
	for (size_t i = 0; i < r->n; i++)
		run_free(counters_as_run(r->part[i].live));
	free(r->part);
	free(r);
}

bool
spec_parts_begin(struct spec_parts *r, size_t program, struct err *e)
{
	bool good = true;

	for (size_t i = 0; i < r->n && good; i++)
		if (r->part[i].program == program)
			good = run_go(counters_as_run(r->part[i].live), e);
	return good;
}

static void
poll_part(struct spec_parts *parts, size_t i, struct err *trouble)
{
	struct part *part = &parts->part[i];
	struct run *run = counters_as_run(part->live);
	struct err e;
	bool over;

	if (!run_running(run))
		return;
	over = run_poll(run, &e) == RUN_ENDED;
	spec_table_take(parts->table, i);
	if (over && *e.what && !*trouble->what)
		*trouble = e;
}

void
spec_parts_poll(struct spec_parts *r, struct err *trouble)
{
	for (size_t i = 0; i < r->n; i++)
		poll_part(r, i, trouble);
}

void
spec_parts_sample(struct spec_parts *r, struct err *trouble)
{
	for (size_t i = 0; i < r->n; i++)
		if (run_running(counters_as_run(r->part[i].live))) {
			counters_run_tick(r->part[i].live);
			poll_part(r, i, trouble);
		}
}

void
spec_parts_end(struct spec_parts *r, struct err *trouble)
{
	for (size_t i = 0; i < r->n; i++) {
		if (r->part[i].program == SPEC_PARTS_MACHINE)
			run_finish(counters_as_run(r->part[i].live));
		poll_part(r, i, trouble);
	}
}

struct spec_table *
spec_parts_table(const struct spec_parts *r)
{
	return r->table;
}

/* Adds each line that no other part has said. */
static void
add_new_lines(const char *text, struct names *said, struct str *out)
{
	char **line = str_split(text, '\n', NULL);

	for (size_t i = 0; line[i]; i++) {
		size_t before = said->n;

		if (*line[i] && names_add(said, line[i], strlen(line[i])) == before)
			str_addf(out, "%s\n", line[i]);
	}
	str_split_free(line);
}

void
spec_parts_explain(const struct spec_parts *parts, struct str *out)
{
	struct names said = {0};

	if (*parts->machine_why.what)
		str_addf(out, "not counted: counters of the whole machine: %s\n", parts->machine_why.what);
	if (parts->opt->spec->at_switches && parts->opt->counters && !parts->opt->closes_at_switches)
		str_add(out,
			"not closed at switches: counters are sampled by the clock; flows of hecate net are closed "
			"there, and stall-sources divides tasks at each switch\n");
	for (size_t i = 0; i < parts->n; i++) {
		struct run *run = counters_as_run(parts->part[i].live);
		struct str text = {0};

		run->ops->explain(run, &text);
		add_new_lines(str_text(&text), &said, out);
		str_free(&text);
	}
	names_free(&said);
}
