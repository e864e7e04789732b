/* From a table of observations to the counters of a stack: columns, alternatives, sums, and the reason why a counter is
 * missing. */
#include "app/timeline/stack_count.h"

#include <math.h>
#include <string.h>

#include "core/obs/obs.h"
#include "core/stack/stack.h"
#include "parsed.h"
#include "test.h"

#define STACK \
	"stack t per core; counter a = \"A\" + \"B\" or \"C\" per core unit us; counter own = \"cycles\" per core " \
	"unit ns; " \
	"counter src = source \"cycles\" per core unit ns; counter u = unresolved per core unit ns; whole w = own; " \
	"part p = a; part q = src; part r = u;"

/* Column names, the columns that each counter must have (one bit each), and those of them that match by an added
 * ":u". */
static void
columns(void)
{
	static const struct { const char *column[4]; size_t n; unsigned want[4], user; } row[] = {
		{{"A", "B", "C", "cycles"}, 4, {3, 8, 8, 0}, 0},
		{{"A", "C", "x", "y"}, 4, {2, 0, 0, 0}, 0},
		{{"a:u", "b", "own", "u"}, 4, {3, 4, 0, 8}, 1},
		/* "a" is the counter's own name; a class matches by its exact name only */
		{{"CPU-Cycles", "a", "C"}, 3, {2, 1, 0, 0}, 0},
		{{"c:U"}, 1, {1, 0, 0, 0}, 1},
		{{"cycles:u"}, 1, {0, 1, 0, 0}, 2},
		{{"x"}, 1, {0, 0, 0, 0}, 0},
	};
	struct stack *s = parsed_stack("t.stack", STACK);

	for (size_t k = 0; s && k < sizeof row / sizeof *row; k++) {
		struct obs_table *t = obs_table_new(row[k].column, row[k].n);
		struct stack_columns *m = stack_columns_new(s, t);
		unsigned user = 0;

		test_label("row %zu", k);
		for (size_t i = 0; i < 4; i++) {
			unsigned got = 0;

			for (size_t c = m->first[i]; c < m->first[i + 1]; c++)
				got |= 1u << m->column[c];
			CHECK_INT(got, row[k].want[i]);
			user |= (unsigned)m->user_only[i] << i;
		}
		CHECK_INT(user, row[k].user);
		stack_columns_free(m);
		obs_table_free(t);
	}
	stack_free(s);
}

static void
sums_and_reasons(void)
{
	static const char *const name[] = {"A", "B", "own", "src"};
	struct obs_table *t = obs_table_new(name, 4);
	struct obs *o = obs_table_add(t, "one", "here");
	struct stack *s = parsed_stack("t.stack", STACK);
	struct stack_columns *m = s ? stack_columns_new(s, t) : NULL;
	struct stack_counts *c;

	o->decimals = 1;
	obs_add_row(o, (int64_t[]){10, 25, ((int64_t)1 << 53) + 1, 7}, NULL, NAN);
	obs_add_row(o, (int64_t[]){30, 5, 9, 0}, (unsigned char[]){1, 1, 1, 0}, NAN);
	obs_set_quality(o, 1, 0.4, 0);
	if (!m)
		return;
	c = stack_counts_new(s, m, t, 0);
	CHECK_INT(c->lack[0], STACK_COUNTED);
	CHECK_NEAR(c->value[0], (1 + 2.5 + 3 + 0.5) * 1000, 1e-9); /* us in ns */
	CHECK(c->running[0] == 0.4 && c->filled[0] == 0 && c->running[1] == 1);
	/* whole counts are added exactly: 1 is not lost next to 2^53 */
	CHECK(c->value[1] == (double)(((int64_t)1 << 53) + 10) / 10);
	CHECK_NEAR(c->value[2], 1.4, 1e-12);                          /* 0.7 in one row of two */
	CHECK(c->filled[2] == 0.5);
	CHECK(isnan(c->value[3]));
	CHECK_INT(c->lack[3], STACK_UNRESOLVED);
	stack_counts_free(c);

	o->health[1] = OBS_DEAD;
	o->health[2] = OBS_UNSUPPORTED;
	obs_forget_column(o, 3, OBS_ABSENT);
	c = stack_counts_new(s, m, t, 0);
	CHECK_INT(c->lack[0], STACK_DEAD);
	CHECK_INT(c->lack[1], STACK_UNSUPPORTED);
	CHECK_INT(c->lack[2], STACK_NOT_COUNTED);
	CHECK(isnan(c->value[0]) && isnan(c->value[1]) && isnan(c->value[2]));
	stack_counts_free(c);
	stack_columns_free(m);

	/* A suspicious zero is counted. */
	o->health[1] = OBS_ZERO_SUSPECT;
	m = stack_columns_new(s, t);
	c = stack_counts_new(s, m, t, 0);
	CHECK_INT(c->lack[0], STACK_COUNTED);
	stack_counts_free(c);
	stack_columns_free(m);
	stack_free(s);
	obs_table_free(t);
}

/* Every reason has its own words. */
static void
reasons_differ(void)
{
	for (enum stack_lack a = STACK_COUNTED; a <= STACK_UNSUPPORTED; a++)
		for (enum stack_lack b = STACK_COUNTED; b < a; b++)
			CHECK(strcmp(stack_lack_text(a), stack_lack_text(b)) != 0);
}

TEST_MAIN(CASE(columns), CASE(sums_and_reasons), CASE(reasons_differ))
