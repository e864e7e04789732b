#include "work/files/simulation.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "sim/program/program.h"
#include "sim/workload.h"
#include "text/diag.h"
#include "text/notation.h"
#include "text/word_list.h"
#include "work/files/files.h"
#include "work/files/how_words.h"
#include "work/files/server.h"

#define PREFIX "sim:"
#define EXAMPLE "sim:haswell:merging,early_psc:linear,footprint=1G,stride=64"
#define ENDING ".machine"
#define SERVER_ENDING ":.server"
#define SUITE_ENDING ".suite"
#define SAMPLES_MOST 1000000u
#define SEED 1
#define SLICE_MOST 1000000000u /* ns */

bool
simulation_rotation(const char *word, enum rotation_how *out)
{
	*out = str_eq(word, "kernel") ? ROTATION_KERNEL : ROTATION_RANDOM;
	return *out == ROTATION_KERNEL || str_eq(word, "random");
}

bool
simulation_is(const char *arg)
{
	return str_starts(arg, PREFIX);
}

static int
count_lines(const char *text, size_t n)
{
	int lines = 1;

	for (size_t i = 0; i < n; i++)
		lines += text[i] == '\n';
	return lines;
}

/* Sets *e to the first error of a list. `lines`: of the file; what stands below them is a change of --set. Always
 * returns false. */
static bool
refuse_first(const struct diags *diags, const char *path, int lines, struct err *e)
{
	char *what;

	if (diags_good(diags, e))
		return err_set(e, "%s is not a machine file", path);
	if (!e || e->line <= lines)
		return false;
	what = mem_str(e->what);
	snprintf(e->what, sizeof e->what, "--set: %s", what);
	free(what);
	return err_place(e, "", 0, 0);
}

static struct sim_machine *
load_machine(const char *name, const char *changes, struct err *e)
{
	char *path = file_find(name, MACHINE_FOLDERS, ENDING SERVER_ENDING, e), *text = NULL;
	struct sim_machine *machine = NULL;
	struct diags d = {0};
	size_t n = 0;

	if (path && file_has_ending(path, SERVER_ENDING)) {
		err_set(e, "%s is a server, and this takes a machine with one core", name);
		err_hint(e, "hecate net spr-cxl sim:%s simulates it", name);
	} else if (path)
		text = file_read(path, SIM_MACHINE_FILE_MAX, &n, e);
	if (text && !(machine = sim_machine_parse(path, text, n, changes, &d)))
		refuse_first(&d, path, count_lines(text, n), e);
	diags_free(&d);
	free(text);
	free(path);
	return machine;
}

bool
simulation_load(const char *machine, const char *changes, struct simulation *simulation, struct err *e)
{
	*simulation = (struct simulation){.name = mem_str(machine),
		.changes = mem_str(changes ? changes : ""),
		.seed = SEED,
		.accesses = SIM_ACCESSES,
		.warm_up = SIM_WARM_UP,
		.samples = SIM_SAMPLES};
	simulation->machine = load_machine(machine, simulation->changes, e);
	if (!simulation->machine)
		return false;
	simulation->plants = simulation->machine->has;
	simulation->references = simulation->machine->pipe.there;
	simulation->workload = mem_str(simulation_input_name(simulation->machine, 0));
	return true;
}

void
simulation_free(struct simulation *s)
{
	sim_machine_free(s->machine);
	free(s->name);
	free(s->changes);
	free(s->workload);
	free(s->lie);
	*s = (struct simulation){0};
}

/* --- programs and workloads -------------------------------------------------------------------------------------- */

size_t
simulation_inputs(const struct sim_machine *m)
{
	size_t n = 0;

	if (!m->pipe.there)
		return sim_workload_kinds();
	while (sim_program_name(n))
		n++;
	return n;
}

const char *
simulation_input_name(const struct sim_machine *m, size_t i)
{
	return m->pipe.there ? sim_program_name(i) : sim_workload_kind_name(i);
}

