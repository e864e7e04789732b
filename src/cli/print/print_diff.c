#include "cli/print/print_diff.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/json.h"
#include "base/mem.h"
#include "base/number.h"
#include "base/str.h"
#include "cli/options.h"
#include "cli/own_options.h"
#include "cli/print/print.h"
#include "cli/print/text_table.h"
#include "core/stack/stack.h"
#include "work/diff/diff_words.h"
#include "work/diff/measure.h"

#define TICKS_SAY 0.05 /* seconds of processor time from which its parts are known by samples */

/* --- sentences ---------------------------------------------------------------------------------------------------- */

static void
add_how(const struct diff_page *page, struct str *out, bool ascii)
{
	const struct measured_diff *m = page->measured;
	char seconds[NUMBER_TEXT];

	if (page->recorded)
		str_add(out, "Recorded runs: what changed on the machine between them counts as a difference, too.");
	else
		str_addf(out, "%zu runs of each in blocks of random order, %s, %s.", m->table.n_runs / 2,
			number_seconds(seconds, m->seconds, ascii),
			m->random_layout ? "with environments and a $PWD of random length"
					 : "in the same environment");
	str_addf(out, " All answers together hold with %g %%.\n", page->judge->confidence * 100);
}

static bool
is_verbose(const struct diff_page *page)
{
	return page->options && page->options->verbose;
}

static bool
is_prepared(const struct diff_page *page)
{
	return page->options && ((const struct diff_options *)page->options->own)->prepare;
}

/* Which counters decide by a count of 1, and by whose word; which are constant without one. */
static void
add_exact(const struct diff_page *page, struct str *out)
{
	const struct measured_diff *m = page->measured;
	struct str constant = {0};

	for (size_t i = 0; i < m->table.n; i++) {
		const struct diff_quantity *q = &m->table.quantity[i];
		const struct diff_found *f = &m->report.found[i];

		if (q->exact)
			str_addf(out, "%s is exact by %s: %s.\n", q->name,
				q->exact_by ? q->exact_by : "a book of trust",
				f->exact ? "a difference of 1 decides"
					 : "but its runs differ, so the program varies, and the interval decides");
		else if (f->constant && !q->is_time &&
			(is_verbose(page) || f->answer == DIFF_MORE || f->answer == DIFF_LESS))
			str_addf(&constant, "%s%s", constant.n ? ", " : "", q->name);
	}
	if (constant.n)
		str_addf(out, "The same in all runs of A, and in all of B, but exact by no book of trust: %s.\n",
			str_text(&constant));
	str_free(&constant);
}

static void
add_faults(const struct diff_page *page, struct str *out)
{
	const struct measured_diff *m = page->measured;
	struct diff_faults f;

	for (size_t i = 0; i < m->table.n; i++) {
		const char *name = m->table.quantity[i].name, *what = m->table.quantity[i].stated ? "means" : "runs";
		char *others;
		char least[NUMBER_TEXT], most[NUMBER_TEXT];

		if (!diff_faults_add_up(&m->table, i, &f))
			continue;
		others = f.major == SIZE_MAX
			? mem_str(m->table.quantity[f.minor].name)
			: str_format("%s + %s", m->table.quantity[f.minor].name, m->table.quantity[f.major].name);
		if (f.differ[0] + f.differ[1])
			str_addf(out, "%s differs from %s in %zu %s of A and %zu of B, by %s%s to %s%s%s.\n", name,
				others, f.differ[0], what, f.differ[1], f.least < 0 ? "-" : "",
				number_count(least, fabs(f.least), true), f.most < 0 ? "-" : "",
				number_count(most, fabs(f.most), true),
				f.least < 0 ? ": the counters did not count the same"
				: f.major == SIZE_MAX ? ": major faults, or accesses that failed"
						  : ": accesses that failed");
		else if (m->table.quantity[i].stated)
			str_addf(out, "%s = %s, to the digit of both means.\n", name, others);
		else if (page->recorded || is_verbose(page))
			str_addf(out, "%s = %s in all %zu runs.\n", name, others, f.checked);
		free(others);
	}
}

