/* Timelines: the owners of columns, snapshots of recorded and growing tables and their analyses, bars of tasks of
 * several observations. */
#include "work/timeline/timeline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "core/network/path_map.h"
#include "core/network/queues.h"
#include "core/network/stalls.h"
#include "core/obs/obs.h"
#include "core/stack/account.h"
#include "core/stack/stack.h"
#include "parsed.h"
#include "test.h"
#include "work/timeline/column_owners.h"
#include "work/timeline/methods.h"
#include "work/timeline/stack_count.h"

static const char net_text[] =
	"network n; kind read; counter l2 = \"L2\" per core unit requests; counter t = \"T\" per thread unit requests; "
	"counter mem = \"MEM\" per socket unit requests;\n"
	"counter clk = \"CLK\" per core unit cycles;\n"
	"stage a { module L2 per core { clock = clk; read { hit = l2; miss = t; delay = 10 cycles; } } }\n"
	"stage b { module M per socket { read { hit = mem; } } } link L2 -> M; law \"l\": l2 <= t;";

static struct network *
make_network(void)
{
	return parsed_network("n.net", net_text);
}

static struct stack *
make_stack(void)
{
	static const char text[] =
		"stack s per task; counter e = source \"all\" per task unit ns; counter r = source \"run\" per task "
		"unit ns; whole w = e; part run key \"r\" = r; rest other key \"o\";";

	return parsed_stack("s.stack", text);
}

/* Owners in any order of columns; numbers are ordered as numbers. */
static void
owners(void)
{
	static const char *const column[] = {
		"l2@S1-C10", "l2@S0-C2", "l2@S1-C9", "mem@S0", "mem@S1", "x", "q@dm-0", "q@vda", "t@S0-C2-T7",
		"t@S0-C2-T5", "odd@"
	};
	struct obs_table *t = obs_table_new(column, 11);
	struct column_owners *o = column_owners_new(t, NULL);

	CHECK_INT(o->shape.n[SCOPE_CORE], 3);
	CHECK_STR(o->name[SCOPE_CORE][0], "S0-C2");
	CHECK_STR(o->name[SCOPE_CORE][1], "S1-C9");
	CHECK_STR(o->name[SCOPE_CORE][2], "S1-C10");
	CHECK_INT(o->shape.n[SCOPE_SOCKET], 2);
	CHECK_INT(o->shape.n[SCOPE_DEVICE], 2);
	CHECK_STR(o->name[SCOPE_DEVICE][0], "dm-0");
	CHECK_INT(o->shape.n[SCOPE_THREAD], 2);
	CHECK_INT(o->shape.n[SCOPE_SLICE], 1);
	CHECK(!o->name[SCOPE_SLICE]);
	CHECK_INT(o->shape.part_of[SCOPE_CORE][2], 1);
	CHECK_INT(o->shape.part_of[SCOPE_THREAD][1], 0);
	CHECK(net_shape_is_sound(&o->shape));
	CHECK_INT(o->base->n_columns, 6); /* l2 mem x q t odd@ */
	CHECK_STR(o->base->column[5], "odd@");
	CHECK(column_owners_has(o, 0, SCOPE_CORE, 2) && !column_owners_has(o, 0, SCOPE_CORE, 1));
	CHECK(column_owners_has(o, 0, SCOPE_SOCKET, 1) && column_owners_has(o, 8, SCOPE_SOCKET, 0) &&
		column_owners_has(o, 8, SCOPE_SYSTEM, 0));
	CHECK(!column_owners_has(o, 3, SCOPE_CORE, 0)); /* a count per socket is not a count of its cores */
	CHECK(!column_owners_has(o, 5, SCOPE_CORE, 0) && column_owners_has(o, 5, SCOPE_SYSTEM, 0) &&
		column_owners_has(o, 5, SCOPE_SLICE, 0));
	column_owners_free(o);
	obs_table_free(t);
}