const char *
simulation_input_text(const struct sim_machine *m, size_t i)
{
	return m->pipe.there ? sim_program_about(i) : sim_workload_kind_text(i);
}

bool
simulation_perfect(const char *text, sim_perfect *out, struct err *e)
{
	static const struct {
		const char *name;
		sim_perfect set;
	} word[] = {
#define X(id, name, text) {name, 1u << SIM_PART_##id},
		SIM_PARTS(X)
#undef X
			{"data", 1u << SIM_PART_L1D},
		{"code", 1u << SIM_PART_L1I},
		{"tlb", 1u << SIM_PART_ITLB | 1u << SIM_PART_DTLB},
		{"all", (1u << SIM_N_PARTS) - 1},
	};
	const char *known[sizeof word / sizeof *word];
	struct word_list list = word_list_of(text, ',');
	bool good = true;

	for (size_t k = 0; k < sizeof word / sizeof *word; k++)
		known[k] = k == SIM_PART_BASE || k == SIM_PART_UNIT ? NULL : word[k].name;
	*out = 0;
	while (good && word_list_next(&list)) {
		size_t k = 0;

		while (k < sizeof word / sizeof *word && !(known[k] && str_eq(list.word, known[k])))
			k++;
		good = k < sizeof word / sizeof *word;
		if (good) {
			*out |= word[k].set;
			continue;
		}
		err_set(e, "'%s' is no structure that can be perfect", list.word);
		word_list_hint(e, list.word, "known are", known, k, sizeof *known);
	}
	return word_list_end(&list, good, e);
}

/* --- the text ---------------------------------------------------------------------------------------------------- */

/* True when the part begins with the name of a workload or program, up to the first character that cannot be part of a
 * name. */
static bool
begins_with_workload(const struct sim_machine *m, const char *part)
{
	size_t len = strcspn(part, ",=+"), n = simulation_inputs(m);

	for (size_t i = 0; i < n; i++) {
		const char *name = simulation_input_name(m, i);

		if (strlen(name) == len && strncmp(name, part, len) == 0)
			return true;
	}
	return false;
}

static const struct how_word how_word[] = {
#define AT(f) offsetof(struct simulation, f)
	{"samples", NOTATION_WHOLE, 1, SAMPLES_MOST, AT(samples)},
	{"seed", NOTATION_SEED, 0, 0, AT(seed)},
	{"accesses", NOTATION_WHOLE, 1, SIMULATION_ACCESSES_MOST, AT(accesses)},
	{"warm-up", NOTATION_WHOLE, 0, SIMULATION_ACCESSES_MOST, AT(warm_up)},
	{"slice", NOTATION_WHOLE, 1, SLICE_MOST, AT(slice_ns)},
	{"rotation", NOTATION_WORD, 0, 1, AT(rotation)},
	{"endless", NOTATION_WORD, 0, 0, AT(said_samples)},
	{"exact", NOTATION_WORD, 0, 0, AT(exact)},
#undef AT
};

static bool
take_rotation(const char *value, void *field, struct err *e)
{
	return simulation_rotation(value, field) || err_set(e, "rotation is random or kernel, not '%s'", value);
}

static const struct how_words how_words = {how_word, sizeof how_word / sizeof *how_word,
	.samples = offsetof(struct simulation, samples),
	.said_samples = offsetof(struct simulation, said_samples),
	.known = "write samples=60 or exact; known are",
	.choice = take_rotation};

enum part { PART_NOTHING, PART_PLANTS, PART_WORKLOAD, PART_PARAMETERS, PART_HOW };

