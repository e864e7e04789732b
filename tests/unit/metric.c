/* perf's metrics (core/metric/metric.h): which texts are read and how they are grouped, which are refused and why, and
 * that bounds hold, are reached, and come from exact arithmetic. Each formula stands next to the same formula in C. */
#include "core/metric/metric.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/random.h"
#include "base/str.h"
#include "test.h"

/* Leaves a, b, c, d of the formulas below, by name. */
static struct metric_value *
values_of(const struct metric_set *set, const struct metric_value abcd[4])
{
	struct metric_value *value = mem_new_array(set->n_leaves + 1, sizeof *value);

	for (size_t i = 0; i < set->n_leaves; i++) {
		const char *name = set->leaf[i].name;

		value[i] = (struct metric_value){NAN, NAN, NAN};
		if (strlen(name) == 1 && *name >= 'a' && *name <= 'd')
			value[i] = abcd[*name - 'a'];
		if (set->leaf[i].kind != METRIC_EVENT)
			value[i] = (struct metric_value){1, 1, 1};
	}
	return value;
}

static struct metric_result
compute(const char *expr, const struct metric_value abcd[4], size_t pieces)
{
	struct metric_set *set = metric_set_new(&(struct metric_text){.name = "m", .expr = expr}, 1);
	struct metric_value *leaf = values_of(set, abcd);
	struct metric_result result = metric_compute(set, 0, leaf, pieces);

	free(leaf);
	metric_set_free(set);
	return result;
}

static double
random_unit(uint64_t *seed)
{
	return (double)(random_next(seed) >> 11) * 0x1p-53;
}

static double
ratio(double a, double b)
{
	return b < 0 || b > 0 ? a / b : 0;
}

#define FORMULA(name, expression) \
	static double name(double a, double b, double c, double d) \
	{ \
		(void)a, (void)b, (void)c, (void)d; \
		return expression; \
	}
FORMULA(f_sum, a + b * c - d / 2)
FORMULA(f_left, a - b - c)
FORMULA(f_quotients, a / b / c * d)
FORMULA(f_negative, -a * -(b - c))
FORMULA(f_choice, a > b ? a : b - c)
FORMULA(f_choices, a < b ? 1 : a < c ? 2 : 3)
FORMULA(f_sum_chosen, a < b ? a - c : a - d / 2)
FORMULA(f_and, a<b && c> d ? 1 : 0)
FORMULA(f_remainder, (double)((long)a % 7 + ((long)b | 3) + ((long)c ^ 5)))
FORMULA(f_ratio, ratio(a, b) + ratio(c, 0))
FORMULA(f_min, fmin(a, fmax(b, c)) / d)
FORMULA(f_share, a / (a + b + c + d))
FORMULA(f_rest, fmax(0, 1 - a / (a + b) - b / (a + b + c)))
FORMULA(f_cancel, (a + b) / c - (a - d) / c)
FORMULA(f_numbers, 1e-3 * a + .5 * b + 1e2 + 64)
FORMULA(f_product, a *(1000 - a) / (b + 1))
FORMULA(f_smt, a / (b / 2))
/* tma_backend_bound of tools/perf/pmu-events/arch/x86/haswellx/hsx-metrics.json, Linux 6.1, with its parts put in */
FORMULA(f_backend, 1 - (a / (4 * d) + (b - c) / (4 * d) + c / (4 * d)))

static const struct row {
	const char *expr;
	double (*f)(double, double, double, double);
	bool monotone; /* in each count, so the bounds must be reached */
} rows[] = {
	{"a + b * c - d / 2", f_sum, true},
	{"a - b - c", f_left, true},
	{"a / b / c * d", f_quotients, true},
	{"-a * -(b - c)", f_negative, false},
	{"a if a > b else b - c", f_choice, false},
	{"1 if a < b else 2 if a < c else 3", f_choices, true},
	{"a - c if a < b else a - d / 2", f_sum_chosen, false},
	{"a < b & c > d", f_and, true},
	{"a % 7 + (b | 3) + (c ^ 5)", f_remainder, false},
	{"d_ratio(a, b) + d_ratio(c, 0)", f_ratio, true},
	{"min(a, max(b, c)) / d", f_min, true},
	{"a / (a + b + c + d)", f_share, true},
	{"max(0, 1 - a / (a + b) - b / (a + b + c))", f_rest, false},
	/* falls with c, but where a is much larger than b and d, the slopes of a wide box do not show it */
	{"(a + b) / c - (a - d) / c", f_cancel, false},
	{"1e-3 * a + .5 * b + 1e2 + 64", f_numbers, true},
	{"a * (1000 - a) / (b + 1)", f_product, false},
	{"a / (b / 2) if #SMT_on else a / b", f_smt, true},
	{"1 - (a / (4 * d) + (b - c) / (4 * d) + c / (4 * d))", f_backend, true},
};
enum { ROWS = sizeof rows / sizeof *rows };

