#include "cli/print/print_determinism.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/number.h"
#include "base/str.h"
#include "base/utf8.h"
#include "cli/options.h"
#include "cli/own_options.h"
#include "cli/print/print.h"
#include "cli/print/text_table.h"
#include "core/trust/judge.h"
#include "core/trust/runs.h"
#include "work/trust/known.h"

#define NAME_LIMIT 40
#define NAME_LIMIT_NARROW 20
#define NARROW 100   /* columns of a terminal that is called narrow */
#define INDENT 4
#define TESTS_NAMED 6 /* tests named at most, when something is true of some of an event's tests */

struct page {
	const struct trust_runs *runs;
	const struct trust_judgement *j;
	struct str *out;
	bool ascii, verbose;
	size_t width;  /* columns of a line */
	size_t *order; /* groups of one table */
	size_t n;
};

static void
print_determinism_add_count(const struct page *p, struct text_table *t, double v, bool sign)
{
	char text[NUMBER_TEXT] = "-";

	if (!isnan(v))
		number_exact(text, llround(v), sign, p->ascii);
	text_table_add(t, text);
}

static void
add_distance(const struct page *p, struct text_table *t, double v)
{
	char text[NUMBER_TEXT];

	if (isnan(v))
		text_table_add(t, "-");
	else
		text_table_addf(t, "%s%s", p->ascii ? "+-" : "±", number_exact(text, llround(v), false, p->ascii));
}

/* "interrupts: 1 each (0.95 to 1.05)" */
static void
add_slope(const struct page *page, const struct trust_part *part, struct str *out)
{
	char slope[NUMBER_TEXT], low[NUMBER_TEXT], high[NUMBER_TEXT];

	if (part->per_run) {
		number_exact(slope, llround(part->slope), true, page->ascii);
		number_exact(low, llround(part->low), true, page->ascii);
		number_exact(high, llround(part->high), true, page->ascii);
		str_addf(out, "%s: %s a run (%s to %s)", part->by, slope, low, high);
	} else {
		number_digits(slope, part->slope, 3, page->ascii);
		number_digits(low, part->low, 3, page->ascii);
		number_digits(high, part->high, 3, page->ascii);
		str_addf(out, "%s: %s each (%s to %s)", part->by, slope, low, high);
	}
}

/* ", 1607 a run", or ", 26 to 344 a run" of several groups. */
static void
add_occurrences(const struct page *p, const struct trust_part *part, double low, double high, struct str *out)
{
	char from[NUMBER_TEXT], to[NUMBER_TEXT];

	if (!part->per_run) {
		number_exact(from, llround(low), false, p->ascii);
		number_exact(to, llround(high), false, p->ascii);
		str_addf(out, ", %s%s%s%s a run", part->bound ? "at most " : "", from,
			str_eq(from, to) ? "" : " to ", str_eq(from, to) ? "" : to);
	}
	str_addf(out, "%s%s", part->assumed ? ", assumed" : "", part->subtracted ? "" : ", not subtracted");
}

static const struct trust_judged *
judged_at(const struct page *p, size_t i)
{
	return &p->j->group[p->order[i]];
}

/* The same part of another group; NULL. */
static const struct trust_part *
same_part(const struct trust_judged *r, const struct trust_part *part)
{
	for (size_t i = 0; i < r->n_parts; i++) {
		const struct trust_part *q = &r->part[i];

		if (str_eq(q->by, part->by) && !q->per_run && !part->per_run && q->slope == part->slope &&
			q->low == part->low && q->high == part->high && q->bound == part->bound &&
			q->assumed == part->assumed && q->subtracted == part->subtracted)
			return q;
	}
	return NULL;
}

static bool
is_said(const struct trust_judged *r, const char *text)
{
	for (size_t i = 0; i < r->n_said; i++)
		if (str_eq(r->said[i].text, text))
			return true;
	return false;
}

/* What rows of one event have in common: a part, or else a sentence, of those in p->order from `first` on. */
struct common {
	size_t first, n;             /* rows of the event */
	const struct trust_part *part;
	const char *text;
};

static bool
has_common(const struct page *p, const struct common *c, size_t i)
{
	return c->part ? same_part(judged_at(p, i), c->part) != NULL : is_said(judged_at(p, i), c->text);
}

static size_t
count_common(const struct page *p, const struct common *c)
{
	size_t n = 0;

	for (size_t i = c->first; i < c->first + c->n; i++)
		n += has_common(p, c, i);
	return n;
}

/* True for the first row that has it. */
static bool
begins_common(const struct page *p, const struct common *c, size_t at)
{
	for (size_t i = c->first; i < at; i++)
		if (has_common(p, c, i))
			return false;
	return true;
}

