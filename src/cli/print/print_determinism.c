#include "cli/print/print_determinism.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/mem.h"
#include "base/number.h"
#include "base/str.h"
#include "cli/options.h"
#include "cli/print/print.h"
#include "core/trust/judge.h"
#include "core/trust/runs.h"

static void
part_json(struct json_writer *w, const struct trust_part *p)
{
	json_open(w, NULL, '{');
	json_str(w, "by", p->by);
	json_num(w, "slope", p->slope);
	json_num(w, "low", p->low);
	json_num(w, "high", p->high);
	json_str(w, "per", p->per_run ? "run" : "occurrence");
	json_num(w, "occurrences", p->occurrences);
	json_bool(w, "upper_bound", p->bound);
	json_bool(w, "assumed", p->assumed);
	json_bool(w, "subtracted", p->subtracted);
	json_close(w, '}');
}

static void
letters_json(struct json_writer *w, const char *key, trust_letters letters)
{
	struct str s = {0};

	trust_letters_print(letters, &s);
	json_str(w, key, str_text(&s));
	str_free(&s);
}

static void
group_json(struct json_writer *w, const struct trust_group *g, const struct trust_judged *r)
{
	json_open(w, NULL, '{');
	json_str(w, "machine", g->machine);
	json_str(w, "event", g->event);
	json_str(w, "test", g->test);
	json_str(w, "counter", g->counter);
	json_int(w, "runs", (int64_t)(g->stated_runs ? g->stated_runs : g->n));
	json_num(w, "expected", g->expected);
	json_num(w, "expected_each_rep", g->expected + g->rep);
	json_num(w, "mean", r->mean);
	json_num(w, "spread", r->spread);
	json_num(w, "adjusted", r->adjusted);
	json_num(w, "adjusted_spread", r->adjusted_spread);
	json_num(w, "middle", r->middle);
	json_num(w, "middle_distance", r->distance);
	json_num(w, "offset", r->offset);
	json_num(w, "adjusted_offset", r->adjusted - g->expected);
	letters_json(w, "letters", r->letters);
	letters_json(w, "measured_letters", r->measured);
	json_str(w, "verdict", trust_verdict_name(r->verdict));
	json_open(w, "explained", '[');
	for (size_t i = 0; i < r->n_parts; i++)
		part_json(w, &r->part[i]);
	json_close(w, ']');
	json_str(w, "note", r->note);
	json_str(w, "known", r->known);
	json_close(w, '}');
}

void
print_determinism_members(const struct trust_runs *runs, const struct trust_judgement *j, struct json_writer *w)
{
	json_str(w, "schema", "hecate.determinism/1");
	json_open(w, "notes", '[');
	for (size_t i = 0; i < runs->n_notes; i++)
		json_str(w, NULL, runs->note[i]);
	json_close(w, ']');
	json_open(w, "results", '[');
	for (size_t i = 0; i < j->n; i++)
		group_json(w, &runs->group[i], &j->group[i]);
	json_close(w, ']');
}

void
print_determinism_json(const struct trust_runs *runs, const struct trust_judgement *j, struct json_writer *w)
{
	json_open(w, NULL, '{');
	print_determinism_members(runs, j, w);
	json_close(w, '}');
}

/* --- Text --------------------------------------------------------------------------------------------------------- */

#define NAME_WIDTH 20
#define COUNT_WIDTH 18
#define SPREAD_WIDTH 10

struct page {
	const struct trust_runs *runs;
	const struct trust_judgement *j;
	struct str *out;
	bool ascii, verbose;
	size_t *order; /* groups of one table */
	size_t n;
};

static void
count_cell(struct page *p, double v, bool sign, size_t width)
{
	char text[NUMBER_TEXT] = "-";

	if (!isnan(v))
		number_exact(text, llround(v), sign, p->ascii);
	print_right(p->out, text, width, p->ascii);
}

static void
spread_cell(struct page *p, double v)
{
	char text[NUMBER_TEXT] = "-";
	struct str s = {0};

	if (!isnan(v))
		number_exact(text, llround(v), false, p->ascii);
	str_addf(&s, "%s%s", p->ascii ? "+-" : "±", text);
	print_right(p->out, str_text(&s), SPREAD_WIDTH, p->ascii);
	str_free(&s);
}

/* "interrupts: 1 each (0.95 to 1.05), 1607 a run" */
static void
part_line(struct page *p, const struct trust_part *part)
{
	char slope[NUMBER_TEXT], low[NUMBER_TEXT], high[NUMBER_TEXT], n[NUMBER_TEXT];

	number_digits(slope, part->slope, 3, p->ascii);
	number_digits(low, part->low, 3, p->ascii);
	number_digits(high, part->high, 3, p->ascii);
	str_add(p->out, "    ");
	if (part->per_run) {
		number_exact(slope, llround(part->slope), true, p->ascii);
		number_exact(low, llround(part->low), true, p->ascii);
		number_exact(high, llround(part->high), true, p->ascii);
		str_addf(p->out, "%s: %s a run (%s to %s)", part->by, slope, low, high);
	} else {
		number_exact(n, llround(part->occurrences), false, p->ascii);
		str_addf(p->out, "%s: %s each (%s to %s), %s%s a run", part->by, slope, low, high,
			part->bound ? "at most " : "", n);
	}
	str_addf(p->out, "%s%s\n", part->assumed ? ", assumed" : "", part->subtracted ? "" : ", not subtracted");
}