static void
values_are_those_of_c(void)
{
	struct metric_value at[4];
	uint64_t seed = 7;

	for (size_t i = 0; i < ROWS; i++)
		for (unsigned k = 0; k < 1000; k++) {
			struct metric_result got;
			double x[4], want;

			for (size_t j = 0; j < 4; j++) {
				x[j] = (double)(1 + random_next(&seed) % 1000);
				at[j] = (struct metric_value){x[j], x[j], x[j]};
			}
			want = rows[i].f(x[0], x[1], x[2], x[3]);
			got = compute(rows[i].expr, at, 8);
			test_label("%s, vector %u", rows[i].expr, k);
			if (!CHECK_NEAR(got.value.value, want, 1e-12 * fabs(want) + 1e-12) ||
				!CHECK(got.value.low <= got.value.value && got.value.value <= got.value.high) ||
				!CHECK(got.value.high - got.value.low <= 1e-12 * (1000 + fabs(want))) ||
				!CHECK(got.widest == METRIC_NONE && got.lack == METRIC_LACKS_NOTHING))
				return;
		}
}

/* Sums and products of whole numbers have no rounding, so their bounds are points. */
static void
whole_numbers_stay_exact(void)
{
	const struct metric_value at[4] = {{1e12, 1e12, 1e12}, {3, 3, 3}, {123456789, 123456789, 123456789}, {5, 5, 5}};
	struct metric_result got = compute("a * b + c * 64 - d", at, 1);

	CHECK(got.value.low >= got.value.high);
	CHECK_NEAR(got.value.low, 3007901234491.0, 0);
	got = compute("d / b", at, 1);
	CHECK(got.value.low < got.value.high);
	CHECK(got.value.high - got.value.low < 1e-15);
}

/* 10 000 points of each box lie within the bounds, and the bounds are reached where the metric is monotone. */
static void
bounds_hold_and_are_reached(void)
{
	unsigned boxes = test_rounds(3, 100);
	uint64_t seed = 11;

	for (size_t i = 0; i < ROWS; i++)
		for (unsigned k = 0; k < boxes; k++) {
			struct metric_value box[4];
			struct metric_result got;
			double least = INFINITY, most = -INFINITY;

			for (size_t j = 0; j < 4; j++) {
				double middle = (double)(1 + random_next(&seed) % 1000),
				       share = random_unit(&seed) * .4;

				box[j] = (struct metric_value){middle * (1 - share), middle, middle * (1 + share)};
			}
			got = compute(rows[i].expr, box, 64);
			test_label("%s, box %u", rows[i].expr, k);
			for (unsigned point = 0; point < 10000; point++) {
				double x[4], y;

				for (size_t j = 0; j < 4; j++)
					x[j] = point < 16
						? (point >> j & 1 ? box[j].high : box[j].low)
						: box[j].low + (box[j].high - box[j].low) * random_unit(&seed);
				y = rows[i].f(x[0], x[1], x[2], x[3]);
				least = fmin(least, y);
				most = fmax(most, y);
			}
			if (!CHECK(got.value.low <= least + 1e-9 && most <= got.value.high + 1e-9))
				return;
			if (rows[i].monotone &&
				(!CHECK(!got.enclosure) ||
					!CHECK(least - got.value.low + got.value.high - most <=
						.01 * (got.value.high - got.value.low) + 1e-9)))
				return;
		}
}

