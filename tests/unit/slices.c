/* Slices of programs with a known character on a simulated core: what stops them is found, and so are the probes. And
 * rounds on made slices, whose clusters are known. */
#include "work/slices/skp.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/obs/obs.h"
#include "core/stack/stack.h"
#include "test.h"
#include "text/diag.h"

/* --- made slices ------------------------------------------------------------------------------------------------- */

static const char made_stack[] =
	"stack made per core;\n"
	"counter r = \"r\" per core unit slots; counter s = \"s\" per core unit slots;\n"
	"counter f = \"f\" per core unit slots; counter x = \"x\" per core unit slots;\n"
	"counter y = \"y\" per core unit slots; counter z = \"z\" per core unit slots;\n"
	"whole all = r + s + f + x + y + z;\n"
	"part retiring key \"R\" = r; part spec key \"S\" = s; part front key \"F\" = f;\n"
	"part back key \"B\" = x + y + z { part X key \"x\" = x; part Y key \"y\" = y; part Z key \"z\" = z; }\n";

static struct stack *
parse(const char *text)
{
	struct diags d = {0};
	struct stack *s = stack_parse(mem_str("made.stack"), mem_str(text), strlen(text), &d);

	test_check(s != NULL, __FILE__, __LINE__, "%s", d.n ? d.item[0].text : "refused without a reason");
	diags_free(&d);
	return s;
}

static struct obs_table *
made_table(void)
{
	static const char *const column[] = {"r", "s", "f", "x", "y", "z"};

	return obs_table_new(column, 6);
}

/* Adds rows around a centre, each count off by up to `spread`. */
static void
add_rows(struct obs_table *t, const char *name, size_t n, const int64_t *centre, unsigned spread)
{
	struct obs *o = obs_table_add(t, name, "made");
	uint64_t seed = (uint64_t)name[0];

	for (size_t i = 0; i < n; i++) {
		int64_t count[6];

		for (size_t c = 0; c < 6; c++)
			count[c] = centre[c] + (spread ? (int64_t)(test_random(&seed) % spread) : 0);
		obs_add_row(o, count, NULL, (double)i);
	}
}

static const char *
part_of(const struct skp *k, const struct skp_round *r, size_t column)
{
	return k->slices->stack->part[r->part[column]].name;
}

/* "X Y | Y | …": the key points of each cluster of a round, then of the outliers. The caller frees. */
static char *
keys_of(const struct skp *k, const struct skp_round *r)
{
	struct str s = {0};

	for (size_t c = 0; c < r->n_clusters + r->n_outliers; c++) {
		str_addf(&s, "%s%zu%s", c ? " | " : "", r->cluster[c].n, r->cluster[c].outlier ? "!" : "");
		for (size_t i = 0; i < r->cluster[c].n_keys; i++)
			str_addf(&s, " %s", part_of(k, r, r->cluster[c].key[i]));
	}
	return str_take(&s);
}

static char *
names_of(const struct skp *k, const struct skp_round *r, const size_t *column, size_t n)
{
	struct str s = {0};

	for (size_t i = 0; i < n; i++)
		str_addf(&s, "%s%s", i ? " " : "", part_of(k, r, column[i]));
	return s.n ? str_take(&s) : mem_str("");
}

static void
check_text(char *got, const char *want, int line, const char *what)
{
	test_str(got, want, __FILE__, line, what);
	free(got);
}
#define CHECK_TEXT(got, want) check_text((got), (want), __LINE__, #got)