/* A pair names both owners. A device's name may have colons. */
static void
pairs_of_owners(void)
{
	static const char *const column[] = {"p@S0-C1:S1-slice4", "p@S0-C1:S0-slice2", "d@0000:3a:00.0", "q@S0:rc1"};
	struct obs_table *t = obs_table_new(column, 4);
	struct column_owners *o = column_owners_new(t, NULL);

	CHECK_INT(o->shape.n[SCOPE_CORE], 1);
	CHECK_INT(o->shape.n[SCOPE_SLICE], 2);
	CHECK_STR(o->name[SCOPE_SLICE][0], "S0-slice2");
	CHECK_INT(o->shape.n[SCOPE_SOCKET], 2);
	CHECK_INT(o->shape.n[SCOPE_DEVICE], 2);
	CHECK_STR(o->name[SCOPE_DEVICE][0], "0000:3a:00.0");
	CHECK_INT(o->base->n_columns, 3);
	CHECK(column_owners_has_pair(o, 0, SCOPE_CORE, 0, SCOPE_SLICE, 1) &&
		!column_owners_has_pair(o, 0, SCOPE_CORE, 0, SCOPE_SLICE, 0));
	CHECK(column_owners_has_pair(o, 0, SCOPE_SOCKET, 0, SCOPE_SOCKET, 1)); /* parts of both ends */
	CHECK(column_owners_has_pair(o, 3, SCOPE_SOCKET, 0, SCOPE_DEVICE, 1));
	for (int s = 0; s < SCOPES; s++)
		CHECK(!column_owners_has(o, 0, (enum scope)s, 0)); /* no count of either end */
	CHECK(column_owners_has(o, 2, SCOPE_DEVICE, 0) &&
		!column_owners_has_pair(o, 2, SCOPE_DEVICE, 0, SCOPE_DEVICE, 0));
	column_owners_free(o);
	obs_table_free(t);
}

/* A count per core is the count of its only thread if no thread is named; without owners each scope has one. */
static void
cores_without_threads(void)
{
	static const char *const column[] = {"t@S0-C0", "t@S0-C1"}, *const bare[] = {"t", "l2"};
	struct obs_table *t = obs_table_new(column, 2), *u = obs_table_new(bare, 2);
	struct column_owners *o = column_owners_new(t, NULL), *p = column_owners_new(u, NULL);

	CHECK(o->threads_are_cores);
	CHECK_INT(o->shape.n[SCOPE_THREAD], 2);
	CHECK_INT(o->shape.part_of[SCOPE_THREAD][1], 1);
	CHECK(column_owners_has(o, 1, SCOPE_THREAD, 1) && !column_owners_has(o, 1, SCOPE_THREAD, 0));
	for (int k = 0; k < SCOPES; k++)
		CHECK_INT(p->shape.n[k], 1);
	CHECK(column_owners_has(p, 0, SCOPE_THREAD, 0) && column_owners_has(p, 1, SCOPE_CORE, 0));
	column_owners_free(o);
	column_owners_free(p);
	obs_table_free(t);
	obs_table_free(u);
}

static const char *const net_column[] = {
	"L2@S0-C0", "L2@S0-C1", "T@S0-C0-T0", "T@S0-C0-T2", "T@S0-C1-T1", "MEM@S0", "CLK@S0-C0", "CLK@S0-C1"
};

static void
add(struct obs *o, double time, int64_t first)
{
	int64_t count[] = {first, 2 * first, 10, 20, 5, 7, 1000, 2000};

	obs_add_row(o, count, NULL, time);
}

/* A run that is refused drops its observation; until the timeline takes the table, the snapshot has no name. */
static void
snapshots_of_a_dropped_observation(void)
{
	struct obs_table *t = obs_table_new(net_column, 8);
	const struct obs_table *all[] = {t};
	struct timeline *p = timeline_new(make_network(), NULL);

	add(obs_table_add(t, "run", "test"), 1, 10);
	CHECK(timeline_take(p, all, 1));
	CHECK_STR(timeline_snapshot(p, 0).name, "run");
	obs_table_drop(t, 0);
	CHECK_STR(timeline_snapshot(p, 0).name, "");
	timeline_free(p);
	obs_table_free(t);
}