static void
note_line(struct page *p, const char *note)
{
	if (!note)
		return;
	str_add(p->out, "    ");
	print_lines(p->out, note, p->ascii);
	str_addc(p->out, '\n');
}

static void
group_lines(struct page *p, size_t at)
{
	const struct trust_group *g = &p->runs->group[at];
	const struct trust_judged *r = &p->j->group[at];
	struct str letters = {0};

	trust_letters_print(r->letters, &letters);
	print_padded(p->out, g->event, NAME_WIDTH, p->ascii);
	str_addc(p->out, ' ');
	print_padded(p->out, g->test, 6, p->ascii);
	str_addf(p->out, "%4zu", g->stated_runs ? g->stated_runs : g->n);
	count_cell(p, g->expected, false, COUNT_WIDTH);
	count_cell(p, r->mean, false, COUNT_WIDTH);
	spread_cell(p, r->spread);
	count_cell(p, r->adjusted, false, COUNT_WIDTH);
	spread_cell(p, r->adjusted_spread);
	str_add(p->out, "  ");
	print_padded(p->out, letters.n ? str_text(&letters) : "-", 6, p->ascii);
	str_addf(p->out, " %s\n", trust_verdict_name(r->verdict));
	for (size_t i = 0; i < r->n_parts; i++)
		part_line(p, &r->part[i]);
	note_line(p, r->note);
	if (p->verbose)
		note_line(p, r->known);
	str_free(&letters);
}

static void
machine_table(struct page *p)
{
	const char *machine = p->runs->group[p->order[0]].machine;

	if (*machine) {
		print_visible(p->out, machine);
		str_addc(p->out, '\n');
	}
	print_padded(p->out, "event", NAME_WIDTH, p->ascii);
	str_add(p->out, " test  runs");
	print_right(p->out, "expected", COUNT_WIDTH, p->ascii);
	print_right(p->out, "mean", COUNT_WIDTH, p->ascii);
	print_right(p->out, "range", SPREAD_WIDTH, p->ascii);
	print_right(p->out, "adjusted", COUNT_WIDTH, p->ascii);
	print_right(p->out, "range", SPREAD_WIDTH, p->ascii);
	str_add(p->out, "  letters verdict\n");
	for (size_t i = 0; i < p->n; i++)
		group_lines(p, p->order[i]);
	str_addc(p->out, '\n');
}

/* As Tables 9 and 10 of Weaver 2021: the middle of the runs, and the largest distance from it. */
static void
instrumented_table(struct page *p)
{
	const struct trust_group *first = &p->runs->group[p->order[0]];
	const struct trust_judged *judged = &p->j->group[p->order[0]];

	if (*first->machine) {
		print_visible(p->out, first->machine);
		str_add(p->out, ": ");
	}
	print_visible(p->out, first->event);
	str_add(p->out, ", adjusted counter against instrumentation\n");
	for (size_t i = 0; i < judged->n_parts; i++)
		if (!judged->part[i].per_run)
			part_line(p, &judged->part[i]);
	print_padded(p->out, "test", NAME_WIDTH, p->ascii);
	print_right(p->out, "instrumented", COUNT_WIDTH, p->ascii);
	print_right(p->out, "off by", SPREAD_WIDTH, p->ascii);
	print_right(p->out, "counter", COUNT_WIDTH, p->ascii);
	print_right(p->out, "off by", SPREAD_WIDTH, p->ascii);
	print_right(p->out, "difference", COUNT_WIDTH, p->ascii);
	print_right(p->out, "each rep counted", COUNT_WIDTH, p->ascii);
	str_addc(p->out, '\n');
	for (size_t i = 0; i < p->n; i++) {
		const struct trust_group *g = &p->runs->group[p->order[i]];
		const struct trust_judged *r = &p->j->group[p->order[i]];

		print_padded(p->out, g->test, NAME_WIDTH, p->ascii);
		count_cell(p, g->expected, false, COUNT_WIDTH);
		spread_cell(p, g->expected_range);
		count_cell(p, r->middle, false, COUNT_WIDTH);
		spread_cell(p, r->distance);
		count_cell(p, r->middle - g->expected, true, COUNT_WIDTH);
		count_cell(p, r->middle - g->expected - g->rep, true, COUNT_WIDTH);
		str_addc(p->out, '\n');
	}
	str_addc(p->out, '\n');
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
print_determinism_text(
	const struct options *o, const struct trust_runs *runs, const struct trust_judgement *j, struct str *out)
{
	struct page p = {.runs = runs, .j = j, .out = out, .ascii = print_ascii(o), .verbose = o->verbose,
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
		sort_groups(&p, o->sort);
		if (is_instrumented(&runs->group[i]))
			instrumented_table(&p);
		else
			machine_table(&p);
	}
	free(done);
	free(p.order);
}
