/* Statistics of Sniper as text. tools/dumpstats.py prints a line for each, with a value for each core:
 *
 *	ncores = 2
 *	performance_model.elapsed_time = 451920000, 451920000
 *	rob_timer.cpiBase = 112980000, 98210000
 *
 * What has one value where there are several cores is of the whole system. sim.stats had a line for each value, at
 * several points in time; the counts are the differences of two of them:
 *
 *	roi-begin.rob_timer[0].cpiBase 500
 *	roi-end.rob_timer[0].cpiBase 112980500
 *
 * Times are in femtoseconds (SubsecondTime: getFS() in common/misc/stats.cc). */
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "collect/import/sniper.h"
#include "collect/import/sniper_snapshots.h"
#include "collect/import/sniper_text.h"
#include "core/obs/obs.h"

#define LINES_TRIED 64 /* lines from which sim.stats is recognised */

struct sniper_stats_line {
	size_t column;
	size_t n;     /* number of values */
	size_t first; /* first of them in `value` */
	int line, col;
};

struct sniper_stats {
	struct sniper_text *t;
	struct sniper_stats_line *line;
	size_t n_lines, cap_lines;
	struct sniper_stats_value {
		bool good;
		struct decimal number;
	} *value;
	size_t n_values, cap_values;
	size_t cores; /* ncores of the dump; 0: not said */
};

/* True for a line "NAME = …"; unless `any`, the name must be OBJECT.METRIC, and a number must follow. */
static bool
is_dump_line(const struct sniper_text *t, bool any)
{
	return t->n_words >= 2 && sniper_word_is(t, 1, "=") &&
		(any ||
			(t->n_words > 2 && memchr(t->word[0].s, '.', t->word[0].n) &&
				memchr("-0123456789", *t->word[2].s, 11)));
}

/* Splits "roi-end.rob_timer[0].cpiBase": *point is where the prefix ends, *open and *close are the brackets, NULL
 * without them. False if the word is no such name. */
static bool
split_name(const struct sniper_word *w, const char **point, const char **open, const char **close)
{
	const char *end = w->s + w->n;

	*point = memchr(w->s, '.', w->n);
	if (!*point || *point == w->s || *point + 1 == end)
		return false;
	*open = memchr(*point, '[', (size_t)(end - *point));
	*close = *open ? memchr(*open, ']', (size_t)(end - *open)) : NULL;
	return !*open ||
		(*close && *close > *open + 1 && strspn(*open + 1, "0123456789") == (size_t)(*close - *open - 1));
}

static bool
is_old_line(const struct sniper_text *t, bool *indexed)
{
	const char *point, *open, *close;
	struct sniper_word number;

	if (t->n_words != 2 || !split_name(&t->word[0], &point, &open, &close))
		return false;
	*indexed |= open != NULL;
	number = t->word[1];
	if (number.n > 1 && *number.s == '-')
		number = (struct sniper_word){number.s + 1, number.n - 1};
	return strspn(number.s, "0123456789") >= number.n;
}

bool
sniper_stats_is(const char *text)
{
	static const char *const sign[] = {"performance_model.", ".cpi", "barrier.global_time", "branch_predictor.",
		"fs_to_cycles"};
	struct sniper_text *t = sniper_text_new("", text, strlen(text), NULL);
	bool known = false, indexed = false, good = t && sniper_text_next(t);

	if (good && is_dump_line(t, false))
		for (size_t i = 0; i < sizeof sign / sizeof *sign; i++)
			known |= strstr(text, sign[i]) != NULL;
	else
		for (size_t i = 0; good && i < LINES_TRIED && is_old_line(t, &indexed) && !indexed; i++)
			good = sniper_text_next(t);
	sniper_text_free(t);
	return known || indexed;
}

/* Reads the values of a line of a dump, which are separated by commas. */
static bool
read_values(struct sniper_stats *s, struct sniper_stats_line *line)
{
	struct sniper_text *t = s->t;

	for (size_t i = 2; i < t->n_words; i++) {
		const struct sniper_word *w = &t->word[i];
		bool last = i + 1 == t->n_words;
		size_t n = w->n - (!last && w->s[w->n - 1] == ',');
		struct decimal number = {0};
		enum sniper_fault fault;

		if (!n || (!last && n == w->n)) {
			/* a text that is no list of values */
			sniper_column_blame(t, line->column, SNIPER_FAULT_NO_COUNT);
			return true;
		}
		fault = sniper_value(t, w->s, n, line->column, &number);
		if (fault == SNIPER_FAULT_NONE && number.decimals)
			sniper_column_blame(t, line->column, SNIPER_FAULT_NO_COUNT);
		mem_grow(&s->value, &s->cap_values, s->n_values + 1, sizeof *s->value);
		s->value[s->n_values++] = (struct sniper_stats_value){fault == SNIPER_FAULT_NONE, number};
		line->n++;
	}
	return true;
}

