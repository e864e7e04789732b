/* From a table of observations to the counters of a stack: columns, alternatives, sums, and the reason why a counter is
 * missing. */
#include "work/timeline/stack_count.h"

#include <math.h>
#include <string.h>

#include "base/str.h"
#include "core/obs/columns.h"
#include "core/obs/obs.h"
#include "core/stack/account.h"
#include "core/stack/stack.h"
#include "event/modifiers.h"
#include "parsed.h"
#include "test.h"
#include "work/timeline/stack_notes.h"

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
		{{"a:u", "b:u", "own", "u"}, 4, {3, 4, 0, 8}, 1},
		{{"a:u", "b", "own", "u"}, 4, {0, 4, 0, 8}, 0},
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

			for (size_t c = m->match->first[i]; c < m->match->first[i + 1]; c++)
				got |= 1u << m->match->column[c];
			CHECK_INT(got, row[k].want[i]);
			user |= (unsigned)(m->match->mode[i] == EVENT_MOD_USER) << i;
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

/* What each reason says about the parts, and what to do about it. */
static void
missing_counters_have_advice(void)
{
	static const struct { enum stack_lack lack; const char *note; } row[] = {
		{STACK_NO_COLUMN,
			"no count of a (not in the data): p cannot be computed; count its events (--check lists them), "
			"or name a column so"},
		{STACK_DEAD,
			"no count of a (dead: it counts, but never anything): p cannot be computed; is its event right "
			"for this machine?"},
		{STACK_NOT_COUNTED, "no count of a (not counted in this observation): p cannot be computed"},
	};
	struct stack *s = parsed_stack("t.stack",
		"stack t per core; counter a = \"A\" per core unit cycles; counter c = \"C\" "
		"per core unit cycles; whole w = c; part p = a; rest r;");
	double value[] = {NAN, 100}, running[] = {1, 1}, filled[] = {0, 0};

	for (size_t i = 0; s && i < sizeof row / sizeof *row; i++) {
		enum stack_lack lack[] = {row[i].lack, STACK_COUNTED};
		struct stack_counts counts = {2, value, lack, running, filled, NULL};
		struct stack_account *a = stack_account_new(s, value);
		char **note = stack_notes(&(struct stack_bar){.stack = s, .counts = &counts, .account = a});

		CHECK_STR(note[0], row[i].note);
		CHECK_STR(note[1], "100 of w (r) also holds the parts that cannot be computed");
		str_split_free(note);
		stack_account_free(a);
	}
	stack_free(s);
}

/* Where the sources list no zeros, a counter without a column is 0 if its object is known, and so are single events of
 * a sum. A choice with a column goes before one without. */
static void
zeros_that_are_not_listed(void)
{
	static const char text[] = "stack z per core; counter both = \"cpu.A\" + \"cpu.B\" per core unit ns; counter "
				   "none = \"cpu.C\" per core unit ns; "
				   "counter later = \"cpu.D\" or \"l2.E\" + \"l2.F\" per core unit ns; counter lost = "
				   "\"l3.G\" per core unit ns; "
				   "counter source = source \"cpu.H\" per core unit ns; whole w = both + none + later "
				   "+ lost + source; part p = both;";
	static const char *const name[] = {"cpu.A", "l2.E"};
	static const double want[] = {5, 0, 7, NAN, NAN};
	struct obs_table *t = obs_table_new(name, 2);
	struct obs *o = obs_table_add(t, "one", "here");
	struct stack *s = parsed_stack("z.stack", text);

	obs_add_row(o, (int64_t[]){5, 7}, NULL, NAN);
	for (int silent = 1; s && silent >= 0; silent--) {
		struct stack_columns *m;
		struct stack_counts *c;

		o->silent_zeros = silent;
		m = stack_columns_new(s, t);
		c = stack_counts_new(s, m, t, 0);
		for (size_t i = 0; i < s->n_counters; i++) {
			test_label("%s, %d", s->counter[i].name, silent);
			CHECK(silent && !isnan(want[i]) ? c->value[i] == want[i] && c->lack[i] == STACK_COUNTED :
				isnan(c->value[i]) && c->lack[i] == STACK_NO_COLUMN);
			CHECK_INT(c->zero[i], silent && !isnan(want[i]));
		}
		stack_counts_free(c);
		stack_columns_free(m);
	}
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

TEST_MAIN(CASE(columns), CASE(sums_and_reasons), CASE(missing_counters_have_advice),
	CASE(zeros_that_are_not_listed), CASE(reasons_differ))
