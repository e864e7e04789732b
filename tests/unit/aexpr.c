/* Expressions with units (text/aexpr.h): which texts are read, what they evaluate to, which are refused, and
 * that the printed form reads as the same expression. Values are worked out by hand. */
#include "text/aexpr.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "mutate.h"
#include "test.h"
#include "text/diag.h"
#include "text/lex.h"
#include "text/source.h"

/* Two counts of requests, cycles, an occupancy, an unknown value and a number of owners. */
static const struct {
	const char *name;
	struct unit unit;
	double value;
} known[] = {
	{"hits", {.power[UNIT_REQUESTS] = 1}, 6},
	{"load.l1$_miss", {.power[UNIT_REQUESTS] = 1}, 4},
	{"clock", {.power[UNIT_CYCLES] = 1}, 100},
	{"a name of its own", {.power = {[UNIT_REQUESTS] = 1, [UNIT_CYCLES] = 1}}, 50},
	{"lost", {.power[UNIT_REQUESTS] = 1}, NAN},
	{"owners(slice)", {{0}}, 32},
};
enum { KNOWN = sizeof known / sizeof *known };

static bool
find(void *ctx, const char *name, uint32_t *index, struct unit *unit, char **hint)
{
	(void)ctx;
	*hint = mem_str("nearest: hits");
	for (uint32_t i = 0; i < KNOWN; i++)
		if (strcmp(known[i].name, name) == 0) {
			*index = i;
			*unit = known[i].unit;
			return true;
		}
	return false;
}

struct reading {
	struct source source;
	struct diags diags;
	struct arena *arena;
	struct aexpr *e;
	bool bound;
};

static void
read_text(struct reading *r, const char *text, size_t n)
{
	struct aexpr_names names = {.find = find};
	struct lexer x;

	*r = (struct reading){.arena = arena_new()};
	source_init(&r->source, mem_str("t"), mem_strn(text, n), n);
	lex_begin(&x, &r->source, &r->diags);
	r->e = aexpr_parse(&x, r->arena);
	if (r->e && x.now.kind != TOKEN_END)
		r->e = NULL;
	r->bound = r->e && aexpr_bind(r->e, &r->source, &names, &r->diags);
}

static void
drop(struct reading *r)
{
	arena_free(r->arena);
	diags_free(&r->diags);
	source_free(&r->source);
}

/* Values of several owners at once are those of each owner, unknown ones among them. */
static void
check_column(const struct aexpr *e, uint64_t *seed)
{
	enum { OWNERS = 5 };
	double at[KNOWN][OWNERS], *room = mem_new_array(aexpr_room(e) * OWNERS, sizeof *room);
	const double *column[KNOWN], *got;

	for (size_t k = 0; k < KNOWN; k++) {
		for (size_t i = 0; i < OWNERS; i++)
			at[k][i] = test_random(seed) % 2 ? known[k].value : (double)(test_random(seed) % 8);
		column[k] = at[k];
	}
	got = aexpr_column(e, column, OWNERS, room);
	for (size_t i = 0; i < OWNERS; i++) {
		double value[KNOWN], want;

		for (size_t k = 0; k < KNOWN; k++)
			value[k] = at[k][i];
		want = aexpr_value(e, value);
		CHECK(isnan(want) ? isnan(got[i]) : got[i] <= want && got[i] >= want);
	}
	free(room);
}

static void
values_and_units(void)
{
	static const struct {
		const char *text;
		double value;
		const char *unit, *print;
	} row[] = {
		{"1 + 2 * 3", 7, "1", "1 + 2 * 3"},
		{"(1 + 2) * 3", 9, "1", "(1 + 2) * 3"},
		{"10 - 4 - 3", 3, "1", "10 - 4 - 3"},
		{"10 - (4 - 3)", 9, "1", "10 - (4 - 3)"},
		{"12 / 2 / 3", 2, "1", "12 / 2 / 3"},
		{"-2 * -3", 6, "1", "-2 * -3"},
		{"-(2 + 3)", -5, "1", "-(2 + 3)"},
		{"hits + load.l1$_miss", 10, "requests", "hits + load.l1$_miss"},
		{"\"a name of its own\" / (hits + load.l1$_miss)", 5, "cycles",
			"\"a name of its own\" / (hits + load.l1$_miss)"},
		{"hits / clock * 5 cycles", 0.3, "requests", "hits / clock * 5 cycles"},
		{"0.3 us", 300, "ns", "300 ns"},
		{"2 KiB / 1 ms", 2048 / 1e6, "bytes/ns", "2048 bytes / 1000000 ns"},
		{"min(hits, load.l1$_miss)", 4, "requests", "min(hits, load.l1$_miss)"},
		{"max(hits - 10 requests, 0)", 0, "requests", "max(hits - 10 requests, 0)"},
		{"hits / (clock - 100 cycles)", NAN, "requests/cycles", "hits / (clock - 100 cycles)"},
		{"min(lost, hits)", NAN, "requests", "min(lost, hits)"},
		{"ratio(hits, clock)", 0.06, "requests/cycles", "ratio(hits, clock)"},
		{"ratio(hits, clock - 100 cycles)", 0, "requests/cycles", "ratio(hits, clock - 100 cycles)"},
		{"ratio(lost, clock - 100 cycles)", NAN, "requests/cycles", "ratio(lost, clock - 100 cycles)"},
		{"if(hits < 7 requests, 2 * 3, lost / hits)", 6, "1", "if(hits < 7 requests, 2 * 3, lost / hits)"},
		{"if(hits > 5 requests, 1, 2)", 1, "1", "if(5 requests < hits, 1, 2)"},
		{"if(hits > 6 requests, 1, 2)", 2, "1", "if(6 requests < hits, 1, 2)"},
		{"if(lost < hits, 1, 2)", NAN, "1", "if(lost < hits, 1, 2)"},
		{"2 * if(counted(lost), lost, hits)", 12, "requests", "2 * if(counted(lost), lost, hits)"},
		{"if(counted(hits), hits, lost)", 6, "requests", "if(counted(hits), hits, lost)"},
		{"clock / owners( slice ) * 2", 6.25, "cycles", "clock / owners(slice) * 2"},
		{"if(counted(owners(slice)), owners(slice), 8)", 32, "1",
			"if(counted(owners(slice)), owners(slice), 8)"},
		{"0 + hits", 6, "requests", "0 + hits"},
		{"3 requests*cycles", 3, "requests*cycles", "3 requests*cycles"},
		{"1e6", 1e6, "1", "1000000"},
	};

	uint64_t seed = 3;

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		double value[KNOWN], got;
		struct str unit = {0}, print = {0};
		struct reading r;

		test_label("%s", row[i].text);
		for (size_t k = 0; k < KNOWN; k++)
			value[k] = known[k].value;
		read_text(&r, row[i].text, strlen(row[i].text));
		if (CHECK(r.bound)) {
			got = aexpr_value(r.e, value);
			CHECK(isnan(row[i].value) ? isnan(got)
						  : fabs(got - row[i].value) <= 1e-12 * fabs(row[i].value));
			check_column(r.e, &seed);
			unit_text(r.e->unit, &unit);
			CHECK_STR(str_text(&unit), row[i].unit);
			aexpr_print(r.e, &print);
			CHECK_STR(str_text(&print), row[i].print);
		}
		str_free(&unit);
		str_free(&print);
		drop(&r);
	}
}