static void
snapshots_of_a_network(void)
{
	struct obs_table *t = obs_table_new(net_column, 8);
	const struct obs_table *all[] = {t};
	struct obs *o = obs_table_add(t, "run", "test");
	struct timeline *p = timeline_new(make_network(), NULL);
	struct timeline_analysis *l;
	struct timeline_snapshot m;
	const struct timeline_history *h;

	CHECK(!timeline_take(p, all, 1));
	CHECK_INT(timeline_snapshots(p), 0);
	CHECK(!timeline_analysis(p, 0, NULL) && !timeline_history(p, 0) && !timeline_bars(p, TIMELINE_WHOLE, false));
	add(o, 1, 10);
	add(o, 2, 20);
	CHECK(timeline_take(p, all, 1));
	CHECK(!timeline_take(p, all, 1));
	add(o, 4, 40);
	CHECK(timeline_take(p, all, 1));
	CHECK_INT(timeline_snapshots(p), 3);
	m = timeline_snapshot(p, 2);
	CHECK_STR(m.name, "run");
	CHECK_INT(m.number, 3);
	CHECK_INT(m.of, 3);
	CHECK_NEAR(m.end, 4, 0);
	CHECK_NEAR(m.seconds, 2, 0);
	CHECK(m.network && !m.bars);
	l = timeline_analysis(p, 1, NULL);
	CHECK_NEAR(net_state_cell(l->state, 0, 0, 0).hits, 20, 0);
	CHECK_NEAR(net_state_cell(l->state, 0, 0, 0).misses, 30, 0); /* both threads of the core */
	CHECK_NEAR(net_state_cell(l->state, 0, 1, 0).hits, 40, 0);
	CHECK_NEAR(net_state_cell(l->state, 1, 0, 0).hits, 7, 0);
	CHECK_NEAR(l->counter[0].value, 60, 0);
	CHECK_INT(l->broken_laws, 1); /* 60 > 35 */
	if (CHECK(l->culprit != NULL)) {
		CHECK_INT(l->culprit->owner, 0); /* 20·10/1000 against 40·10/2000: equal, and the first is first */
		CHECK_NEAR(l->culprit->length, 0.2, 1e-12);
	}
	timeline_analysis_free(l);
	h = timeline_history(p, 2);
	if (CHECK(h && h->n == 3 && h->first == 0)) {
		for (size_t i = 0; i < 3; i++)
			CHECK_NEAR(h->length[i * h->n_cells + timeline_cell(h, 0, 0, 0)],
				i == 0           ? 0.1
					: i == 1 ? 0.2
						 : 0.4,
				1e-6);
		CHECK(isnan(h->length[timeline_cell(h, 1, 0, 0)])); /* no delay is known */
		CHECK_INT(h->culprit[2], timeline_cell(h, 0, 0, 0));
	}
	CHECK_STR(timeline_owner(p, SCOPE_CORE, 1), "S0-C1");
	CHECK_STR(timeline_owner(p, SCOPE_SLICE, 0), "");
	timeline_free(p);
	obs_table_free(t);
}

/* The snapshots as "name number/of end", one after the other. The caller frees. */
static char *
snapshots_text(const struct timeline *p)
{
	struct str out = {0};

	for (size_t i = 0; i < timeline_snapshots(p); i++) {
		struct timeline_snapshot m = timeline_snapshot(p, i);

		str_addf(&out, "%s%s %zu/%zu %g", i ? ", " : "", m.name, m.number, m.of, m.end);
	}
	return str_take(&out);
}

static void
check_snapshots(const struct timeline *p, const char *want)
{
	char *got = snapshots_text(p);

	CHECK_STR(got, want);
	free(got);
}

/* Programs of a specification: observations grow at the same time, and each keeps its snapshots together. If that moves
 * snapshots, the generation rises. */
