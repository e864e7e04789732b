/* The bounds of a row's true count are computed with more digits than a double has, the middle is rounded to whole
 * units, and whatever rounding loses is added to the width. So the corrected sums are exact integers, and the width is
 * never too small: certificates that are checked exactly hold for every error within the rules. */
#include "core/trust/correct.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/obs/columns.h"
#include "core/obs/obs.h"
#include "core/trust/book.h"
#include "event/name.h"

#define LONGEST 1e5       /* s; a later time is a date */
#define DEVIATIONS 3.0    /* standard errors that are added to a width that differs from row to row */
#define PRODUCT_ERROR 0x1p-50L /* more than the relative rounding error of a slope times a count */

/* --- rules ------------------------------------------------------------------------------------------------------- */

static struct trust_rule *
find_rule(struct trust_rules *r, const char *event)
{
	for (size_t i = 0; i < r->n; i++)
		if (event_name_same(r->rule[i].event, event))
			return &r->rule[i];
	r->rule = mem_resize(r->rule, r->n + 1, sizeof *r->rule);
	r->rule[r->n] = (struct trust_rule){.event = mem_str(event)};
	return &r->rule[r->n++];
}

void
trust_rules_add(struct trust_rules *r, const char *event, struct trust_term t, const char *source)
{
	struct trust_rule *x = find_rule(r, event);
	size_t k = 0;

	while (k < x->n_terms && x->term[k].cause != t.cause)
		k++;
	x->term[k] = t;
	x->n_terms += k == x->n_terms;
	if (source && !x->source)
		x->source = mem_str(source);
}

void
trust_rules_add_page(struct trust_rules *r, const struct trust_page *page)
{
	for (size_t i = 0; page && i < page->n; i++) {
		const struct trust_entry *e = &page->entry[i];

		for (size_t k = 0; k < e->n_events; k++)
			for (size_t t = 0; t < e->n_terms; t++)
				trust_rules_add(r, e->event[k], e->term[t], e->source);
	}
}

struct trust_rules
trust_rules_copy(const struct trust_rules *r)
{
	struct trust_rules copy = {.n = r->n};

	copy.rule = mem_copy(r->rule, r->n * sizeof *r->rule);
	for (size_t i = 0; i < copy.n; i++) {
		copy.rule[i].event = mem_str(r->rule[i].event);
		copy.rule[i].source = r->rule[i].source ? mem_str(r->rule[i].source) : NULL;
	}
	return copy;
}

void
trust_rules_clear(struct trust_rules *r)
{
	for (size_t i = 0; i < r->n; i++) {
		free(r->rule[i].event);
		free(r->rule[i].source);
	}
	free(r->rule);
	*r = (struct trust_rules){0};
}

void
trust_books_add(struct trust_books *b, const char *cpu, const struct trust_page *p)
{
	struct trust_book_rules *x;

	b->item = mem_resize(b->item, b->n + 1, sizeof *b->item);
	x = &b->item[b->n++];
	*x = (struct trust_book_rules){.cpu = mem_str(cpu)};
	trust_rules_add_page(&x->rules, p);
}

const struct trust_rules *
trust_books_rules(const struct trust_books *b, const char *cpu)
{
	for (size_t i = 0; cpu && i < b->n; i++)
		if (str_eq(b->item[i].cpu, cpu))
			return &b->item[i].rules;
	return NULL;
}

struct trust_books
trust_books_copy(const struct trust_books *b)
{
	struct trust_books copy = {.n = b->n, .item = mem_new_array(b->n, sizeof *copy.item)};

	for (size_t i = 0; i < b->n; i++)
		copy.item[i] = (struct trust_book_rules){
			.cpu = mem_str(b->item[i].cpu), .rules = trust_rules_copy(&b->item[i].rules)};
	return copy;
}

void
trust_books_clear(struct trust_books *b)
{
	for (size_t i = 0; i < b->n; i++) {
		free(b->item[i].cpu);
		trust_rules_clear(&b->item[i].rules);
	}
	free(b->item);
	*b = (struct trust_books){0};
}

/* --- causes ------------------------------------------------------------------------------------------------------ */

/* The most times a second that a cause can occur on a CPU; 0: not bounded by time. Interrupts: Linux's timer has no
 * higher rate (CONFIG_HZ), and this is its default bound in exact totals, too. Faults: each takes the kernel a quarter
 * of a microsecond or more. Floating-point exceptions send a signal each, and lazy handling of the FPU follows a
 * switch of tasks: a program that has more of them must count them. */