/* Random formulas: their text, with all parentheses, and their value by C's arithmetic. */
struct formula {
	char op; /* a leaf 'a' to 'd', '1' to '9', or the sign or first letter of what joins the arguments */
	int arg[3];
};

static int
make_formula(struct formula *node, int *n, unsigned depth, uint64_t *seed)
{
	static const char ops[] = "+-*/+-*/mMi<l&rn";
	int at = (*n)++;

	node[at].op = !depth || random_below(seed, 5) == 0 ? "abcd27"[random_below(seed, 6)]
							   : ops[random_below(seed, sizeof ops - 1)];
	for (int i = 0; i < 3 && strchr("+-*/mMi<l&rn", node[at].op); i++)
		node[at].arg[i] = i < (node[at].op == 'i'                  ? 3
						      : node[at].op == 'n' ? 1
									   : 2)
			? make_formula(node, n, depth - 1, seed)
			: 0;
	return at;
}

static void
print_formula(const struct formula *node, int at, struct str *out)
{
	static const struct {
		char op;
		const char *before, *between, *after;
	} forms[] = {{'+', "(", " + ", ")"}, {'-', "(", " - ", ")"}, {'*', "(", " * ", ")"}, {'/', "(", " / ", ")"},
		{'m', "min(", ", ", ")"}, {'M', "max(", ", ", ")"}, {'<', "(", " < ", ")"},
		{'l', "(", " >= ", ")"}, {'r', "d_ratio(", ", ", ")"}, {'&', "((0 < ", ") & (0 < ", "))"}};

	if (node[at].op == 'n' || node[at].op == 'i') {
		str_add(out, node[at].op == 'n' ? "(-" : "(");
		print_formula(node, node[at].arg[0], out);
		for (int i = 1; i < 3 && node[at].op == 'i'; i++) {
			str_add(out, i == 1 ? " if " : " else ");
			print_formula(node, node[at].arg[i], out);
		}
		str_addc(out, ')');
		return;
	}
	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
		if (forms[i].op == node[at].op) {
			str_add(out, forms[i].before);
			print_formula(node, node[at].arg[0], out);
			str_add(out, forms[i].between);
			print_formula(node, node[at].arg[1], out);
			str_add(out, forms[i].after);
			return;
		}
	str_addc(out, node[at].op);
}

static double
value_of_formula(const struct formula *node, int at, const double x[4])
{
	const int *arg = node[at].arg;
	double a, b;

	if (node[at].op >= '1' && node[at].op <= '9')
		return node[at].op - '0';
	if (node[at].op >= 'a' && node[at].op <= 'd')
		return x[node[at].op - 'a'];
	if (node[at].op == 'i') {
		b = value_of_formula(node, arg[1], x);
		return isnan(b) ? b : value_of_formula(node, b < 0 || b > 0 ? arg[0] : arg[2], x);
	}
	a = value_of_formula(node, arg[0], x);
	b = node[at].op == 'n' ? 0 : value_of_formula(node, arg[1], x);
	if (isnan(a) || isnan(b))
		return NAN;
	switch (node[at].op) {
	case '+':
		return a + b;
	case '-':
		return a - b;
	case '*':
		return a * b;
	case '/':
		return b < 0 || b > 0 ? a / b : NAN;
	case 'r':
		return ratio(a, b);
	case 'm':
		return a < b ? a : b;
	case 'M':
		return a > b ? a : b;
	case '<':
		return a < b;
	case 'l':
		return a >= b;
	case '&':
		return a > 0 && b > 0;
	default:
		return -a;
	}
}