static void
observations_that_grow_at_the_same_time(void)
{
	struct obs_table *t = obs_table_new(net_column, 8);
	const struct obs_table *all[] = {t};
	struct obs *one = obs_table_add(t, "one", "test"), *two, *whole = obs_table_add(t, "whole", "test");
	struct timeline *p = timeline_new(make_network(), NULL), *anew = timeline_new(make_network(), NULL);
	const struct timeline_history *h;
	struct timeline_analysis *l;
	size_t before;

	add(one, 1, 10);
	add(whole, 1, 10);
	CHECK(timeline_take(p, all, 1));
	check_snapshots(p, "one 1/1 1, whole 1/1 1");
	CHECK(timeline_history(p, 1) && timeline_history(p, 1)->n == 1);
	before = timeline_generation(p);
	add(one, 2, 20);
	add(whole, 2, 50);
	CHECK(timeline_take(p, all, 1));
	check_snapshots(p, "one 1/2 1, one 2/2 2, whole 1/2 1, whole 2/2 2");
	CHECK(timeline_generation(p) > before);
	h = timeline_history(p, 3);
	CHECK(h && h->n == 2);
	two = obs_table_add(t, "two", "test"); /* it begins later */
	add(two, 3, 30);
	add(whole, 3, 70);
	add(one, 3, 1);
	CHECK(timeline_take(p, all, 1));
	check_snapshots(p, "one 1/3 1, one 2/3 2, one 3/3 3, whole 1/3 1, whole 2/3 2, whole 3/3 3, two 1/1 3");
	CHECK_INT(timeline_find(p, "whole", 2), 4);
	l = timeline_analysis(p, 5, NULL);
	CHECK(l && l->counter[0].value == 70 * 3); /* of both cores */
	timeline_analysis_free(l);
	before = timeline_generation(p);
	add(two, 4, 5);
	CHECK(timeline_take(p, all, 1));
	CHECK_INT(timeline_generation(p), before); /* after all others: no snapshot moves */
	CHECK(timeline_take(anew, all, 1));
	check_snapshots(
		anew, "one 1/3 1, one 2/3 2, one 3/3 3, whole 1/3 1, whole 2/3 2, whole 3/3 3, two 1/2 3, two 2/2 4");
	timeline_free(p);
	timeline_free(anew);
	obs_table_free(t);
}

static void
history_equals_analyses(void)
{
	struct obs_table *t = obs_table_new(net_column, 8);
	const struct obs_table *all[] = {t};
	struct timeline *p = timeline_new(make_network(), NULL);
	uint64_t seed = 5;
	size_t n = 3 * TIMELINE_HISTORY + 7;
	struct obs *o = obs_table_add(t, "run", "test");

	for (size_t i = 0; i < n; i++)
		add(o, (double)i + 1, (int64_t)(i * 10));
	o = obs_table_add(t, "other", "test");
	for (size_t i = 0; i < 5; i++)
		add(o, (double)i + 1, 3);
	timeline_take(p, all, 1);
	CHECK_INT(timeline_snapshots(p), n + 5);
	for (int round = 0; round < 60; round++) {
		size_t upto = round % 3 ? test_random(&seed) % (n + 5) : n - 1 + (size_t)(round % 6),
		       first = upto < n ? 0 : n, wrong = 0;
		const struct timeline_history *h = timeline_history(p, upto);

		test_label("round %d, up to %zu", round, upto);
		CHECK_INT(h->first + h->n, upto + 1);
		CHECK_INT(h->n, upto - first + 1 < TIMELINE_HISTORY ? upto - first + 1 : TIMELINE_HISTORY);
		for (size_t i = 0; i < h->n; i++) {
			double want = h->first + i < n ? (double)(h->first + i) * 0.1 : 0.03;

			wrong += fabs((double)h->length[i * h->n_cells] - want) > 1e-4 * (1 + want);
		}
		CHECK_INT(wrong, 0);
	}
	timeline_free(p);
	obs_table_free(t);
}

/* A table that was replaced, or has fewer rows, is read again. */
static void
replaced_tables(void)
{
	struct obs_table *t = obs_table_new(net_column, 8), *u = obs_table_new(net_column, 8);
	const struct obs_table *one[] = {t}, *two[] = {t, u};
	struct timeline *p = timeline_new(make_network(), NULL);

	add(obs_table_add(t, "a", "test"), 1, 1);
	add(obs_table_add(t, "b", "test"), 1, 2);
	timeline_take(p, one, 1);
	CHECK_INT(timeline_snapshots(p), 2);
	obs_table_drop(t, 1);
	CHECK(timeline_take(p, one, 1));
	CHECK_INT(timeline_snapshots(p), 1);
	add(obs_table_add(u, "c", "test"), 1, 3);
	CHECK(timeline_take(p, two, 2));
	CHECK_INT(timeline_snapshots(p), 2);
	CHECK_STR(timeline_snapshot(p, 1).name, "c");
	CHECK(timeline_take(p, one, 1));
	CHECK_INT(timeline_snapshots(p), 1);
	timeline_free(p);
	obs_table_free(t);
	obs_table_free(u);
}