static double
trust_cause_rate(enum trust_cause c)
{
	switch (c) {
	case TRUST_PER_INTERRUPT:
	case TRUST_PER_EXCEPTION:
	case TRUST_PER_LAZY_FPU:
		return 1000;
	case TRUST_PER_FAULT:
		return 4e6;
	case TRUST_PER_SWITCH:
		return 1e5;
	case TRUST_PER_RUN:
	case TRUST_PER_COUNT:
	case TRUST_N_CAUSES:
		break;
	}
	return 0;
}

/* Names of columns that count a cause, ended by NULL. A name after "<=" counts more than the cause: an upper bound. The
 * hardware events are those of Weaver 2021, tables 1 to 4. */
static const char *const cause_name[TRUST_N_CAUSES][16] = {
	[TRUST_PER_INTERRUPT] = {"interrupts", "hw_int_rcv", "hw_interrupts.received", "hw_interrupts", "hw_int.rcv",
		"interrupts_taken", "r5100c8", "r5000c8", "r50011d", "r5301cb", "r5000cf", "r5300cf", "<=",
		"interrupts_all_cpus", "/proc/interrupts"},
	[TRUST_PER_FAULT] = {"page-faults", "page_faults", "<="},
	[TRUST_PER_EXCEPTION] = {"exceptions", "<="},
	[TRUST_PER_LAZY_FPU] = {"lazy-fpu", "<=", "context-switches", "context_switches"},
	[TRUST_PER_SWITCH] = {"context-switches", "context_switches", "<="},
};

/* The column that counts a cause; n_columns: none does. *upper: it counts at least all of them, perhaps more. */
static size_t
trust_cause_column(const struct obs_table *table, enum trust_cause c, bool *upper)
{
	*upper = false;
	for (size_t k = 0; cause_name[c][k]; k++) {
		size_t column;

		if (str_eq(cause_name[c][k], "<=")) {
			*upper = true;
			continue;
		}
		column = columns_find_event(table, cause_name[c][k]);
		if (column < table->n_columns)
			return column;
	}
	return table->n_columns;
}

/* --- plan -------------------------------------------------------------------------------------------------------- */

static const struct trust_rule *
rule_for(const struct trust_rules *r, const char *column, const char *event)
{
	for (size_t i = r->n; i-- > 0;)
		if (event_name_same(column, r->rule[i].event) || (event && event_name_same(event, r->rule[i].event)))
			return &r->rule[i];
	return NULL;
}

struct trust_plan *
trust_plan_new(const struct trust_rules *rules, const struct obs_table *table, const char *const *event)
{
	struct trust_plan *plan = mem_new(sizeof *plan);
	bool some = false;

	plan->n_columns = table->n_columns;
	plan->rule = mem_new_array(table->n_columns, sizeof(const struct trust_rule *));
	for (size_t c = 0; c < table->n_columns; c++) {
		plan->rule[c] = rule_for(rules, table->column[c], event ? event[c] : NULL);
		if (plan->rule[c] && !plan->rule[c]->n_terms)
			plan->rule[c] = NULL;
		some |= plan->rule[c] != NULL;
	}
	for (size_t k = 0; k < TRUST_N_CAUSES; k++)
		plan->cause[k] = trust_cause_column(table, (enum trust_cause)k, &plan->upper[k]);
	if (some)
		return plan;
	trust_plan_free(plan);
	return NULL;
}

void
trust_plan_free(struct trust_plan *p)
{
	if (!p)
		return;
	free(p->rule);
	free(p);
}

/* --- correction -------------------------------------------------------------------------------------------------- */

/* The column that is corrected. */
struct column {
	const struct trust_plan *plan;
	const struct trust_rule *rule;
	const struct obs *o;
	size_t at;
	double *seconds;   /* of each row; NAN: unknown */
	uint32_t guessed;
};

/* Seconds of each row. The first row of a series, whose beginning is unknown, counts as the longest. */
static double *
row_seconds(const struct obs *obs)
{
	double *s = mem_new_array(obs->n_rows, sizeof *s), longest = NAN;

	for (size_t r = 0; r < obs->n_rows; r++) {
		s[r] = !obs->time ? NAN
			: r > 0 ? obs->time[r] - obs->time[r - 1]
			: obs->since_start || (obs->exact && obs->n_rows == 1) ? obs->time[0] : NAN;
		if (!(s[r] > 0 && s[r] < LONGEST))
			s[r] = NAN;
		longest = fmax(longest, s[r]); /* fmax() ignores a NAN */
	}
	if (obs->n_rows && isnan(s[0]))
		s[0] = longest;
	return s;
}