/* "in each test: ", "in fp, int: ", "in 41 of 48 tests: " */
static void
add_tests(const struct page *page, const struct common *c, struct str *out)
{
	size_t n = count_common(page, c), said = 0;

	if (n == c->n) {
		str_add(out, "in each test: ");
	} else if (n > TESTS_NAMED) {
		str_addf(out, "in %zu of %zu tests: ", n, c->n);
	} else {
		for (size_t i = c->first; i < c->first + c->n; i++)
			if (has_common(page, c, i))
				str_addf(out, "%s%s", said++ ? ", " : "in ", page->runs->group[page->order[i]].test);
		str_add(out, ": ");
	}
}

static void
print_determinism_add_wrapped(struct page *p, struct str *line)
{
	struct str safe = {0};

	utf8_add_visible(&safe, str_text(line), line->n);
	print_wrapped(p->out, str_text(&safe), INDENT, INDENT, p->width, p->ascii);
	str_free(&safe);
	str_clear(line);
}

static void
common_line(const struct page *page, const struct common *common, struct str *line)
{
	double low = INFINITY, high = -INFINITY;

	for (size_t i = common->first; i < common->first + common->n; i++) {
		const struct trust_part *part = same_part(judged_at(page, i), common->part);

		if (part) {
			low = fmin(low, part->occurrences);
			high = fmax(high, part->occurrences);
		}
	}
	add_slope(page, common->part, line);
	add_occurrences(page, common->part, low, high, line);
}

/* Lines below the rows of an event: what is true of several of them. */
static void
common_lines(struct page *page, size_t first, size_t n)
{
	struct common c = {.first = first, .n = n};
	struct str line = {0};

	for (size_t i = first; i < first + n; i++)
		for (size_t k = 0; k < judged_at(page, i)->n_parts; k++) {
			c.part = &judged_at(page, i)->part[k];
			if (count_common(page, &c) < 2 || !begins_common(page, &c, i))
				continue;
			add_tests(page, &c, &line);
			common_line(page, &c, &line);
			print_determinism_add_wrapped(page, &line);
		}
	c.part = NULL;
	for (size_t i = first; i < first + n; i++)
		for (size_t k = 0; k < judged_at(page, i)->n_said; k++) {
			c.text = judged_at(page, i)->said[k].text;
			if (judged_at(page, i)->said[k].of_machine || count_common(page, &c) < 2 ||
				!begins_common(page, &c, i))
				continue;
			add_tests(page, &c, &line);
			str_add(&line, c.text);
			print_determinism_add_wrapped(page, &line);
		}
	str_free(&line);
}

/* Lines below a row: what is true of it alone. */
static void
own_lines(struct page *page, size_t at, size_t first, size_t n)
{
	const struct trust_judged *judged = judged_at(page, at);
	struct common c = {.first = first, .n = n};
	struct str line = {0};

	for (size_t i = 0; i < judged->n_parts; i++) {
		c.part = &judged->part[i];
		if (count_common(page, &c) > 1)
			continue;
		add_slope(page, c.part, &line);
		add_occurrences(page, c.part, c.part->occurrences, c.part->occurrences, &line);
		print_determinism_add_wrapped(page, &line);
	}
	c.part = NULL;
	for (size_t i = 0; i < judged->n_said; i++) {
		c.text = judged->said[i].text;
		if (judged->said[i].of_machine || count_common(page, &c) > 1)
			continue;
		str_add(&line, c.text);
		print_determinism_add_wrapped(page, &line);
	}
	if (page->verbose && judged->known) {
		str_add(&line, judged->known);
		print_determinism_add_wrapped(page, &line);
	}
	str_free(&line);
}

enum { C_EVENT, C_TEST, C_N, C_EXPECTED, C_MEAN, C_RANGE, C_ADJUSTED, C_REST, C_SIGNS, C_VERDICT, N_CELLS };

static void
fill_row(const struct page *page, struct text_table *table, size_t at, bool brief)
{
	const struct trust_group *group = &page->runs->group[page->order[at]];
	const struct trust_judged *judged = judged_at(page, at);
	struct str letters = {0};

	trust_letters_print(judged->letters, &letters);
	text_table_row(table, "%s", group->event);
	text_table_add(table, group->test);
	text_table_addf(table, "%zu", group->stated_runs ? group->stated_runs : group->n);
	print_determinism_add_count(page, table, group->expected, false);
	print_determinism_add_count(page, table, judged->mean, false);
	print_determinism_add_count(page, table, judged->spread, false);
	print_determinism_add_count(page, table, judged->adjusted, false);
	print_determinism_add_count(page, table, judged->adjusted_spread, false);
	text_table_add(table, letters.n ? str_text(&letters) : "-");
	text_table_add(table, brief ? trust_verdict_brief(judged->verdict) : trust_verdict_name(judged->verdict));
	str_free(&letters);
}