/* Folded rows: the snapshots are made again, and each is found by its end. */
static void
folded_rows(void)
{
	static const double ends[] = {2, 4, 6};
	struct obs_table *t = obs_table_new(net_column, 8);
	const struct obs_table *all[] = {t};
	struct timeline *p = timeline_new(make_network(), NULL);
	struct obs *o = obs_table_add(t, "run", "test");
	struct timeline_analysis *l, *again;
	size_t generation;

	o->since_start = true;
	for (int64_t i = 1; i <= 10; i++)
		add(o, (double)i, 10 * i);
	timeline_take(p, all, 1);
	generation = timeline_generation(p);
	l = timeline_analysis(p, 3, NULL);
	obs_fold(o, ends, 3);
	add(o, 11, 110);
	CHECK(timeline_take(p, all, 1));
	CHECK(timeline_generation(p) != generation);
	CHECK_INT(timeline_snapshots(p), 8);
	CHECK_INT(timeline_find(p, "run", 3), 1);
	CHECK_INT(timeline_find(p, "run", 4), 1);
	CHECK_INT(timeline_find(p, "run", 9), 5);
	CHECK_INT(timeline_find(p, "run", 99), 7);
	CHECK(timeline_find(p, "other", 1) == SIZE_MAX);
	CHECK_NEAR(timeline_snapshot(p, 1).seconds, 2, 0);
	again = timeline_analysis(p, 1, l); /* the old analysis may belong to another machine now */
	CHECK_NEAR(net_state_cell(again->state, 0, 0, 0).hits, 30 + 40, 0);
	l = timeline_analysis(p, 7, again);
	CHECK(l == again);
	CHECK_NEAR(net_state_cell(l->state, 0, 0, 0).hits, 110, 0);
	CHECK(!timeline_analysis(p, 8, l));
	timeline_free(p);
	obs_table_free(t);
}

/* An analysis in reused memory equals a new one, also in stalls passed back. */
static void
reused_analyses_equal_new_ones(void)
{
	struct obs_table *t = obs_table_new(net_column, 8);
	const struct obs_table *all[] = {t};
	struct timeline *p = timeline_new(make_network(), NULL);
	struct obs *o = obs_table_add(t, "run", "test");
	struct timeline_analysis *old = NULL;
	uint64_t seed = 9;

	for (size_t i = 0; i < 50; i++)
		add(o, (double)i + 1, (int64_t)(test_random(&seed) % 100));
	timeline_take(p, all, 1);
	for (int round = 0; round < 200; round++) {
		size_t snapshot = test_random(&seed) % 50;
		struct timeline_analysis *new = timeline_analysis(p, snapshot, NULL);

		old = timeline_analysis(p, snapshot, old);
		test_label("round %d, snapshot %zu", round, snapshot);
		timeline_analysis_stalls(new);
		if (round % 3)
			timeline_analysis_stalls(old);
		CHECK_INT(old->snapshot, snapshot);
		CHECK_INT(old->broken_laws, new->broken_laws);
		CHECK(!old->culprit == !new->culprit && (!old->culprit || old->culprit->owner == new->culprit->owner));
		for (size_t i = 0; i < old->queues->n; i++)
			CHECK(isnan(old->queues->queue[i].length)
					? isnan(new->queues->queue[i].length)
					: !(old->queues->queue[i].length < new->queues->queue[i].length ||
						  old->queues->queue[i].length > new->queues->queue[i].length));
		for (size_t i = 0; i < old->map->n_rows; i++)
			CHECK_NEAR(old->map->row[i].cell[0].hits, new->map->row[i].cell[0].hits, 0);
		for (size_t i = 0; round % 3 && i < new->n_stalls; i++) {
			const struct net_stalls *x = old->stalls[i], *y = new->stalls[i];

			CHECK_INT(memcmp(x->stall, y->stall, y->n_owners * y->n_kinds * sizeof *y->stall), 0);
		}
		timeline_analysis_free(new);
	}
	timeline_analysis_free(old);
	timeline_free(p);
	obs_table_free(t);
}