/* Finds how often a cause occurred in a row, least and most. INFINITY: not bounded. */
static void
occurrences(struct column *c, size_t row, enum trust_cause cause, long double n[2])
{
	const struct obs *obs = c->o;
	size_t column = c->plan->cause[cause], cell = row * obs->n_columns + column;
	double rate = trust_cause_rate(cause);

	n[0] = 0;
	if (cause == TRUST_PER_RUN) {
		n[0] = obs->exact ? 1 : 0;
		n[1] = 1;
		return;
	}
	if (column < obs->n_columns && obs->counted[cell] && obs->count[cell] >= 0 && obs->health[column] != OBS_DEAD) {
		size_t here = obs_samples_in_cell(obs, row, c->at), there = obs_samples_in_cell(obs, row, column);

		n[1] = (long double)obs->count[cell] / powl(10, obs->decimals) * (long double)here / (long double)there;
		n[0] = c->plan->upper[cause] ? 0 : n[1];
		return;
	}
	c->guessed |= (uint32_t)1 << cause;
	n[1] = rate > 0 && c->seconds[row] > 0 ? 1 + (long double)rate * c->seconds[row] : INFINITY;
}

/* Finds the bounds of a cell's true count, in units of the observation. False where the width may be too small by
 * rounding; *error bounds that. */
static void
bounds_of_cell(struct column *column, size_t row, long double bound[2], long double *error)
{
	const struct obs *o = column->o;
	long double count = o->count[row * o->n_columns + column->at], unit = powl(10, o->decimals),
		    whole = fmaxl(count, 0);

	bound[0] = bound[1] = count;
	*error = 0;
	for (size_t k = 0; k < column->rule->n_terms; k++) {
		const struct trust_term *term = &column->rule->term[k];
		long double n[2], most, least;

		if (term->cause == TRUST_PER_COUNT)
			continue;
		occurrences(column, row, term->cause, n);
		/* A leak is at most the whole count; what is missing without a bound is not bounded either. */
		most = term->high > 0 ? fminl(term->high * n[1] * unit, whole) : term->high * n[0] * unit;
		least = term->low > 0 ? term->low * n[0] * unit : term->low < 0 ? term->low * n[1] * unit : 0;
		if (term->high > 0 && n[0] > 0 && n[0] == n[1])
			most = term->high * n[1] * unit; /* counted: what exceeds the count is rotation's noise */
		bound[0] -= most;
		bound[1] -= least;
		if (floor(term->high) != term->high || floor(term->low) != term->low)
			*error += PRODUCT_ERROR * (fabsl(most) + fabsl(least));
	}
	for (size_t k = 0; k < column->rule->n_terms; k++) {
		const struct trust_term *term = &column->rule->term[k];
		double low = fmax(term->low, -0.999), high = fmax(term->high, -0.999);

		if (term->cause != TRUST_PER_COUNT)
			continue;
		bound[0] /= 1 + (bound[0] > 0 ? high : low);
		bound[1] /= 1 + (bound[1] > 0 ? low : high);
		*error += PRODUCT_ERROR * (fabsl(bound[0]) + fabsl(bound[1]));
	}
	if (o->exact) {
		bound[0] = fmaxl(bound[0], 0);
		bound[1] = fmaxl(bound[1], 0);
	}
}

/* Sums over the rows of a column, in units. */
struct sums {
	long double count, middle, width, width2, rows;
	size_t samples;
	bool endless; /* a bound is missing */
};

static void
correct_rows(struct column *column, int64_t *count, struct sums *sums)
{
	const struct obs *obs = column->o;

	for (size_t r = 0; r < obs->n_rows; r++) {
		size_t cell = r * obs->n_columns + column->at;
		long double b[2], error, middle, width;

		if (!obs->counted[cell])
			continue;
		bounds_of_cell(column, r, b, &error);
		if (!isfinite(b[0]) || !isfinite(b[1])) {
			sums->endless = true;
			return;
		}
		middle = rintl((b[0] + b[1]) / 2);
		if (fabsl(middle) > (long double)(INT64_MAX / 2)) {
			sums->endless = true;
			return;
		}
		width = fmaxl(b[1] - middle, middle - b[0]) + error;
		sums->count += (long double)obs->count[cell];
		count[cell] = (int64_t)middle;
		sums->middle += middle;
		sums->width += width;
		sums->width2 += width * width;
		sums->rows++;
		sums->samples += obs_samples_in_cell(obs, r, column->at);
	}
}