static void
add_named(const struct page *p, const char *name, double v, struct str *out)
{
	char text[NUMBER_TEXT];

	if (!isnan(v))
		str_addf(out, "%s%s %s", out->n ? ", " : "", name, number_exact(text, llround(v), false, p->ascii));
}

/* What a table leaves out in hidden columns: "expected 226 990 030, adjusted 226 990 021, range 11". */
static void
hidden_line(struct page *page, const struct text_column *column, size_t at)
{
	const struct trust_group *group = &page->runs->group[page->order[at]];
	const struct trust_judged *judged = judged_at(page, at);
	struct str line = {0};

	if (column[C_N].hidden)
		add_named(page, "runs", (double)(group->stated_runs ? group->stated_runs : group->n), &line);
	if (column[C_RANGE].hidden)
		add_named(page, "range", judged->spread, &line);
	if (column[C_EXPECTED].hidden)
		add_named(page, "expected", group->expected, &line);
	if (column[C_ADJUSTED].hidden && !isnan(judged->adjusted) &&
		llround(judged->adjusted) != llround(judged->mean)) {
		add_named(page, "adjusted", judged->adjusted, &line);
		add_named(page, "range", judged->adjusted_spread, &line);
	}
	if (line.n)
		print_determinism_add_wrapped(page, &line);
	str_free(&line);
}

static void
machine_lines(struct page *page)
{
	const char *machine = page->runs->group[page->order[0]].machine;

	if (*machine) {
		print_visible(page->out, machine);
		str_addc(page->out, '\n');
	}
	for (size_t i = 0; i < page->n; i++)
		for (size_t k = 0; k < judged_at(page, i)->n_said; k++) {
			const struct trust_said *said = &judged_at(page, i)->said[k];
			struct common c = {.n = page->n, .text = said->text};
			struct str line = {0};

			if (!said->of_machine || !begins_common(page, &c, i))
				continue;
			str_add(&line, said->text);
			print_determinism_add_wrapped(page, &line);
			str_free(&line);
		}
}

/* The table in the widest form that fits: with verdicts in full, in brief, or with columns that become lines. */
static struct text_table *
machine_rows(const struct page *page, struct text_column *column)
{
	struct text_table *table = NULL;

	column[C_EXPECTED].hidden = true;
	for (size_t i = 0; i < page->n; i++)
		column[C_EXPECTED].hidden &= isnan(page->runs->group[page->order[i]].expected) != 0;
	for (int brief = 0; brief <= 1; brief++) {
		text_table_free(table);
		table = text_table_new(column, N_CELLS, page->ascii);
		for (size_t i = 0; i < page->n; i++)
			fill_row(page, table, i, brief);
		if (text_table_width(table) <= page->width)
			return table;
	}
	column[C_EXPECTED].hidden = column[C_ADJUSTED].hidden = column[C_REST].hidden = true;
	column[C_N].hidden = text_table_width(table) > page->width;
	column[C_RANGE].hidden = text_table_width(table) > page->width;
	column[C_EVENT].hidden = text_table_width(table) > page->width;
	return table;
}

static void
machine_table(struct page *page)
{
	struct text_column column[N_CELLS] = {
		[C_EVENT] = {.title = "event", .limit = page->width < NARROW ? NAME_LIMIT_NARROW : NAME_LIMIT},
		[C_TEST] = {.title = "test"},
		[C_N] = {.title = "runs", .right = true},
		[C_EXPECTED] = {.title = "expected", .right = true},
		[C_MEAN] = {.title = "mean", .right = true},
		[C_RANGE] = {.title = "range", .right = true},
		[C_ADJUSTED] = {.title = "adjusted", .right = true},
		[C_REST] = {.title = "range", .right = true},
		[C_SIGNS] = {.title = "letters"},
		[C_VERDICT] = {.title = "verdict"},
	};
	struct text_table *table = machine_rows(page, column);

	machine_lines(page);
	text_table_line(table, 0, page->out);
	for (size_t i = 0, n; i < page->n; i += n) {
		for (n = 1; i + n < page->n; n++)
			if (!str_eq(page->runs->group[page->order[i + n]].event,
				    page->runs->group[page->order[i]].event))
				break;
		if (column[C_EVENT].hidden) {
			print_visible(page->out, page->runs->group[page->order[i]].event);
			str_add(page->out, ":\n");
		}
		for (size_t k = i; k < i + n; k++) {
			text_table_line(table, k + 1, page->out);
			hidden_line(page, column, k);
			own_lines(page, k, i, n);
		}
		common_lines(page, i, n);
	}
	str_addc(page->out, '\n');
	text_table_free(table);
}

