/* Small modules of app: messages to the engine process, files and pipes, the table of actions, commands as words. */
#include "explorer/engine/message.h"
#include "explorer/state/action.h"
#include "explorer/state/state.h"
#include "shape/wire.h"
#include "work/analysis/result.h"
#include "work/files/data.h"
#include "work/files/files.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/shell.h"
#include "base/str.h"
#include "core/obs/obs.h"
#include "test.h"

static struct constraint
some_constraint(void)
{
	struct constraint c = {.equality = true, .n = 3, .margin = 0.25, .excess = -2};

	c.coef = mem_new_array(3, sizeof *c.coef);
	c.coef[0] = INT64_MIN;
	c.coef[2] = INT64_MAX;
	c.text = mem_str("a = b");
	return c;
}

static struct result *
some_result(void)
{
	struct result *r = mem_new(sizeof *r);

	fset_put(&r->on, 200, true);
	r->request = 7;
	r->paths = mem_str("1152921504606846976");
	r->signatures = 1000;
	r->n_counters = 3;
	r->used = mem_new_array(3, sizeof *r->used);
	r->used[1] = true;
	r->n_constraints = r->n_equalities = 1;
	r->constraint = mem_new(sizeof *r->constraint);
	r->constraint[0] = some_constraint();
	r->n_findings = 1;
	r->finding = mem_new(sizeof *r->finding);
	r->finding->name = mem_str("gcc");
	r->finding->verdict = VERDICT_INFEASIBLE;
	r->finding->own.distance2 = NAN;
	r->finding->proof.violated = mem_new(sizeof *r->finding->proof.violated);
	r->finding->proof.violated[0] = some_constraint();
	r->finding->proof.n_violated = 1;
	r->finding->counter.n_values = 2;
	r->finding->counter.value = mem_new_array(2, sizeof *r->finding->counter.value);
	r->finding->counter.value[1] = 10653;
	r->count[VERDICT_INFEASIBLE] = 1;
	return r;
}

static void
results_travel_unchanged(void)
{
	struct result *r = some_result(), *back = mem_new(sizeof *back);
	struct wire w = {0};

	result_wire(&w, r);
	w.reading = true;
	result_wire(&w, back);
	CHECK(!w.bad);
	CHECK_INT(w.at, w.n);
	CHECK(fset_equal(&r->on, &back->on));
	CHECK_STR(back->paths, r->paths);
	CHECK(!back->error);
	CHECK_INT(back->constraint[0].coef[0], INT64_MIN);
	CHECK_INT(back->constraint[0].coef[2], INT64_MAX);
	CHECK_STR(back->finding->name, "gcc");
	CHECK_INT(back->finding->verdict, VERDICT_INFEASIBLE);
	CHECK(isnan(back->finding->own.distance2));
	CHECK_NEAR(back->finding->proof.violated->excess, -2, 0);
	CHECK_NEAR(back->finding->counter.value[1], 10653, 0);
	result_free(r);
	result_free(back);
	wire_free(&w);
}

/* Reading ends whatever the bytes are, and what was read can be freed. */
static void
broken_messages_are_refused(void)
{
	struct result *r = some_result();
	struct wire w = {0};
	uint64_t seed = 1;

	result_wire(&w, r);
	for (int round = 0; round < 3000; round++) {
		struct wire cut = {
			.reading = true, .data = mem_copy(w.data, w.n), .n = round < (int)w.n ? (size_t)round : w.n};
		struct result *back = mem_new(sizeof *back);

		if (round >= (int)w.n)
			for (int k = 0; k < 4; k++)
				cut.data[test_random(&seed) % w.n] = (unsigned char)test_random(&seed);
		result_wire(&cut, back);
		CHECK(cut.bad || round >= (int)w.n);
		result_free(back);
		wire_free(&cut);
	}
	result_free(r);
	wire_free(&w);
}