/* Where noise of rotation took more than was counted in all rows together, subtracts only so much that 0 is left, and
 * returns the width that this adds to the sum. */
static long double
leave_zero(const struct column *column, int64_t *count, const struct sums *sums)
{
	const struct obs *obs = column->o;
	long double part = sums->count > 0 ? sums->count / (sums->count - sums->middle) : 0, sum = 0;

	for (size_t r = 0; r < obs->n_rows; r++) {
		size_t cell = r * obs->n_columns + column->at;

		if (!obs->counted[cell])
			continue;
		count[cell] = obs->count[cell] - (int64_t)rintl((long double)(obs->count[cell] - count[cell]) * part);
		sum += (long double)count[cell];
	}
	return fabsl(sum - sums->middle);
}

/* Corrects one column of `count`; false where nothing changes. */
static bool
correct_column(struct column *column, int64_t *count, struct trust_change *out)
{
	const struct obs *o = column->o;
	struct sums s = {0};
	long double unit = powl(10, o->decimals), width;
	bool changed = false;

	correct_rows(column, count, &s);
	if (!(s.rows > 0) || s.endless) {
		for (size_t r = 0; r < o->n_rows; r++)
			count[r * o->n_columns + column->at] = o->count[r * o->n_columns + column->at];
		if (!s.endless)
			return false;
		*out = (struct trust_change){.column = column->at, .rule = column->rule, .widened = INFINITY,
			.guessed = column->guessed};
		return true;
	}
	width = s.width;
	if (!o->exact && s.rows > 1)
		width += DEVIATIONS * sqrtl(fmaxl(0, s.width2 - s.width * s.width / s.rows));
	if (s.middle < 0)
		width += leave_zero(column, count, &s);
	for (size_t r = 0; r < o->n_rows; r++)
		changed |= count[r * o->n_columns + column->at] != o->count[r * o->n_columns + column->at];
	*out = (struct trust_change){.column = column->at, .rule = column->rule, .guessed = column->guessed,
		.subtracted = (double)((s.count - fmaxl(s.middle, 0)) / (long double)s.samples / unit)};
	if (width > 0)
		out->widened = nextafter((double)(width / (long double)s.samples / unit), INFINITY) * (1 + 0x1p-51);
	return changed || width > 0;
}

bool
trust_correct(const struct trust_plan *plan, const struct obs *obs, struct trust_corrected *out)
{
	struct column c = {.plan = plan, .o = obs};

	*out = (struct trust_corrected){0};
	if (!obs->n_rows || plan->n_columns != obs->n_columns)
		return false;
	c.seconds = row_seconds(obs);
	out->count = mem_copy(obs->count, obs->n_rows * obs->n_columns * sizeof *out->count);
	out->change = mem_new_array(obs->n_columns, sizeof *out->change);
	for (c.at = 0; c.at < obs->n_columns; c.at++) {
		c.rule = plan->rule[c.at];
		c.guessed = 0;
		if (c.rule && obs->health[c.at] != OBS_DEAD && correct_column(&c, out->count, &out->change[out->n]))
			out->n++;
	}
	free(c.seconds);
	if (!out->n)
		trust_corrected_clear(out);
	return out->n > 0;
}

void
trust_corrected_clear(struct trust_corrected *c)
{
	free(c->count);
	free(c->change);
	*c = (struct trust_corrected){0};
}

/* --- words ------------------------------------------------------------------------------------------------------- */

static void
correct_add_range(const struct trust_term *t, double times, struct str *out)
{
	double low = t->low * times, high = t->high * times;

	if (low < high || low > high)
		str_addf(out, "%.4g to %.4g", low, high);
	else
		str_addf(out, "%.4g", low);
}

void
trust_change_words(const struct trust_change *change, struct str *out)
{
	for (size_t k = 0; k < change->rule->n_terms; k++) {
		const struct trust_term *term = &change->rule->term[k];

		str_add(out, k ? " and " : "");
		correct_add_range(term, term->cause == TRUST_PER_COUNT ? 100 : 1, out);
		if (term->cause == TRUST_PER_COUNT)
			str_add(out, " % of the count");
		else
			str_addf(out, " per %s", trust_cause_name(term->cause));
		if (change->guessed & (uint32_t)1 << term->cause)
			str_add(out, " (not counted)");
	}
}