static void
rounds_on_made_slices(void)
{
	static const int64_t memory[] = {100, 10, 10, 700, 20, 10}, mixed[] = {100, 10, 10, 300, 400, 10},
		code[] = {400, 10, 600, 1, 1, 1}, alone[] = {100, 10, 10, 20, 20, 700};
	struct stack *stack = parse(made_stack);
	struct obs_table *t = made_table();
	struct slices s;
	struct err e = {0};
	struct skp *k;
	size_t n;
	struct skp_weight *w;

	add_rows(t, "memory", 10, memory, 10);
	add_rows(t, "mixed", 12, mixed, 10);
	add_rows(t, "code", 6, code, 10);
	add_rows(t, "alone", 1, alone, 0);
	slices_init(&s, stack);
	CHECK(slices_add(&s, t, NULL, &e));
	CHECK_INT(s.n, 29);
	CHECK_STR(s.names.name[0], "memory_1");
	CHECK_STR(s.names.name[28], "alone");
	k = skp_new(&s, &(struct skp_how){.eps = 0.05}, &e);
	CHECK_TEXT(keys_of(k, &k->first), "23 back | 6 front");
	CHECK_TEXT(names_of(k, &k->first, k->first.excluded, k->first.n_excluded), "spec");
	CHECK_INT(k->n_second, 1);
	CHECK_TEXT(keys_of(k, &k->second[0]), "10 X | 12 Y X | 1! Z");
	CHECK_INT(k->second[0].n_excluded, 0); /* Z stops one slice, which belongs to no cluster */
	CHECK_INT(k->n_idle, 1);
	CHECK_STR(stack->part[k->idle[0]].name, "spec");
	w = skp_weights(k, &n);
	CHECK_INT(n, 4);
	CHECK_STR(stack->part[w[0].part].name, "X");
	free(w);
	skp_free(k);
	slices_free(&s);

	/* Without the outlier, Z is excluded. */
	slices_init(&s, stack);
	CHECK(slices_add(&s, t, "m*", &e));
	k = skp_new(&s, &(struct skp_how){.eps = 0.05}, &e);
	CHECK_TEXT(keys_of(k, &k->second[0]), "10 X | 12 Y X");
	CHECK_TEXT(names_of(k, &k->second[0], k->second[0].excluded, k->second[0].n_excluded), "Z");
	skp_free(k);
	k = skp_new(&s, &(struct skp_how){.eps = 0.05, .minor = 0.4}, &e);
	CHECK_TEXT(keys_of(k, &k->second[0]), "10 X | 12 Y");
	skp_free(k);
	slices_free(&s);
	obs_table_free(t);
	stack_free(stack);
}

static void
odd_slices(void)
{
	static const int64_t one[] = {100, 0, 0, 100, 100, 100}, nothing[] = {0, 0, 0, 0, 0, 0};
	struct stack *stack = parse(made_stack);
	struct obs_table *t = made_table();
	struct slices s;
	struct err e = {0};
	struct skp *k;

	/* equal ones are one cluster */
	add_rows(t, "equal", 9, one, 0);
	slices_init(&s, stack);
	CHECK(slices_add(&s, t, NULL, &e));
	k = skp_new(&s, &(struct skp_how){.eps = -1}, &e);
	CHECK(k->first.eps == SKP_MINOR && k->first.knee == 0 && k->first.from == SKP_EPS_MINOR);
	CHECK_TEXT(keys_of(k, &k->first), "9 back");
	skp_free(k);
	/* a row that counted nothing has no shares */
	add_rows(t, "nothing", 2, nothing, 0);
	CHECK(slices_add(&s, t, "nothing", &e));
	CHECK_INT(s.n, 9);
	CHECK_INT(s.left_out, 2);
	slices_free(&s);
	/* a name that exists already */
	slices_init(&s, stack);
	CHECK(slices_add(&s, t, "equal", &e) && slices_add(&s, t, "equal", &e));
	CHECK_STR(s.names.name[9], "equal#2_1");
	CHECK_INT(slices_run(&s, (size_t[]){7, 8, 9, 10}, 4), 2);
	slices_free(&s);
	obs_table_free(t);
	/* too few */
	t = made_table();
	add_rows(t, "one", 1, one, 0);
	slices_init(&s, stack);
	CHECK(slices_add(&s, t, NULL, &e));
	CHECK(skp_new(&s, &(struct skp_how){.eps = -1}, &e) == NULL);
	CHECK_STR(e.what, "1 slice cannot be clustered: more than 4 are needed");
	slices_free(&s);
	obs_table_free(t);
	stack_free(stack);
}

/* --- simulated programs ------------------------------------------------------------------------------------------ */