/* Returns the kind of a part between two colons, by its first word. */
static enum part
simulation_part_of(const struct sim_machine *machine, const char *text, enum part before)
{
	size_t n = strcspn(text, ",");
	char *first = mem_strn(text, n);
	enum part is;

	if (!*text)
		is = PART_NOTHING;
	else if (begins_with_workload(machine, text))
		is = PART_WORKLOAD;
	else if (how_words_find(&how_words, first))
		is = PART_HOW;
	else if (strchr(first, '='))
		is = before == PART_WORKLOAD || before == PART_PARAMETERS ? PART_PARAMETERS : PART_HOW;
	else
		is = strchr(text, '=') ? PART_WORKLOAD : PART_PLANTS;
	free(first);
	return is;
}

/* Replaces the character after each workload's name by `to` if it is `from`. A workload may consist of several, joined
 * by '+'. */
static void
change_first(char *workload, char from, char to)
{
	for (char *at = workload; at; at = strchr(at, '+')) {
		at += *at == '+';
		at += strcspn(at, ",:+");
		if (*at == from)
			*at = to;
	}
}

/* True when the last of the joined workloads has parameters. */
static bool
has_parameters(const char *workload)
{
	const char *last = strrchr(workload, '+');

	return strchr(last ? last : workload, ':') != NULL;
}

static bool
simulation_take_part(struct simulation *simulation, const char *text, enum part is, unsigned *seen, struct err *e)
{
	char *before;

	if (is != PART_NOTHING && is != PART_PARAMETERS && (*seen & 1u << is)) {
		err_set(e, "%s: this part of a simulated machine is given twice", text);
		return err_hint(e, "for instance: " EXAMPLE);
	}
	*seen |= 1u << is;
	switch (is) {
	case PART_NOTHING:
		return true;
	case PART_PLANTS:
		return sim_plants_parse(simulation->machine, text, &simulation->plants, e);
	case PART_WORKLOAD:
		free(simulation->workload);
		simulation->workload = mem_str(text);
		change_first(simulation->workload, ',', ':');
		return true;
	case PART_PARAMETERS:
		before = simulation->workload;
		simulation->workload = str_format("%s%c%s", before, has_parameters(before) ? ',' : ':', text);
		free(before);
		change_first(simulation->workload, ',', ':');
		return true;
	case PART_HOW:
		return how_words_take(&how_words, text, simulation, e);
	}
	return false;
}

static bool
simulation_fits(const struct sim_machine *m, const char *workload, uint64_t seed, struct err *e)
{
	struct sim_stream *p = m->pipe.there ? sim_program_new(workload, seed, e) : NULL;
	struct sim_workload *w = m->pipe.there ? NULL : sim_workload_new(workload, seed, e);
	bool good = p || w;

	sim_stream_free(p);
	sim_workload_free(w);
	return good;
}

bool
simulation_parse(const char *text, struct simulation *simulation, struct err *e)
{
	struct word_list list = word_list_of(text, ':');
	enum part before = PART_NOTHING;
	size_t workload = 0;
	unsigned seen = 0;
	bool good;

	*simulation = (struct simulation){0};
	word_list_next(&list); /* PREFIX */
	word_list_next(&list);
	good = simulation_load(*list.word ? list.word : MACHINE_DEFAULT, NULL, simulation, e);
	while (good && word_list_next(&list)) {
		enum part is = simulation_part_of(simulation->machine, list.word, before);

		good = simulation_take_part(simulation, list.word, is, &seen, e);
		workload = is == PART_WORKLOAD ? list.at : workload;
		before = is;
	}
	if (!word_list_end(&list, good, e))
		return false;
	/* the workload stands in the text as it was taken, but for the ':' after its name */
	return simulation_fits(simulation->machine, simulation->workload, simulation->seed, e) ||
		err_within(e, text, workload, strlen(simulation->workload));
}