static void
diff_add_remarks(const struct diff_page *page, struct str *out)
{
	const struct measured_diff *m = page->measured;
	char a[NUMBER_TEXT];

	if (str_eq(page->command[0], page->command[1]))
		str_add(out, "A and B are the same command: this shows the noise.\n");
	if (m->report.warm_up)
		str_addf(out,
			"The first %zu runs were %s %% slower than the others: a warm-up. The medians are without "
			"them.\n",
			m->report.warm_up * SHIFT_BLOCK, number_round(a, m->report.warm_up_by * 100));
	if (!isnan(m->report.drift))
		str_addf(out,
			"Times drifted by %s%s %% from the first to the last third, which does not favour A or B.\n",
			m->report.drift < 0 ? "-" : "+", number_round(a, fabs(m->report.drift) * 100));
	if (!isnan(m->report.carry))
		str_addf(out,
			"A run after one of B takes %s %% %s than one after A: B leaves something behind. --prepare "
			"CMD runs "
			"before each run.\n",
			number_round(a, fabs(m->report.carry) * 100), m->report.carry > 0 ? "longer" : "less");
	for (int side = 0; side < 2; side++)
		if (m->failed[side])
			str_addf(out, "%s failed %zu times (status %d); the blocks of these runs are left out.\n",
				side ? "B" : "A", m->failed[side], m->status[side]);
	for (int side = 0; side < 2; side++)
		if (m->left_behind[side] && !page->recorded && !is_prepared(page))
			str_addf(out,
				"%s leaves files behind. If its runs depend on them: --prepare %s removes them before "
				"each.\n",
				side ? "B" : "A", m->left_behind[side]);
	diff_add_disturbances(out, page->measured, page->recorded);
	add_exact(page, out);
	add_faults(page, out);
	if (m->interrupted)
		str_add(out, "Interrupted: this is the answer so far, and it holds.\n");
	for (size_t i = 0; i < m->n_left_out; i++)
		str_addf(out, "Not counted: %s\n", m->left_out[i]);
}

/* --- text --------------------------------------------------------------------------------------------------------- */

/* A quantity that was never counted, or is 0 in all runs, needs no row. */
static bool
is_shown(const struct diff_page *page, size_t i)
{
	const struct diff_found *f = &page->measured->report.found[i];

	if (!page->recorded && !is_verbose(page) && (i == MEASURE_USER || i == MEASURE_SYSTEM) &&
		page->measured->report.found[MEASURE_CPU].a < TICKS_SAY)
		return false;
	if (!page->recorded && !is_verbose(page) && diff_is_repeated(page->measured, i))
		return false;
	return is_verbose(page) || i == 0 ||
		(f->counted && (f->a != 0 || f->b != 0 || f->answer == DIFF_MORE || f->answer == DIFF_LESS));
}

/* The cells after a quantity's name; free with cells_free(). */
struct cells {
	char *text[6];
};

static struct cells
cells_of(const struct diff_page *page, size_t i, bool ascii)
{
	const struct measured_diff *m = page->measured;
	const struct diff_quantity *q = &m->table.quantity[i];
	const struct diff_found *f = &m->report.found[i];

	return (struct cells){{diff_value_text(q, f->a, ascii), diff_value_text(q, f->b, ascii),
		diff_change_cell(q, f, f->estimate, ascii), diff_change_cell(q, f, f->low, ascii),
		diff_change_cell(q, f, f->high, ascii), diff_answer_text(m, page->recorded, i, ascii)}};
}

static void
cells_free(struct cells *c)
{
	for (size_t k = 0; k < 6; k++)
		free(c->text[k]);
}

static struct text_table *
fill_table(const struct diff_page *page, const struct text_column *column, bool all, bool brief, bool ascii)
{
	const struct measured_diff *m = page->measured;
	struct text_table *table = text_table_new(column, 7, ascii);

	for (size_t i = 0; i < m->table.n; i++) {
		struct cells cells = cells_of(page, i, ascii);

		if (all || is_shown(page, i)) {
			text_table_row(table, "%s", m->table.quantity[i].name);
			for (size_t k = 0; k < 5; k++)
				text_table_add(table, m->report.found[i].counted ? cells.text[k] : "-");
			text_table_add(table, brief ? diff_answer_brief(&m->table.quantity[i], &m->report.found[i])
						    : cells.text[5]);
		}
		cells_free(&cells);
	}
	return table;
}

/* Where whole answers do not fit, they are one word each. */
static void
add_table(const struct diff_page *page, const char *title, bool all, struct str *out, bool ascii)
{
	const struct text_column column[] = {{.title = title, .limit = 32}, {.title = "A", .right = true},
		{.title = "B", .right = true}, {.title = "B/A", .right = true}, {.title = "from", .right = true},
		{.title = "to", .right = true}, {.title = "answer"}};
	struct text_table *table = fill_table(page, column, all, false, ascii);

	if (text_table_width(table) > print_width(page->options)) {
		text_table_free(table);
		table = fill_table(page, column, all, true, ascii);
	}
	text_table_end(table, out);
	str_add(out, "\n");
}