static void
add_task(struct obs_table *t, const char *name, const double *time, const int64_t *all, const int64_t *run, size_t n)
{
	struct obs *o = obs_table_add(t, name, "test");

	for (size_t i = 0; i < n; i++)
		obs_add_row(o, (int64_t[]){all[i], run[i]}, NULL, time[i]);
}

static void
bars_of_tasks(void)
{
	static const char *const column[] = {"all", "run"};
	struct obs_table *t = obs_table_new(column, 2);
	const struct obs_table *all[] = {t};
	struct timeline *p = timeline_new(NULL, make_stack());
	struct timeline_bars *b;

	add_task(t, "gcc-10", (double[]){1, 2, 3}, (int64_t[]){100, 100, 50}, (int64_t[]){100, 50, 0}, 3);
	add_task(t, "as-11", (double[]){2, 3}, (int64_t[]){60, 90}, (int64_t[]){10, 20}, 2);
	add_task(t, "gcc-12", (double[]){3}, (int64_t[]){30}, (int64_t[]){30}, 1);
	CHECK(timeline_take(p, all, 1));
	CHECK_INT(timeline_snapshots(p), 3);
	b = timeline_bars(p, 0, false);
	CHECK_INT(b->n, 1);
	CHECK_STR(b->bar[0].name, "gcc-10");
	timeline_bars_free(b);
	b = timeline_bars(p, 2, false);
	CHECK_INT(b->n, 3);
	CHECK_STR(b->bar[0].name, "as-11");
	CHECK_NEAR(b->bar[0].account->whole, 90, 0);
	CHECK_NEAR(b->bar[0].account->amount[1].value, 70, 0);
	CHECK_NEAR(b->bar[0].seconds, 1, 0);
	timeline_bars_free(b);
	b = timeline_bars(p, TIMELINE_WHOLE, true);
	CHECK_INT(b->n, 2);
	CHECK_STR(b->bar[0].name, "gcc");
	CHECK_INT(b->bar[0].n, 2);
	CHECK_NEAR(b->bar[0].account->whole, 280, 0);
	CHECK_NEAR(b->bar[0].account->amount[0].value, 180, 0);
	CHECK_NEAR(b->bar[1].account->whole, 150, 0);
	timeline_bars_free(b);
	add_task(t, "ld-13", (double[]){4}, (int64_t[]){5}, (int64_t[]){5}, 1);
	CHECK(timeline_take(p, all, 1));
	CHECK_INT(timeline_snapshots(p), 4);
	timeline_free(p);
	obs_table_free(t);
}

/* A course has what the bars of each snapshot have, also after the run has grown, in a window of its newest snapshots,
 * and for another bar. */
static void
course_of_a_bar(void)
{
	enum { ROWS = TIMELINE_HISTORY + 40 };
	static const char *const column[] = {"all", "run"};
	struct obs_table *t = obs_table_new(column, 2);
	const struct obs_table *all[] = {t};
	struct timeline *p = timeline_new(NULL, make_stack());
	struct obs *a = obs_table_add(t, "a", "test"), *b = obs_table_add(t, "ab", "test");
	const struct timeline_course *c;

	CHECK(!timeline_course(p, "a", false, 0));
	for (int k = 1; k <= ROWS; k++) {
		obs_add_row(a, (int64_t[]){1000, 10 * k % 997}, NULL, k);
		if (k % 3)
			obs_add_row(b, (int64_t[]){500, k}, NULL, k);
		if (k % 50 != 0 && k != ROWS)
			continue;
		CHECK(timeline_take(p, all, 1));
		for (int bar = 0; bar < 2; bar++) {
			c = timeline_course(p, bar ? "ab" : "a", false, timeline_snapshots(p) - 1);
			if (!CHECK(c))
				break;
			CHECK_INT(c->n, k < TIMELINE_HISTORY ? k : TIMELINE_HISTORY);
			CHECK_INT(c->first + c->n, timeline_snapshots(p));
			for (size_t i = 0; i < c->n; i++) {
				struct timeline_bars *bars = timeline_bars_by(p, 0, c->first + i, false);
				const double *amount = &c->amount[i * (c->n_parts + 1)];
				size_t at = 0;

				while (at < bars->n && !str_eq(bars->bar[at].name, bar ? "ab" : "a"))
					at++;
				for (size_t k2 = 0; k2 < c->n_parts; k2++)
					CHECK(at == bars->n ? isnan(amount[k2])
						: !(fabs(amount[k2] - bars->bar[at].account->amount[k2].share) > 0));
				timeline_bars_free(bars);
			}
		}
	}
	c = timeline_course(p, "a", false, 3); /* an early snapshot: the window begins with the run */
	CHECK(c && c->first == 0 && c->n == TIMELINE_HISTORY);
	timeline_free(p);
	obs_table_free(t);
}