static bool
read_dump_line(struct sniper_stats *s)
{
	struct sniper_text *t = s->t;
	struct sniper_stats_line line = {.line = t->line, .first = s->n_values};
	size_t had = t->columns.n;
	int64_t cores;

	if (!is_dump_line(t, true))
		return sniper_text_fail(t, 0, "this line is no statistic: NAME = VALUE, VALUE … is expected",
			"import the text of tools/dumpstats.py as it was printed");
	if (t->cut)
		return sniper_text_fail(t, 0, "this statistic has too many values", "was the file damaged?");
	if (t->n_words > 2)
		line.col = (int)(t->word[2].s - t->line_start) + 1;
	if (sniper_word_is(t, 0, "ncores") && t->n_words == 3 && sniper_word_number(&t->word[2], &cores) && cores > 0) {
		s->cores = (size_t)cores;
		return true;
	}
	line.column = sniper_column(t, "", t->word[0].s, t->word[0].n);
	if (t->columns.n == had)
		return sniper_text_fail(t, 0, "this statistic is there twice", "are there two dumps in the file?");
	mem_grow(&s->line, &s->cap_lines, s->n_lines + 1, sizeof *s->line);
	read_values(s, &line);
	s->line[s->n_lines++] = line;
	return true;
}

static size_t
number_core(struct sniper_text *t, size_t core, bool alone)
{
	char *name = alone ? mem_str("") : str_format("core%zu", core);
	size_t i = names_add(&t->cores, name, strlen(name));

	free(name);
	return i;
}

/* Turns the lines of a dump into cells, now that the number of cores is known. */
static bool
spread_dump(struct sniper_stats *s)
{
	struct sniper_text *t = s->t;
	size_t cores = s->cores;

	for (size_t i = 0; i < s->n_lines && !s->cores; i++)
		cores = s->line[i].n > cores ? s->line[i].n : cores;
	for (size_t i = 0; i < s->n_lines; i++) {
		const struct sniper_stats_line *l = &s->line[i];

		t->line = l->line;
		if (l->n == 1 && cores > 1) {
			sniper_column_blame(t, l->column, SNIPER_FAULT_NOT_CORES);
			continue;
		}
		if (l->n && l->n < cores && !t->column[l->column].dropped) {
			err_set(t->e, "this statistic has %zu values, and there are %zu cores", l->n, cores);
			err_hint(t->e, "import the text of tools/dumpstats.py as it was printed");
			return err_place(t->e, t->name, l->line, l->col);
		}
		for (size_t k = 0; k < l->n && k < cores; k++) {
			const struct sniper_stats_value *v = &s->value[l->first + k];
			size_t core = number_core(t, k, cores == 1);

			if (v->good)
				sniper_cell_add(t, l->column, core, v->number);
			else
				sniper_cell_add_unknown(t, l->column, core);
		}
	}
	return true;
}

static bool
read_old_line(struct sniper_snapshots *s)
{
	struct sniper_text *t = s->t;
	const struct sniper_word *w = &t->word[0];
	const char *point, *open, *close, *end = w->s + w->n;
	struct sniper_entry entry = {.line = t->line};
	struct str name = {0};
	bool indexed = false, negative;

	if (!is_old_line(t, &indexed))
		return sniper_text_fail(t, 0,
			"this line is no statistic: SNAPSHOT.OBJECT[CORE].METRIC and a whole number are "
			"expected",
			"was the file cut off, or written to by two simulations?");
	split_name(w, &point, &open, &close);
	str_addn(&name, point + 1, (size_t)((open ? open : end) - point - 1));
	if (open)
		str_addn(&name, close + 1, (size_t)(end - close - 1));
	entry.column = sniper_column(t, "", str_text(&name), name.n);
	str_free(&name);
	entry.snapshot = names_add(&s->snapshots, w->s, (size_t)(point - w->s));
	negative = *t->word[1].s == '-';
	if (!open) {
		sniper_column_blame(t, entry.column, SNIPER_FAULT_NOT_CORES);
	} else if (negative || !sniper_word_number(&t->word[1], &entry.value)) {
		sniper_column_blame(t, entry.column, SNIPER_FAULT_NO_COUNT);
	} else {
		str_add(&name, "core");
		str_addn(&name, open + 1, (size_t)(close - open - 1));
		entry.core = names_add(&t->cores, str_text(&name), name.n);
		str_free(&name);
		sniper_snapshots_add(s, entry);
	}
	return true;
}

static bool
read_old(struct sniper_text *t)
{
	struct sniper_snapshots s = {.t = t};
	bool good;

	do
		good = read_old_line(&s);
	while (good && sniper_text_next(t));
	good = good && sniper_snapshots_spread(&s);
	sniper_snapshots_free(&s);
	return good;
}

static bool
read_dump(struct sniper_text *t)
{
	struct sniper_stats s = {.t = t};
	bool good;

	do
		good = read_dump_line(&s);
	while (good && sniper_text_next(t));
	good = good && spread_dump(&s);
	free(s.line);
	free(s.value);
	return good;
}

struct obs_table *
sniper_stats_read(const char *name, const char *text, size_t n, bool exact, struct err *e)
{
	struct sniper_text *t = sniper_text_new(name, text, n, e);
	struct obs_table *table = NULL;

	(void)exact; /* they always are */
	if (t)
		t->all_zeros = true;
	if (t && !sniper_text_next(t))
		sniper_text_fail(t, SIZE_MAX, "the file is empty", "import the text of tools/dumpstats.py");
	else if (t && (is_dump_line(t, true) ? read_dump(t) : read_old(t)))
		table = sniper_table_new(t, true);
	sniper_text_free(t);
	return table;
}