static void
add_markdown_table(const struct diff_page *page, const char *title, bool all, struct str *out)
{
	const struct measured_diff *m = page->measured;

	str_addf(out, "\n| %s | A | B | B/A | interval | answer |\n| --- | ---: | ---: | ---: | --- | --- |\n", title);
	for (size_t i = 0; i < m->table.n; i++) {
		struct cells c = cells_of(page, i, false);

		if ((all || is_shown(page, i)) && m->report.found[i].counted)
			str_addf(out, "| %s | %s | %s | %s | %s to %s | %s |\n", m->table.quantity[i].name, c.text[0],
				c.text[1], c.text[2], c.text[3], c.text[4], c.text[5]);
		cells_free(&c);
	}
}

/* The whole of the stack and its parts, as a page of their own. */
static struct diff_page
page_of_stack(const struct diff_page *page, struct measured_diff *parts)
{
	struct diff_page own = *page;

	*parts = (struct measured_diff){
		.table = page->measured->stack.table, .report = page->measured->stack.report,
		.seconds = page->measured->seconds};
	own.measured = parts;
	return own;
}

/* Adds the lines of a text, broken at blanks where the terminal is narrow; clears it. */
static void
add_lines(const struct diff_page *page, struct str *text, struct str *out, bool ascii)
{
	size_t width = print_width(page->options);

	for (const char *line = str_text(text), *end; *line; line = *end ? end + 1 : end) {
		char *one;

		end = line + strcspn(line, "\n");
		one = mem_strn(line, (size_t)(end - line));
		if (end > line && isatty(STDOUT_FILENO) && !page->options->output)
			print_wrapped(out, one, 0, 0, width, ascii);
		else
			str_addf(out, "%s\n", one);
		free(one);
	}
	str_clear(text);
}

/* On a terminal the answer comes last, where the eye is; elsewhere first. */
void
print_diff_text(const struct diff_page *page, struct str *out)
{
	bool ascii = print_ascii(page->options), last = isatty(STDOUT_FILENO) && !page->options->output;
	struct str answer = {0}, text = {0};

	diff_add_lead(&answer, page->measured, page->judge, page->recorded, ascii);
	diff_add_why(&answer, page->measured, page->recorded, ascii);
	str_add(&answer, last ? "" : "\n");
	if (!last)
		add_lines(page, &answer, out, ascii);
	for (int side = 0; side < 2; side++)
		str_addf(&text, "%s  %s\n", side ? "B" : "A", page->command[side]);
	add_how(page, &text, ascii);
	str_add(&text, "\n");
	add_lines(page, &text, out, ascii);
	add_table(page, "", false, out, ascii);
	if (page->stack) {
		struct measured_diff parts;
		struct diff_page of_stack = page_of_stack(page, &parts);

		str_addf(out, "Parts of the stack %s. These answers together hold with %g %%, too.\n\n",
			page->stack->name, page->judge->confidence * 100);
		add_table(&of_stack, page->stack->name, true, out, ascii);
	}
	diff_add_remarks(page, &text);
	if (last && text.n)
		str_add(&text, "\n");
	add_lines(page, &text, out, ascii);
	if (last)
		add_lines(page, &answer, out, ascii);
	str_free(&answer);
	str_free(&text);
}

void
print_diff_markdown(const struct diff_page *page, struct str *out)
{
	str_add(out, "**");
	diff_add_lead(out, page->measured, page->judge, page->recorded, false);
	out->n--; /* the line's end */
	str_add(out, "**\n");
	add_markdown_table(page, "", false, out);
	if (page->stack) {
		struct measured_diff parts;
		struct diff_page of_stack = page_of_stack(page, &parts);

		add_markdown_table(&of_stack, page->stack->name, true, out);
	}
	str_addf(out, "\nA: `%s`, B: `%s`. ", page->command[0], page->command[1]);
	add_how(page, out, false);
	diff_add_why(out, page->measured, page->recorded, false);
	diff_add_remarks(page, out);
}

static size_t
runs_of(const struct measured_diff *m, unsigned char side)
{
	size_t n = 0;

	for (size_t i = 0; i < m->table.n_runs; i++)
		n += m->table.is_b[i] == side;
	return n;
}

static void
add_values(struct json_writer *json, const double *value, size_t n)
{
	json_open(json, "values", '[');
	for (size_t i = 0; i < n; i++)
		json_num(json, NULL, value[i]);
	json_close(json, ']');
}