static void
random_formulas_keep_their_bounds(void)
{
	unsigned rounds = test_rounds(3000, 100000), points = 0, bounded = 0;
	uint64_t seed = 41;

	for (unsigned k = 0; k < rounds; k++) {
		struct formula node[256];
		struct metric_value box[4];
		struct metric_result got;
		struct str text = {0};
		int n = 0, top = make_formula(node, &n, 2 + k % 4, &seed);
		bool good = true;

		print_formula(node, top, &text);
		for (size_t j = 0; j < 4; j++) {
			double middle = (double)(1 + random_below(&seed, 20)),
			       half = random_unit(&seed) * middle * (k % 3 ? .1 : 1);

			box[j] = (struct metric_value){middle - half, middle, middle + half};
		}
		got = compute(str_text(&text), box, 1 + k % 2 * 15);
		bounded += got.lack == METRIC_LACKS_NOTHING;
		test_label("%s, formula %u", str_text(&text), k);
		for (unsigned point = 0; point < 100 && good && !got.lack; point++) {
			double x[4], y, slack;

			for (size_t j = 0; j < 4; j++)
				x[j] = point < 16 ? (point >> j & 1 ? box[j].high : box[j].low)
						  : box[j].low + (box[j].high - box[j].low) * random_unit(&seed);
			y = value_of_formula(node, top, x);
			slack = 1e-9 * (1 + fabs(got.value.low) + fabs(got.value.high));
			good = CHECK(!isnan(y)) && CHECK(y >= got.value.low - slack) &&
				CHECK(y <= got.value.high + slack);
			points++;
		}
		str_free(&text);
		if (!good)
			break;
	}
	printf("# %u formulas, %u of them with bounds, %u points\n", rounds, bounded, points);
	CHECK(bounded > rounds / 2);
}

static void
widest_leaf_is_named(void)
{
	const struct metric_value at[4] = {{900, 1000, 1100}, {10, 10, 10}, {0, 1, 2}, {4, 4, 4}};
	struct metric_set *set = metric_set_new(&(struct metric_text){.name = "m", .expr = "c * 1000 + a / b"}, 1);
	struct metric_value *leaf = values_of(set, at);
	struct metric_result got = metric_compute(set, 0, leaf, 8);
	struct str text = {0};

	CHECK(got.widest < set->n_leaves && strcmp(set->leaf[got.widest].name, "c") == 0);
	CHECK_NEAR(got.value.low, 90, 1e-12);
	CHECK_NEAR(got.value.high, 2110, 1e-9);
	metric_substituted(set, 0, leaf, &text);
	CHECK_STR(str_text(&text), "1 * 1000 + 1000 / 10");
	str_free(&text);
	free(leaf);
	metric_set_free(set);
}

static void
no_number_has_a_reason(void)
{
	static const struct {
		const char *expr, *why;
	} lacking[] = {
		{"a / (b - c)", "it divides by b - c, which may be 0: it lies in -1 ... 1"},
		{"1 + a / (d - 4)", "it divides by d - 4, which is 0"},
		{"d_ratio(a, b - c)", "it divides by b - c, which may be 0: it lies in -1 ... 1"},
		{"a + unseen", "unseen has no count"},
		{"a % (d - 4)", "it divides by d - 4, which is 0"},
		{"unseen if b > c else a", "unseen has no count"},
		{"a * 1e200 * 1e200", "a number in it is beyond its range"},
	};
	const struct metric_value at[4] = {{900, 1000, 1100}, {1, 1.5, 2}, {1, 1.2, 2}, {4, 4, 4}};

	for (size_t i = 0; i < sizeof lacking / sizeof *lacking; i++) {
		struct metric_set *set = metric_set_new(&(struct metric_text){.name = "m", .expr = lacking[i].expr}, 1);
		struct metric_value *leaf = values_of(set, at);
		struct metric_result got = metric_compute(set, 0, leaf, 8);
		struct str text = {0};

		test_label("%s", lacking[i].expr);
		metric_lack_print(set, 0, &got, &text);
		CHECK_STR(str_text(&text), lacking[i].why);
		CHECK(isnan(got.value.value) && isnan(got.value.low) && isnan(got.value.high));
		str_free(&text);
		free(leaf);
		metric_set_free(set);
	}
	/* what a condition does not choose need not be known */
	CHECK_NEAR(compute("unseen if d > 5 else d", at, 8).value.value, 4, 0);
}