static void
observation_tables_travel(void)
{
	static const char *const column[] = {"a", "b"};
	struct obs_table *t = obs_table_new(column, 2), *back = NULL;
	struct obs *o = obs_table_add(t, "gcc", "gcc -c x.c");
	struct wire w = {0};

	o->exact = true;
	obs_add_row(o, (int64_t[]){INT64_MAX, 1}, (unsigned char[]){1, 0}, NAN);
	obs_add_row(o, (int64_t[]){3, 4}, NULL, 0.5);
	o->health[1] = OBS_DEAD;
	obs_table_add(t, "gcc", "again");
	obs_table_note(t, OBS_NOTE_OTHER, mem_str("f.csv:3: one"));
	obs_table_note(t, OBS_NOTE_OTHER, mem_str("two"));
	obs_table_wire(&w, &t);
	w.reading = true;
	obs_table_wire(&w, &back);
	CHECK(!w.bad);
	CHECK_INT(back->n, 2);
	CHECK_STR(back->column[1], "b");
	CHECK_STR(back->obs[0]->name, "gcc");
	CHECK_STR(back->obs[1]->name, "gcc#2");
	CHECK_INT(back->obs[0]->n_rows, 2);
	CHECK_INT(back->obs[0]->count[0], INT64_MAX);
	CHECK_INT(back->obs[0]->counted[1], 0);
	CHECK_INT(back->obs[0]->counted[3], 1);
	CHECK_INT(back->obs[0]->health[1], OBS_DEAD);
	CHECK(back->obs[0]->exact);
	CHECK_INT(back->obs[1]->n_rows, 0);
	if (CHECK_INT(back->n_notes, 2)) {
		CHECK_STR(back->note[0], "f.csv:3: one");
		CHECK_STR(back->note[1], "two");
	}
	obs_table_free(back);
	back = data_copy(t);
	if (CHECK_INT(back->n_notes, 2))
		CHECK_STR(back->note[1], "two");
	CHECK_STR(back->obs[1]->name, "gcc#2");
	obs_table_free(t);
	obs_table_free(back);
	wire_free(&w);
}

/* A pipe has no size: reading ends at the first byte beyond the limit. */
static void
pipes_are_read_up_to_a_limit(void)
{
	static const char text[] = "12345678901234567890";
	int end[2];
	struct err e = {.what = ""};
	char *path, *got;
	size_t n = 0;

	for (size_t limit = 19; limit <= 20; limit++) {
		if (!CHECK(pipe(end) == 0))
			return;
		CHECK(write(end[1], text, 20) == 20);
		close(end[1]);
		path = str_format("/proc/self/fd/%d", end[0]);
		got = file_read(path, limit, &n, &e);
		if (limit == 20) {
			if (CHECK(got))
				CHECK_STR(got, text);
			CHECK_INT(n, 20);
		} else {
			CHECK(!got);
			CHECK(strstr(e.what, "is larger than") != NULL);
			CHECK(*e.hint);
		}
		free(got);
		free(path);
		close(end[0]);
	}
}

/* A key has one meaning in each scope. Every action has a key, a help text and a scope. */
static void
action_table_is_sound(void)
{
	for (int a = 1; a < ACTION_COUNT; a++) {
		const struct action_row *r = action_row((enum action)a);
		char *keys = mem_str(r->keys);

		test_label("%s", r->id);
		CHECK(*r->help && r->scopes);
		for (char *key = strtok(keys, " "); key; key = strtok(NULL, " "))
			for (uint64_t scope = 1; scope & IN_ANY; scope <<= 1)
				if (r->scopes & scope)
					CHECK_INT(action_for_key(key, scope), a);
		free(keys);
	}
	CHECK_INT(action_for_key("Space", IN(FEATURES)), ACTION_toggle);
	CHECK_INT(action_for_key("Spac", IN(FEATURES)), ACTION_none);
	CHECK_INT(action_for_key("Space", IN(WHY)), ACTION_none);
}

static void
commands_are_split_like_words(void)
{
	static const struct {
		const char *line;
		const char *word[4];
	} row[] = {
		{"gcc -c x.c", {"gcc", "-c", "x.c"}},
		{"  a   'b c'  ", {"a", "b c"}},
		{"a \"b \\\" c\" d\\ e", {"a", "b \" c", "d e"}},
		{"a ''", {"a", ""}},
		{"x'y'\"z\"", {"xyz"}},
	};
	struct err e;

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		char **argv = shell_split(row[i].line, &e);
		size_t n = 0;

		test_label("%s", row[i].line);
		if (!CHECK(argv))
			continue;
		for (; argv[n] && row[i].word[n]; n++)
			CHECK_STR(argv[n], row[i].word[n]);
		CHECK(!argv[n] && !row[i].word[n]);
		str_split_free(argv);
	}
	CHECK(!shell_split("", &e));
	CHECK(!shell_split("a 'b", &e));
	CHECK_STR(e.what, "the command has an open quote");
}

TEST_MAIN(CASE(results_travel_unchanged), CASE(broken_messages_are_refused), CASE(observation_tables_travel),
	CASE(pipes_are_read_up_to_a_limit), CASE(action_table_is_sound), CASE(commands_are_split_like_words))