static void
what_is_refused(void)
{
	static const struct {
		const char *text, *says;
	} row[] = {
		{"", "a number, a name or '(' expected"},
		{"1 +", "a number, a name or '(' expected"},
		{"(1", "')' expected"},
		{"min(1)", "',' expected"},
		{"hist", "'hist' is not known here"},
		{"hits + clock", "requests and cycles do not go together"},
		{"hits - 3", "requests and 1 do not go together"},
		{"max(clock, 4 ns)", "cycles and ns do not go together"},
		{"owners(slices)", "'owners(slices)' is not known here"},
		{"owners()", "a scope expected, not ')'"},
		{"owners(slice, core)", "')' expected"},
		{"owners", "'owners' is not known here"},
		{"hits + owners(slice)", "requests and 1 do not go together"},
		{"hits / 0", "a division by zero"},
		{"4 cycels", "a unit expected, not 'cycels'"},
		{"4cycles", "'4cycles' is not a number"},
		{"0x10", "'0x10' is not a number"},
		{"<T> + 1", "a number, a name or '(' expected"},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct reading r;

		test_label("%s", row[i].text);
		read_text(&r, row[i].text, strlen(row[i].text));
		CHECK(!r.bound);
		if (CHECK(r.diags.n > 0))
			CHECK(strstr(r.diags.item[0].text, row[i].says));
		drop(&r);
	}
}

static void
limits_hold(void)
{
	struct str deep = {0}, wide = {0};
	struct reading r;

	for (int i = 0; i < 100000; i++)
		str_addc(&deep, i % 2 ? '-' : '(');
	read_text(&r, str_text(&deep), deep.n);
	CHECK(!r.e && r.diags.errors == 1);
	drop(&r);
	str_add(&wide, "1");
	for (int i = 0; i < 100000; i++)
		str_add(&wide, "+1");
	read_text(&r, str_text(&wide), wide.n);
	CHECK(!r.e && r.diags.errors == 1);
	drop(&r);
	str_free(&deep);
	str_free(&wide);
}

/* Any bytes give an expression or a message. Printing an expression and reading it again gives the same text. */
static void
mutated_text_does_no_harm(void)
{
	static const char good[] = "(\"a name of its own\" - hits * 4 cycles) / max(load.l1$_miss, 1 requests) + "
				   "0.25 * clock / owners(slice)";
	static const char *const piece[] = {"(", ")", "+", "-", "*", "/", "min(", ",", "1e9", " us", "hits", "\"", "0",
		".", "<x>", "//", "\xff", "owners("};
	unsigned rounds = test_rounds(3000, 300000);
	uint64_t seed = 17;

	for (unsigned i = 0; i < rounds; i++) {
		size_t n;
		char *text = mutate(good, strlen(good), piece, sizeof piece / sizeof *piece, 12, &seed, &n);
		struct str once = {0}, twice = {0};
		struct reading r, again;

		read_text(&r, text, n);
		if (r.e) {
			aexpr_print(r.e, &once);
			read_text(&again, str_text(&once), once.n);
			test_label("%s", str_text(&once));
			if (CHECK(again.e)) {
				aexpr_print(again.e, &twice);
				CHECK_STR(str_text(&twice), str_text(&once));
				CHECK(again.bound == r.bound);
			}
			drop(&again);
		}
		if (r.bound)
			check_column(r.e, &seed);
		CHECK(r.bound || r.diags.n > 0 || !r.e);
		drop(&r);
		str_free(&once);
		str_free(&twice);
		free(text);
	}
}

TEST_MAIN(CASE(values_and_units), CASE(what_is_refused), CASE(limits_hold), CASE(mutated_text_does_no_harm))
