#include "work/files/server.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/obs/obs.h"
#include "sim/server/load.h"
#include "sim/server/run.h"
#include "sim/server/sampler.h"
#include "sim/server/server.h"
#include "text/diag.h"
#include "text/notation.h"
#include "text/word_list.h"
#include "work/files/files.h"
#include "work/files/how_words.h"

#define PREFIX "sim:"
#define ENDING ".server"
#define USUAL "gups,cores=4,memory=tiers" /* without a program: one that uses both memories */
#define EXAMPLE "sim:spr-cxl:gups,cores=4,memory=cxl:samples=20"
#define RANDOM "random"
#define SAMPLES 20u
#define SAMPLE_NS 100000
#define WARM_UP_NS 200000
#define TIME_MOST ((int64_t)10000000000)

bool
server_simulation_is(const char *text)
{
	char *name, *path;
	bool is;

	if (!str_starts(text, PREFIX))
		return false;
	text += strlen(PREFIX);
	name = mem_strn(text, strcspn(text, ":"));
	path = *name && !file_is_path(name) ? file_find(name, MACHINE_FOLDERS, ENDING, NULL) : NULL;
	is = path || file_has_ending(name, ENDING);
	free(path);
	free(name);
	return is;
}

static struct server *
load_server(const char *name, struct err *e)
{
	char *path = file_find(name, MACHINE_FOLDERS, ENDING, e),
	     *text = path ? file_read(path, SERVER_FILE_MAX, &(size_t){0}, e) : NULL;
	struct server *server = NULL;
	struct diags d = {0};

	if (text && !(server = server_parse(path, text, strlen(text), &d)) && diags_good(&d, e))
		err_set(e, "%s is not a server", path);
	diags_free(&d);
	free(text);
	free(path);
	return server;
}

static bool
names_program(const char *part)
{
	size_t n = strcspn(part, ",+");

	if (str_eq(part, RANDOM))
		return true;
	for (int k = 0; k < LOAD_KINDS; k++) {
		const char *name = load_kind_name((enum load_kind)k);

		if (strlen(name) == n && strncmp(name, part, n) == 0)
			return true;
	}
	return false;
}

static const struct how_word how_word[] = {
#define AT(f) offsetof(struct server_simulation, f)
	{"samples", NOTATION_WHOLE, 1, 1000000, AT(samples)},
	{"seed", NOTATION_SEED, 0, 0, AT(seed)},
	{"sample", NOTATION_TIME, 1000, TIME_MOST, AT(sample_ns)},
	{"warm-up", NOTATION_TIME, 0, TIME_MOST, AT(warm_up_ns)},
	{"endless", NOTATION_WORD, 0, 0, AT(said_samples)},
	{"owners", NOTATION_WORD, 0, 0, AT(owners)},
#undef AT
};
static const struct how_words how_words = {how_word, sizeof how_word / sizeof *how_word,
	.samples = offsetof(struct server_simulation, samples),
	.said_samples = offsetof(struct server_simulation, said_samples),
	.known = "known are"};

/* Neither a program, nor how to measure: a set of features. */
static bool
take_features(struct server *server, const char *part, struct err *e)
{
	const struct sim_features of = server_features(server);
	const char *known[LOAD_KINDS + SERVER_N_FEATURES + 2] = {"none", "all"};
	char *first = mem_strn(part + strspn(part, "+-"), strcspn(part + strspn(part, "+-"), ",+"));
	size_t n = 2;
	bool is = false;

	for (int k = 0; k < SERVER_N_FEATURES; k++)
		known[n++] = of.name[k];
	for (size_t i = 0; i < n; i++)
		is |= str_eq(first, known[i]);
	for (int k = 0; k < LOAD_KINDS; k++)
		known[n++] = load_kind_name((enum load_kind)k);
	if (!is) {
		err_set(e, "'%s' is no program and no feature of a simulated server", first);
		word_list_hint(e, first, "known are", known, n, sizeof *known);
	}
	free(first);
	return is && sim_features_parse(&of, part, &server->has, e);
}

/* Takes a part between two colons. Programs and their parameters stay a text, which is parsed later. */
static bool
take_part(struct server_simulation *s, const char *part, struct str *programs, struct err *e)
{
	if (!*part)
		return true;
	if (names_program(part)) {
		if (programs->n) {
			err_set(e, "%s: programs are given twice", part);
			return err_hint(e, "join them by '+': gups+chase,first=1");
		}
		str_add(programs, part);
		return true;
	}
	if (how_words_find(&how_words, part))
		return how_words_take(&how_words, part, s, e);
	if (programs->n && strchr(part, '=')) {
		str_addf(programs, ",%s", part);
		return true;
	}
	return take_features(s->server, part, e);
}

bool
server_simulation_parse(const char *text, struct server_simulation *s, struct err *e)
{
	struct word_list list = word_list_of(text, ':');
	struct str programs = {0};
	struct load load;
	bool good;

	*s = (struct server_simulation){
		.seed = 1, .sample_ns = SAMPLE_NS, .warm_up_ns = WARM_UP_NS, .samples = SAMPLES};
	word_list_next(&list); /* PREFIX */
	word_list_next(&list);
	s->name = mem_str(list.word);
	s->server = load_server(s->name, e);
	good = s->server != NULL;
	while (good && word_list_next(&list))
		good = take_part(s, list.word, &programs, e);
	good = word_list_end(&list, good, e);
	s->programs = mem_str(programs.n            ? str_text(&programs)
			: s->server && s->server->ports ? USUAL
							: load_kind_name(LOAD_GUPS));
	str_free(&programs);
	if (!good)
		return false;
	if (str_eq(s->programs, RANDOM)) {
		free(s->programs);
		s->programs = load_random(s->seed);
	}
	good = load_parse(s->programs, s->server->sockets * s->server->cores, &load, e);
	load_free(&load);
	return good;
}