/* Two methods: what only one of them counts, to which one bars belong, and a snapshot that either makes. */
static void
bars_by_several_methods(void)
{
	static const char *const column[] = {"all", "run"}, *const other[] = {"spent"};
	struct obs_table *t = obs_table_new(column, 2), *u = obs_table_new(other, 1);
	const struct obs_table *all[] = {t, u};
	struct timeline *p = timeline_new(NULL, make_stack());
	struct timeline_bars *a, *b;
	size_t n;

	timeline_add_stack(p,
		parsed_stack("s.stack", "stack z per task; counter e = source \"spent\" per task unit ns; whole w = e; "
					"part p key \"p\" = e;"));
	timeline_stacks(p, &n);
	CHECK_INT(n, 2);
	CHECK_INT(timeline_chosen(p), 0);
	add_task(t, "a", (double[]){1, 2}, (int64_t[]){10, 100}, (int64_t[]){1, 2}, 2);
	add_task(t, "b", (double[]){1, 2}, (int64_t[]){50, 5}, (int64_t[]){1, 2}, 2);
	obs_add_row(obs_table_add(u, "c", "test"), (int64_t[]){70}, NULL, 3);
	CHECK(timeline_take(p, all, 2));
	CHECK_INT(timeline_snapshots(p), 3); /* only the second method has the last one */
	a = timeline_bars_by(p, 0, 2, false);
	b = timeline_bars_by(p, 1, 2, false);
	CHECK_INT(a->n, 1);
	CHECK(isnan(a->bar[0].account->whole)); /* it has a bar by each method; this method cannot compute it */
	CHECK_NEAR(b->bar[0].account->whole, 70, 0);
	timeline_bars_free(a);
	timeline_bars_free(b);
	a = timeline_bars(p, TIMELINE_WHOLE, false);
	timeline_choose(p, 1);
	CHECK_STR(timeline_stack(p)->name, "z");
	b = timeline_bars(p, TIMELINE_WHOLE, false);
	CHECK_INT(a->n, 3);
	CHECK_INT(b->n, 3);
	CHECK_STR(a->bar[0].name, "a");
	CHECK_STR(b->bar[0].name, "c"); /* each method has its own order */
	for (size_t i = 0; i < 3; i++)
		for (size_t k = 0; k < 3; k++) /* and the numbers of bars are common to both */
			CHECK((a->bar[i].at == b->bar[k].at) == str_eq(a->bar[i].name, b->bar[k].name));
	timeline_choose(p, 7);
	CHECK_INT(timeline_chosen(p), 1);
	CHECK(!timeline_bars_by(p, 2, TIMELINE_WHOLE, false));
	timeline_bars_free(a);
	timeline_bars_free(b);
	timeline_free(p);
	obs_table_free(t);
	obs_table_free(u);
}

static const char *
names_of(const struct methods *m, struct str *out)
{
	str_clear(out);
	for (size_t i = 0; i < m->n; i++)
		str_addf(out, "%s%s", i ? " " : "", m->part[i].name);
	return str_text(out);
}