static void
what_is_not_understood_is_named(void)
{
	static const struct {
		const char *expr, *why;
		size_t at;
	} refused[] = {
		{"a + log2(b)", "the function log2 is unknown", 4},
		{"a / #num_moons", "the constant #num_moons is unknown", 4},
		{"a +", "it ends where a name, a number or '(' should be", 3},
		{"", "it ends where a name, a number or '(' should be", 0},
		{"(a + b", "it ends where ')' should be", 6},
		{"a if b", "it ends where else should be", 6},
		{"min(a)", "')' where ',' should be", 5},
		{"a b", "'b' where a sign or the end should be", 2},
		{"a == b", "'=' where a sign or the end should be", 2},
		{"a => b", "'=' where a sign or the end should be", 2},
		{"a >== b", "'=' where a name, a number or '(' should be", 4},
		{"cpu@EVENT", "'@' without a second one", 0},
		{"1.2.3", "'1.2.3' is not a number", 0},
		{"m + 1", "it needs itself: m, m", 0},
		{"a ! b", "'!' where a sign or the end should be", 2},
	};

	for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
		struct metric_set *set = metric_set_new(&(struct metric_text){.name = "m", .expr = refused[i].expr}, 1);

		test_label("%s", refused[i].expr);
		CHECK_STR(set->metric[0].why, refused[i].why);
		CHECK_INT(set->metric[0].at, refused[i].at);
		metric_set_free(set);
	}
}

/* Names of Linux's pmu-events: tools/perf/pmu-events/arch/x86/{haswellx,sapphirerapids}, Linux 6.1 and 6.12. */
static void
names_lose_their_escapes(void)
{
	static const struct {
		const char *expr, *leaf;
		enum metric_leaf_kind kind;
	} named[] = {
		{"cpu@UOPS_EXECUTED.CORE\\,cmask\\=1@", "cpu/UOPS_EXECUTED.CORE,cmask=1/", METRIC_EVENT},
		{"cpu@EXE_ACTIVITY.3_PORTS_UTIL,umask=0x80@", "cpu/EXE_ACTIVITY.3_PORTS_UTIL,umask=0x80/",
			METRIC_EVENT},
		{"topdown\\-mem\\-bound", "topdown-mem-bound", METRIC_EVENT},
		{"UOPS_DECODED.DEC0@cmask\\=1@", "UOPS_DECODED.DEC0/cmask=1/", METRIC_EVENT},
		{"source_count(UNC_CHA_CLOCKTICKS)", "UNC_CHA_CLOCKTICKS", METRIC_SOURCES},
		{"has_event(TOPDOWN.SLOTS)", "TOPDOWN.SLOTS", METRIC_HAS},
		{"#SMT_on", "#smt_on", METRIC_CONSTANT},
		{"strcmp_cpuid_str(0x410fd493)", "0x410fd493", METRIC_IS_CPU},
	};

	for (size_t i = 0; i < sizeof named / sizeof *named; i++) {
		struct metric_set *set = metric_set_new(&(struct metric_text){.name = "m", .expr = named[i].expr}, 1);

		test_label("%s", named[i].expr);
		if (CHECK(!set->metric[0].why) && CHECK_INT(set->n_leaves, 1)) {
			CHECK_STR(set->leaf[0].name, named[i].leaf);
			CHECK_INT(set->leaf[0].kind, named[i].kind);
		}
		metric_set_free(set);
	}
}