static struct stack *
slots_stack(void)
{
	unsigned long n;
	char *text = test_read("../models/stacks/slots.stack", &n);
	struct stack *s = text ? parse(text) : NULL;

	free(text);
	return s;
}

#define CALM "branches=0.05,hard=0," /* few branches, and those predictable */
#define LOOP CALM "code=4K,"         /* and a code that fits in L1I */
#define ONE_PORT \
	"ports 1 load, store, atomic; ports 4 alu, branch, move, nop, mul, div; ports 2 fadd, fmul, fdiv, fma"

/* Programs, and what stops them most, perhaps on a changed machine. */
static const struct {
	const char *program, *changes, *category, *key;
} known[] = {
	{LOOP "footprint=64M,chase=0.2,loads=0.4", NULL, "back_end", "LoadMemBound"},
	{LOOP "hot=256K,depends=0.9,loads=0.4,stack=0,sequential=0", NULL, "back_end", "LoadL2Bound"},
	{LOOP "hot=1M,depends=0.5,loads=0.4,stack=0,sequential=0",
		"l2 64 KiB, 8 ways, 10 cycles; l3 4 MiB, 8 ways, 40 cycles", "back_end", "LoadL3Bound"},
	{LOOP "loads=0.1,stores=0.5,footprint=64M,to_far=0.9,stack=0,sequential=0", NULL, "back_end", "StoreMemBound"},
	{LOOP "loads=0.8,stores=0.05,hot=4K,stack=0,depends=0,sequential=0", ONE_PORT, "back_end", "MemDQBound"},
	{LOOP "fp=0.7,serial=1,loads=0.1,stores=0.05", NULL, "back_end", "FVLongExecute"},
	{LOOP "fp=0.7,loads=0.1,stores=0.05,distance=30", "fp_dispatch 1", "back_end", "FVDQBandwidth"},
	{LOOP "mul=0.7,serial=1,loads=0.1,stores=0.05", NULL, "back_end", "ScalarLongExecute"},
	{LOOP "serial=1,loads=0.05,stores=0.05", NULL, "back_end", "InstNotReady"},
	{CALM "code=64K,function=1K,skew=0", NULL, "front_end", "IcacheL2Bound"},
	{"hard=0.8,chance=0.5,branches=0.25,data=0,periodic=0,correlated=0", NULL, "bad_speculation", "Recovery"},
};

static void
check_known(size_t i, const struct stack *stack, unsigned seed)
{
	char *on = str_format("sim:core:seed=%u", seed), *program = str_format("program:%s", known[i].program);
	const struct slices_simulation how = {.on = on, .program = &program, .n_programs = 1, .uops = 10000, .each = 6,
		.changes = known[i].changes};
	struct slices s;
	struct err e = {0};
	bool cut = true;
	struct obs_table *t = slices_simulate(&how, &cut, &e);
	struct skp *k = NULL;

	test_label("%s, seed %u", program, seed);
	slices_init(&s, stack);
	if (test_check(t && !cut && slices_add(&s, t, NULL, &e), __FILE__, __LINE__, "%s", e.what))
		k = skp_new(&s, &(struct skp_how){.eps = 1}, &e); /* one cluster */
	if (k && CHECK(k->first.n_clusters == 1 && k->n_second == 1)) {
		CHECK_STR(part_of(k, &k->first, k->leads[0]), known[i].category);
		CHECK_STR(part_of(k, &k->second[0], k->second[0].cluster[0].key[0]), known[i].key);
	}
	skp_free(k);
	slices_free(&s);
	obs_table_free(t);
	free(program);
	free(on);
}

static void
programs_of_known_character(void)
{
	struct stack *stack = slots_stack();

	for (size_t i = 0; i < sizeof known / sizeof *known && stack; i++)
		for (unsigned seed = 1; seed <= test_rounds(1, 12); seed++)
			check_known(i, stack, seed);
	stack_free(stack);
}