/* Returns the text of a simulation. `features` are as the user writes them; "": left out. */
static char *
simulation_text_of(const struct simulation *simulation, const char *features, const char *workload, uint64_t seed)
{
	char *work = mem_str(workload);
	struct str out = {0}, how = {0};

	change_first(work, ':', ',');
	str_addf(&out, PREFIX "%s%s%s%s%s%s:%s", simulation->name, *simulation->changes ? "{" : "", simulation->changes,
		*simulation->changes ? "}" : "", *features ? ":" : "", features, work);
	if (!simulation->samples)
		str_add(&how, ",endless");
	else if (simulation->samples != SIM_SAMPLES)
		str_addf(&how, ",samples=%zu", simulation->samples);
	if (seed != SEED)
		str_addf(&how, ",seed=%" PRIu64, seed);
	if (simulation->accesses != SIM_ACCESSES)
		str_addf(&how, ",accesses=%" PRIu64, simulation->accesses);
	if (simulation->warm_up != SIM_WARM_UP)
		str_addf(&how, ",warm-up=%" PRIu64, simulation->warm_up);
	if (simulation->rotation == ROTATION_KERNEL)
		str_add(&how, ",rotation=kernel");
	if (simulation->slice_ns)
		str_addf(&how, ",slice=%" PRIu64, simulation->slice_ns);
	if (simulation->exact)
		str_add(&how, ",exact");
	if (how.n)
		str_addf(&out, ":%s", str_text(&how) + 1);
	str_free(&how);
	free(work);
	return str_take(&out);
}

char *
simulation_text(const struct simulation *s, const char *workload, uint64_t seed, bool secret)
{
	char *features = secret ? mem_str("secret") : sim_plants_text(s->plants),
	     *text = simulation_text_of(s, features, workload, seed);

	free(features);
	return text;
}

char *
simulation_short_text(const struct simulation *s)
{
	char *features = s->plants == s->machine->has ? mem_str("") : sim_plants_text(s->plants),
	     *text = simulation_text_of(s, features, s->workload, s->seed);

	free(features);
	return text;
}

char *
simulation_watched(const char *text, struct err *e)
{
	struct simulation s = {0};
	char *out = NULL;

	if (server_simulation_is(text))
		return server_simulation_watched(text, e);
	if (simulation_parse(text, &s, e)) {
		if (!s.said_samples)
			s.samples = 0;
		out = simulation_short_text(&s);
	}
	simulation_free(&s);
	return out;
}

struct sim_run_spec
simulation_spec(const struct simulation *s)
{
	return (struct sim_run_spec){
		.machine = s->machine,
		.plants = s->plants,
		.workload = s->workload,
		.trace = -1,
		.trace_format = -1,
		.perfect = s->perfect,
		.references = s->references,
		.alone = true,
		.seed = s->seed,
		.multiplex = !s->exact,
		.lie = s->lie,
		.n_lies = s->n_lies,
		.warm_up = s->warm_up,
		.accesses = s->accesses,
		.rotation = s->rotation,
		.slice_ns = s->slice_ns,
	};
}

/* Checks that all workloads from `first` on can be made. */
static bool
simulation_all_fit(
	const struct sim_suite *s, const struct sim_machine *m, size_t first, const char *path, struct err *e)
{
	for (size_t i = first; i < s->n && m; i++)
		if (!simulation_fits(m, s->workload[i], 1, e))
			return path ? err_place(e, path, s->line[i], 1) : false;
	return true;
}

bool
simulation_add_workloads(struct sim_suite *s, const struct sim_machine *m, const char *text, struct err *e)
{
	size_t first = s->n;

	return sim_suite_add(s, text, 0, e) && simulation_all_fit(s, m, first, NULL, e);
}

bool
simulation_add_suite(struct sim_suite *suite, const struct sim_machine *machine, const char *name, struct err *e)
{
	char *path = file_find(name, SUITE_FOLDERS, SUITE_ENDING, e), *text = NULL;
	size_t n = 0, first = suite->n;
	bool good;

	if (path)
		text = file_read(path, SIM_SUITE_FILE_MAX, &n, e);
	good = text && sim_suite_parse(suite, path, text, n, e) && simulation_all_fit(suite, machine, first, path, e);
	free(text);
	free(path);
	return good;
}