/* Parts of the same name are one part; each method keeps its own order. */
static void
parts_of_methods(void)
{
	struct stack *s[] = {
		parsed_stack("s.stack",
			"stack a per task; counter w = source \"w\" per task unit ns; whole x = w; figure \"CPI\" = "
			"w / w; part one key \"1\" = w; part two key \"2\" = w; rest r key \"r\";"),
		parsed_stack("s.stack",
			"stack b per task; counter w = source \"w\" per task unit ns; whole x = w; figure \"CPI\" = "
			"w / w; part zero key \"0\" = w; part one key \"o\" = w; part half key \"h\" = w; rest r key "
			"\"r\";"),
		parsed_stack("s.stack", "stack c per task; counter w = source \"w\" per task unit ns; whole x = w; "
					"part two key \"2\" = w { part deep key \"d\" = w; }"),
	};
	struct methods *m = methods_new(s, 3);
	struct str text = {0};

	CHECK_STR(names_of(m, &text), "zero one half two deep (not accounted for) (not accounted for) r");
	CHECK_INT(m->part[0].stack, 1);
	CHECK_INT(m->part[0].in[0], METHOD_NONE);
	CHECK_INT(m->part[1].in[0], 0);
	CHECK_INT(m->part[1].in[1], 1);
	CHECK_INT(m->part[1].in[2], METHOD_NONE);
	CHECK_INT(m->part[3].in[2], 0);
	CHECK(methods_share_figure(s, 2) && !methods_share_figure(s, 3) && methods_share_unit(s, 3));
	methods_free(m);
	m = methods_new(NULL, 0);
	CHECK_INT(m->n, 0);
	methods_free(m);
	for (size_t i = 0; i < 3; i++)
		stack_free(s[i]);
	str_free(&text);
}

/* The analysis of a whole run is the one of a single snapshot that has all its counts, in all its time. */
static void
whole_runs(void)
{
	struct obs_table *t = obs_table_new(net_column, 8), *sum = obs_table_new(net_column, 8);
	const struct obs_table *all[] = {t}, *sums[] = {sum};
	struct timeline *p = timeline_new(make_network(), NULL), *q = timeline_new(make_network(), NULL);
	struct obs *o = obs_table_add(t, "run", "test"), *other = obs_table_add(sum, "run", "test");
	struct timeline_analysis *l, *m;
	static const double end[] = {6};

	o->since_start = other->since_start = true;
	for (int64_t i = 1; i <= 6; i++) {
		add(o, (double)i, 10 * i);
		add(other, (double)i, 10 * i);
	}
	obs_fold(other, end, 1);
	timeline_take(p, all, 1);
	timeline_take(q, sums, 1);
	CHECK_INT(timeline_snapshots(p), 6);
	CHECK_INT(timeline_snapshots(q), 1);
	l = timeline_analysis_run(p, 5, NULL);
	m = timeline_analysis(q, 0, NULL);
	CHECK(l && l->run && m && !m->run);
	for (size_t i = 0; i < timeline_network(p)->n_counters; i++)
		CHECK((isnan(l->counter[i].value) && isnan(m->counter[i].value)) ||
			fabs(l->counter[i].value - m->counter[i].value) < 1e-9);
	CHECK_INT(l->queues->n, m->queues->n);
	for (size_t i = 0; i < l->queues->n; i++)
		CHECK((isnan(l->queues->queue[i].length) && isnan(m->queues->queue[i].length)) ||
			fabs(l->queues->queue[i].length - m->queues->queue[i].length) < 1e-9);
	/* the last 2 s are two snapshots of 1 s; a window shorter than a snapshot is that one */
	for (size_t k = 0; k < 2; k++) {
		double want = 0;

		for (size_t i = 5 - k; i <= 5; i++) {
			struct timeline_analysis *one = timeline_analysis(p, i, NULL);

			want += one->counter[0].value;
			timeline_analysis_free(one);
		}
		l = timeline_analysis_last(p, 5, k ? 2 : 0.5, l);
		CHECK(l->run && fabs(l->counter[0].value - want) < 1e-9);
	}
	/* up to a snapshot in the middle: less */
	l = timeline_analysis_run(p, 2, l);
	CHECK(l->counter[0].value < m->counter[0].value);
	l = timeline_analysis(p, 5, l);
	CHECK(!l->run);
	timeline_analysis_free(l);
	timeline_analysis_free(m);
	timeline_free(p);
	timeline_free(q);
	obs_table_free(t);
	obs_table_free(sum);
}

TEST_MAIN(CASE(pairs_of_owners), CASE(whole_runs), CASE(folded_rows), CASE(reused_analyses_equal_new_ones),
	CASE(owners), CASE(cores_without_threads), CASE(snapshots_of_a_network),
	CASE(snapshots_of_a_dropped_observation), CASE(observations_that_grow_at_the_same_time),
	CASE(history_equals_analyses), CASE(replaced_tables), CASE(bars_of_tasks), CASE(bars_by_several_methods),
	CASE(course_of_a_bar), CASE(parts_of_methods))