/* All of them at once: no cluster has slices of programs that different parts stop. */
static void
clusters_keep_characters_apart(void)
{
	enum { N = sizeof known / sizeof *known };
	struct stack *stack = slots_stack();
	char *program[N];
	size_t n = 0;
	const char *key[N];
	struct slices s;
	struct err e = {0};
	struct obs_table *t;
	struct skp *k;
	bool cut;

	for (size_t i = 0; i < N; i++)
		if (!known[i].changes) {
			key[n] = known[i].key;
			program[n++] = str_format("program:%s", known[i].program);
		}
	const struct slices_simulation how = {.on = "sim:core", .program = program, .n_programs = n,
		.uops = 20000, .each = 8};

	t = slices_simulate(&how, &cut, &e);
	slices_init(&s, stack);
	if (!test_check(t && slices_add(&s, t, NULL, &e), __FILE__, __LINE__, "%s", e.what))
		return;
	k = skp_new(&s, &(struct skp_how){.eps = -1}, &e);
	for (size_t r = 0; r < k->n_second; r++)
		for (size_t c = 0; c < k->second[r].n_clusters; c++) {
			const struct skp_cluster *cluster = &k->second[r].cluster[c];

			for (size_t i = 0; i < cluster->n; i++)
				CHECK_STR(part_of(k, &k->second[r], cluster->key[0]), key[s.origin[cluster->slice[i]]]);
		}
	CHECK(k->n_second == 3);
	skp_free(k);
	slices_free(&s);
	obs_table_free(t);
	stack_free(stack);
	for (size_t i = 0; i < n; i++)
		free(program[i]);
}

static bool
stop_later(void *ctx)
{
	unsigned *left = ctx;

	return *left == 0 || --*left == 0;
}

/* What is complete is kept, and the same as without a stop. The question comes every 4096 µops or sooner: some 120
 * times in the warm-up, and 5 times in each slice. */
static void
keeps_what_was_complete(void)
{
	enum { UOPS = 20000, EACH = 8 };
	static const struct { unsigned after, most; } row[] = {{1, 0}, {50, 0}, {140, EACH - 1}, {999999, EACH}};
	char *program = str_format("mcf-like");
	struct slices_simulation how = {.on = "sim:core", .program = &program, .n_programs = 1, .uops = UOPS,
		.each = EACH, .stop = stop_later};
	struct obs_table *whole = NULL;
	struct err e = {0};

	for (size_t i = sizeof row / sizeof *row; i-- > 0;) {
		unsigned left = row[i].after;
		bool cut = false;
		struct obs_table *t;

		how.ctx = &left;
		t = slices_simulate(&how, &cut, &e);
		test_label("after %u questions", row[i].after);
		if (row[i].most == 0) {
			CHECK(!t);
			CHECK_STR(e.what, "the simulation was stopped before a sample was complete");
		} else if (CHECK(t && t->n == 1)) {
			CHECK_INT(cut, row[i].most < EACH);
			CHECK(t->obs[0]->n_rows >= 1 && t->obs[0]->n_rows <= row[i].most);
			for (size_t c = 0; whole && c < t->obs[0]->n_rows * t->n_columns; c++)
				CHECK_INT(t->obs[0]->count[c], whole->obs[0]->count[c]);
		}
		if (!whole)
			whole = t;
		else
			obs_table_free(t);
	}
	obs_table_free(whole);
	free(program);
}

/* Each probe of the table is a file. */
static void
probes_exist(void)
{
	static const char *const row[][2] = {
#define PROBES(part, probes) {part, probes},
#include "work/slices/probes.def"
#undef PROBES
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		char **probe = str_split(row[i][1], ' ', NULL);

		CHECK_STR(skp_probes(row[i][0]), row[i][1]);
		for (size_t j = 0; probe[j]; j++) {
			char *path = str_format("../models/probes/%s.probe", probe[j]);

			test_label("%s: %s", row[i][0], probe[j]);
			free(test_read(path, NULL));
			free(path);
		}
		str_split_free(probe);
	}
	CHECK(skp_probes("nothing") == NULL);
}

TEST_MAIN(CASE(rounds_on_made_slices), CASE(odd_slices), CASE(programs_of_known_character),
	CASE(clusters_keep_characters_apart), CASE(keeps_what_was_complete), CASE(probes_exist))