void
server_simulation_free(struct server_simulation *s)
{
	server_free(s->server);
	free(s->name);
	free(s->programs);
	*s = (struct server_simulation){0};
}

bool
server_simulation_has_features(const char *name, const char *features, struct err *e)
{
	struct server *server = load_server(name, e);
	struct sim_features of;
	bool good = server != NULL;

	if (good) {
		of = server_features(server);
		good = sim_features_parse(&of, features, &(uint32_t){0}, e);
	}
	server_free(server);
	return good;
}

char *
server_simulation_watched(const char *text, struct err *e)
{
	struct server_simulation s;
	char *out = NULL;

	if (server_simulation_parse(text, &s, e))
		out = s.said_samples ? mem_str(text) : str_format("%s:endless", text);
	server_simulation_free(&s);
	return out;
}

struct server_run_spec
server_simulation_spec(const struct server_simulation *s)
{
	return (struct server_run_spec){.server = s->server,
		.programs = s->programs,
		.seed = s->seed,
		.warm_up_ns = (double)s->warm_up_ns,
		.sample_ns = (double)s->sample_ns};
}

/* The columns of a simulation, as counters of a source. */
static char **
server_columns_of(const struct server_simulation *s, struct source_counter **counter, size_t *n, struct err *e)
{
	struct server_run *run = server_run_new(s->server, s->programs, s->seed, e);
	char **name = run ? server_columns(run, s->server, s->owners) : NULL;

	*n = 0;
	while (name && name[*n])
		++*n;
	*counter = mem_new_array(*n, sizeof **counter);
	for (size_t i = 0; i < *n; i++)
		(*counter)[i].name = name[i];
	server_run_free(run);
	return name;
}

char **
server_simulation_owners(const char *text)
{
	struct server_simulation s;
	struct source_counter *counter = NULL;
	char **name = NULL;

	if (!server_simulation_is(text))
		return NULL;
	if (server_simulation_parse(text, &s, NULL) && s.owners)
		name = server_columns_of(&s, &counter, &(size_t){0}, NULL);
	free(counter);
	server_simulation_free(&s);
	return name;
}

static void
add_rows(struct sim_row_maker maker, size_t samples, struct obs_table *table, const char *text, const char *programs)
{
	size_t n = table->n_columns;
	struct source_row row = {.count = mem_new_array(n, sizeof *row.count),
		.counted = mem_new_array(n, 1),
		.running = mem_new_array(n, sizeof *row.running)};
	struct obs *obs = obs_table_add(table, programs, text);

	obs->since_start = true;
	for (size_t i = 0; i < samples && maker.ops->row(maker.of, &row, NULL) == SIM_ROW; i++)
		obs_add_row(obs, row.count, row.counted, row.seconds);
	for (size_t i = 0; i < n; i++)
		obs->health[i] = OBS_HONEST;
	free(row.count);
	free(row.counted);
	free(row.running);
}

struct obs_table *
server_simulation_read(const char *text, struct err *e)
{
	struct server_simulation s;
	struct obs_table *table = NULL;
	struct source_counter *counter = NULL;
	struct sim_row_maker maker = {0};
	char **name = NULL;
	size_t n = 0;

	if (server_simulation_parse(text, &s, e)) {
		if (!s.samples) {
			err_set(e, "%s never ends, and cannot be read as data", text);
			err_hint(e, "give a length with samples=N, or watch it in the explorer");
		} else if ((name = server_columns_of(&s, &counter, &n, e)) != NULL) {
			const struct server_run_spec spec = server_simulation_spec(&s);

			maker = server_sampler_new(&spec, counter, n, e);
		}
	}
	if (maker.of) {
		table = obs_table_new((const char *const *)name, n);
		add_rows(maker, s.samples, table, text, s.programs);
		maker.ops->free(maker.of);
	}
	free(counter);
	if (name)
		str_split_free(name);
	server_simulation_free(&s);
	return table;
}

void
server_simulation_list(struct str *out)
{
	char **name = file_names(MACHINE_FOLDERS, ENDING);
	const char *text;

	str_add(out, "\nservers (sim:SERVER:FEATURE,...:PROGRAM,PARAMETER=VALUE,... as data of hecate net)\n");
	for (size_t i = 0; name[i]; i++) {
		struct err e = {0};
		struct server *server = load_server(name[i], &e);

		str_addf(out, "  %-16s %s%s\n", name[i],
			server ? "" : "cannot be read: ", server ? server->text : e.what);
		server_free(server);
	}
	str_split_free(name);
	for (int k = 0; k < SERVER_N_FEATURES; k++)
		str_addf(out, "    %-14s %s\n", server_feature_name((enum server_feature)k),
			server_feature_text((enum server_feature)k));
	str_add(out, "  their programs, and parameters\n");
	for (int k = 0; k < LOAD_KINDS; k++)
		str_addf(out, "  %-16s %s\n", load_kind_name((enum load_kind)k), load_kind_text((enum load_kind)k));
	for (int k = 0; k < LOAD_PARAMETERS; k++) {
		const char *word = load_parameter_name((enum load_parameter)k, &text);

		str_addf(out, "    %-14s %s\n", word, text);
	}
}