static void
metrics_need_each_other(void)
{
	static const struct metric_text texts[] = {{"Total", "Half + half", NULL}, {"half", "quarter * 2", NULL},
		{"quarter", "a / 4", NULL}, {"x", "y", NULL}, {"y", "z + 1", NULL}, {"z", "y * 2", NULL},
		{"lost", "x + 1", NULL}, {"broken", "1 +", NULL}};
	const struct metric_value at[4] = {{8, 8, 8}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
	struct metric_set *set = metric_set_new(texts, sizeof texts / sizeof *texts);
	struct metric_value *leaf = values_of(set, at);
	struct metric_result all[8];

	metric_compute_all(set, NULL, leaf, 4, all);
	CHECK_NEAR(all[0].value.value, 8, 1e-12);
	CHECK_INT(set->metric[0].n_needs, 3);
	CHECK(set->metric[0].n_uses == 1 && set->metric[0].use[0].often);
	CHECK(!set->metric[1].use[0].often);
	CHECK_INT(metric_set_find(set, "TOTAL"), 0);
	CHECK_STR(set->metric[3].why, "it needs y, which is not understood");
	CHECK_STR(set->metric[4].why, "it needs itself: y, z, y");
	CHECK_STR(set->metric[5].why, "it needs itself: y, z, y");
	CHECK_STR(set->metric[6].why, "it needs x, which is not understood");
	CHECK_INT(all[6].lack, METRIC_NOT_UNDERSTOOD);
	free(leaf);
	metric_set_free(set);
}

/* Long and deep texts are read or refused, a chain of any length is linked. */
static void
sizes_are_bounded(void)
{
	enum { CHAIN = 1500 };
	struct str text = {0};
	struct metric_text *chain = mem_new_array(CHAIN, sizeof *chain);
	char(*name)[2][16] = mem_new_array(CHAIN, sizeof *name);
	const struct metric_value at[4] = {{1, 1, 1}};
	struct metric_set *set;
	struct metric_value *leaf;

	for (unsigned i = 0; i < 400; i++)
		str_add(&text, i ? " + a" : "a");
	CHECK(text.n > 1212);
	CHECK_NEAR(compute(str_text(&text), at, 4).value.value, 400, 0);
	str_clear(&text);
	for (unsigned i = 0; i < 1000; i++)
		str_addc(&text, i < 500 ? '(' : '-');
	set = metric_set_new(&(struct metric_text){.name = "m", .expr = str_text(&text)}, 1);
	CHECK_STR(set->metric[0].why, "it is nested deeper than 200");
	metric_set_free(set);
	str_clear(&text);
	for (unsigned i = 0; i < 10000; i++)
		str_add(&text, "a+");
	set = metric_set_new(&(struct metric_text){.name = "m", .expr = str_text(&text)}, 1);
	CHECK_STR(set->metric[0].why, "it has more than 8192 names, numbers and signs");
	metric_set_free(set);
	for (unsigned i = 0; i < CHAIN; i++) {
		snprintf(name[i][0], sizeof name[i][0], "m%u", i);
		snprintf(name[i][1], sizeof name[i][1], i + 1 < CHAIN ? "m%u + a" : "a", i + 1);
		chain[i] = (struct metric_text){name[i][0], name[i][1], NULL};
	}
	set = metric_set_new(chain, CHAIN);
	leaf = values_of(set, at);
	CHECK_NEAR(metric_compute(set, 0, leaf, 4).value.value, CHAIN, 0);
	free(leaf);
	metric_set_free(set);
	free(chain);
	free(name);
	str_free(&text);
}

/* Damaged texts end in a metric or a reason. */
static void
damage_is_refused(void)
{
	static const char bytes[] = "ab1.()+-*/<>&|^%,@\\# ifelse=?";
	unsigned rounds = test_rounds(20000, 500000), understood = 0;
	uint64_t seed = 5;

	for (unsigned k = 0; k < rounds; k++) {
		char text[40];
		size_t n = random_next(&seed) % (sizeof text - 1);
		struct metric_set *set;

		for (size_t i = 0; i < n; i++)
			text[i] = bytes[random_next(&seed) % (sizeof bytes - 1)];
		text[n] = '\0';
		set = metric_set_new(&(struct metric_text){.name = "m", .expr = text}, 1);
		understood += !set->metric[0].why;
		if (!set->metric[0].why) {
			const struct metric_value at[4] = {{1, 2, 3}, {-1, 0, 1}, {5, 5, 5}, {0, .5, 1}};
			struct metric_value *leaf = values_of(set, at);
			struct metric_result got = metric_compute(set, 0, leaf, 8);
			struct str said = {0};

			metric_substituted(set, 0, leaf, &said);
			metric_lack_print(set, 0, &got, &said);
			if (!CHECK(got.lack ? isnan(got.value.value)
					    : got.value.low <= got.value.value && got.value.value <= got.value.high))
				k = rounds;
			str_free(&said);
			free(leaf);
		}
		metric_set_free(set);
	}
	CHECK(understood > 100);
}

TEST_MAIN(CASE(values_are_those_of_c), CASE(whole_numbers_stay_exact), CASE(bounds_hold_and_are_reached),
	CASE(random_formulas_keep_their_bounds), CASE(widest_leaf_is_named), CASE(no_number_has_a_reason),
	CASE(what_is_not_understood_is_named), CASE(names_lose_their_escapes), CASE(metrics_need_each_other),
	CASE(sizes_are_bounded), CASE(damage_is_refused))