/* Of A and of B, where means are stated instead of runs. */
static void
add_stated(struct json_writer *json, const struct diff_stated *stated)
{
	json_open(json, "stated", '[');
	for (size_t k = 0; k < 2 && stated; k++) {
		json_open(json, NULL, '{');
		json_num(json, "mean", stated[k].mean);
		json_num(json, "spread", stated[k].spread);
		json_num(json, "grain", stated[k].grain);
		json_bool(json, "of_runs", stated[k].of_runs);
		json_int(json, "runs", (int64_t)stated[k].runs);
		json_close(json, '}');
	}
	json_close(json, ']');
}

/* Leaves the object open. */
static void
add_found(struct json_writer *json, const struct diff_quantity *q, const struct diff_found *f)
{
	json_open(json, NULL, '{');
	json_str(json, "name", q->name);
	json_str(json, "unit", q->unit);
	json_str(json, "answer", diff_answer_word[f->answer]);
	json_bool(json, "absolute", f->absolute);
	json_bool(json, "exact", f->exact);
	json_str(json, "exact_by", q->exact_by);
	json_bool(json, "constant", f->constant);
	json_num(json, "a", f->a);
	json_num(json, "b", f->b);
	json_num(json, "change", f->estimate);
	json_num(json, "low", f->low);
	json_num(json, "high", f->high);
	json_bool(json, "above_threshold", f->above);
	json_int(json, "more_pairs", (int64_t)(2 * f->more_blocks));
}

void
print_diff_json(const struct diff_page *page, struct json_writer *json)
{
	const struct measured_diff *m = page->measured;

	json_open(json, NULL, '{');
	json_str(json, "schema", "hecate.diff/1");
	json_open(json, "commands", '[');
	for (int side = 0; side < 2; side++)
		json_str(json, NULL, page->command[side]);
	json_close(json, ']');
	json_num(json, "confidence", page->judge->confidence);
	json_num(json, "threshold", page->judge->threshold);
	json_bool(json, "recorded", page->recorded);
	json_open(json, "runs", '[');
	for (unsigned char side = 0; side < 2; side++)
		json_int(json, NULL, (int64_t)runs_of(m, side));
	json_close(json, ']');
	json_open(json, "randomised", '[');
	if (!page->recorded)
		json_str(json, NULL, "order");
	if (!page->recorded && m->random_layout) {
		json_str(json, NULL, "environment");
		json_str(json, NULL, "directory");
	}
	json_close(json, ']');
	json_num(json, "seconds", m->seconds);
	json_bool(json, "interrupted", m->interrupted);
	json_open(json, "failed", '[');
	for (int side = 0; side < 2; side++)
		json_int(json, NULL, (int64_t)m->failed[side]);
	json_close(json, ']');
	json_int(json, "warm_up_runs", (int64_t)(m->report.warm_up * SHIFT_BLOCK));
	json_num(json, "drift", m->report.drift);
	json_num(json, "carry_over", m->report.carry);
	json_num(json, "steal", m->steal);
	json_num(json, "others", m->others);
	json_open(json, "around", '[');
	for (size_t i = 0; i < MEASURE_AROUND && m->around[i]; i++) {
		json_open(json, NULL, '{');
		json_str(json, "name", measure_surrounding[i].name);
		json_str(json, "unit", measure_surrounding[i].unit);
		json_open(json, "values", '[');
		for (size_t r = 0; r < m->table.n_runs; r++)
			json_float(json, NULL, m->around[i][r]);
		json_close(json, ']');
		json_close(json, '}');
	}
	json_close(json, ']');
	json_open(json, "why", '[');
	for (size_t i = 0; i < m->why.report.n && m->why.table.n_runs; i++)
		add_found(json, &m->why.table.quantity[i], &m->why.report.found[i]), json_close(json, '}');
	json_close(json, ']');
	json_open(json, "stack", '[');
	for (size_t i = 0; i < m->stack.report.n; i++)
		add_found(json, &m->stack.table.quantity[i], &m->stack.report.found[i]), json_close(json, '}');
	json_close(json, ']');
	json_open(json, "order", '[');
	for (size_t i = 0; i < m->table.n_runs; i++)
		json_str(json, NULL, m->table.is_b[i] ? "B" : "A");
	json_close(json, ']');
	json_open(json, "quantities", '[');
	for (size_t i = 0; i < m->table.n; i++) {
		const struct diff_quantity *q = &m->table.quantity[i];
		const struct diff_found *f = &m->report.found[i];

		add_found(json, q, f);
		add_values(json, q->value, m->table.n_runs);
		add_stated(json, q->stated);
		json_close(json, '}');
	}
	json_close(json, ']');
	json_close(json, '}');
}