static void
fill_instrumented(const struct page *page, struct text_table *table)
{
	for (size_t i = 0; i < page->n; i++) {
		const struct trust_group *group = &page->runs->group[page->order[i]];
		const struct trust_judged *judged = judged_at(page, i);

		text_table_row(table, "%s", group->test);
		print_determinism_add_count(page, table, group->expected, false);
		add_distance(page, table, group->expected_range);
		print_determinism_add_count(page, table, judged->middle, false);
		add_distance(page, table, judged->distance);
		print_determinism_add_count(page, table, judged->middle - group->expected, true);
		print_determinism_add_count(page, table, judged->middle - group->expected - group->rep, true);
	}
}

/* As Tables 9 and 10 of Weaver 2021: the middle of the runs, and the largest distance from it. */
static void
instrumented_table(struct page *page)
{
	struct text_column column[] = {
		{.title = "test", .limit = page->width < NARROW ? NAME_LIMIT_NARROW : NAME_LIMIT},
		{.title = "instrumented", .right = true},
		{.title = "off by", .right = true},
		{.title = "counter", .right = true},
		{.title = "off by", .right = true},
		{.title = "difference", .right = true},
		{.title = "each rep counted", .right = true},
	};
	const struct trust_group *first = &page->runs->group[page->order[0]];
	struct text_table *table = text_table_new(column, sizeof column / sizeof column[0], page->ascii);

	fill_instrumented(page, table);
	if (text_table_width(table) > page->width)
		column[2].hidden = column[4].hidden = true;
	if (text_table_width(table) > page->width)
		column[3].hidden = true;
	if (*first->machine) {
		print_visible(page->out, first->machine);
		str_add(page->out, ": ");
	}
	print_visible(page->out, first->event);
	str_add(page->out, ", adjusted counter against instrumentation\n");
	for (size_t i = 0; i < judged_at(page, 0)->n_parts; i++) {
		struct common c = {.n = page->n, .part = &judged_at(page, 0)->part[i]};
		struct str line = {0};

		if (!c.part->per_run) {
			common_line(page, &c, &line);
			print_determinism_add_wrapped(page, &line);
		}
		str_free(&line);
	}
	text_table_end(table, page->out);
	str_addc(page->out, '\n');
}

static bool
is_instrumented(const struct trust_group *g)
{
	return !isnan(g->rep) || g->expected_range > 0;
}

/* One key for groups of the same table. */
static bool
is_together(const struct trust_group *a, const struct trust_group *b)
{
	if (!str_eq(a->machine, b->machine) || is_instrumented(a) != is_instrumented(b))
		return false;
	return !is_instrumented(a) || str_eq(a->event, b->event);
}

static bool
comes_before(const struct page *p, const char *sort, size_t a, size_t b)
{
	const struct trust_group *g = &p->runs->group[a], *h = &p->runs->group[b];
	double x = fabs(p->j->group[a].middle - g->expected), y = fabs(p->j->group[b].middle - h->expected);

	if (str_eq(sort, "event"))
		return strcmp(g->event, h->event) < 0;
	if (str_eq(sort, "difference"))
		return (isnan(x) ? -1 : x) > (isnan(y) ? -1 : y);
	return false;
}

static void
sort_groups(struct page *p, const char *sort)
{
	if (!sort)
		return;
	for (size_t i = 1; i < p->n; i++) /* stable, and tables are short */
		for (size_t k = i; k > 0 && comes_before(p, sort, p->order[k], p->order[k - 1]); k--) {
			size_t t = p->order[k];

			p->order[k] = p->order[k - 1];
			p->order[k - 1] = t;
		}
}

void
print_determinism_text(const struct options *options, const struct trust_runs *runs,
	const struct trust_judgement *judgement, struct str *out)
{
	const struct determinism_options *own = options->own;
	struct page p = {.runs = runs,
		.j = judgement,
		.out = out,
		.ascii = print_ascii(options),
		.verbose = options->verbose,
		.width = print_width(options),
		.order = mem_new_array(runs->n, sizeof(size_t))};
	bool *done = mem_new_array(runs->n, sizeof *done);

	for (size_t i = 0; i < runs->n; i++) {
		if (done[i])
			continue;
		p.n = 0;
		for (size_t k = i; k < runs->n; k++)
			if (!done[k] && is_together(&runs->group[i], &runs->group[k])) {
				done[k] = true;
				p.order[p.n++] = k;
			}
		sort_groups(&p, own->sort);
		if (is_instrumented(&runs->group[i]))
			instrumented_table(&p);
		else
			machine_table(&p);
	}
	free(done);
	free(p.order);
}
