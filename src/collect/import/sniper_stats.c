/* Statistics of Sniper as text. tools/dumpstats.py prints a line for each, with a value for each core:
 *
 *	ncores = 2
 *	performance_model.elapsed_time = 451920000, 451920000
 *	rob_timer.cpiBase = 112980000, 98210000
 *
 * A statistic that has one value although there are several cores is that of the whole system. sim.stats had a line for
 * each value, at several points in time; the counts are the differences of two of them:
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
 * without them. Returns false if the word is no such name. */
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
is_old_line(const struct sniper_text *text, bool *indexed)
{
	const char *point, *open, *close;
	struct sniper_word number;

	if (text->n_words != 2 || !split_name(&text->word[0], &point, &open, &close))
		return false;
	*indexed |= open != NULL;
	number = text->word[1];
	if (number.n > 1 && *number.s == '-')
		number = (struct sniper_word){number.s + 1, number.n - 1};
	return strspn(number.s, "0123456789") >= number.n;
}

bool
sniper_stats_is(const char *text)
{
	static const char *const sign[] = {"performance_model.", ".cpi", "barrier.global_time", "branch_predictor.",
		"fs_to_cycles"};
	struct sniper_text *sniper_text = sniper_text_new("", text, strlen(text), NULL);
	bool known = false, indexed = false, good = sniper_text && sniper_text_next(sniper_text);

	if (good && is_dump_line(sniper_text, false))
		for (size_t i = 0; i < sizeof sign / sizeof *sign; i++)
			known |= strstr(text, sign[i]) != NULL;
	else
		for (size_t i = 0; good && i < LINES_TRIED && is_old_line(sniper_text, &indexed) && !indexed; i++)
			good = sniper_text_next(sniper_text);
	sniper_text_free(sniper_text);
	return known || indexed;
}

/* Reads the values of a line of a dump, which are separated by commas. */
static bool
read_values(struct sniper_stats *stats, struct sniper_stats_line *line)
{
	struct sniper_text *text = stats->t;

	for (size_t i = 2; i < text->n_words; i++) {
		const struct sniper_word *word = &text->word[i];
		bool last = i + 1 == text->n_words;
		size_t n = word->n - (!last && word->s[word->n - 1] == ',');
		struct decimal number = {0};
		enum sniper_fault fault;

		if (!n || (!last && n == word->n)) {
			/* a text that is no list of values */
			sniper_column_blame(text, line->column, SNIPER_FAULT_NO_COUNT);
			return true;
		}
		fault = sniper_value(text, word->s, n, line->column, &number);
		if (fault == SNIPER_FAULT_NONE && number.decimals)
			sniper_column_blame(text, line->column, SNIPER_FAULT_NO_COUNT);
		mem_grow(&stats->value, &stats->cap_values, stats->n_values + 1, sizeof *stats->value);
		stats->value[stats->n_values++] = (struct sniper_stats_value){fault == SNIPER_FAULT_NONE, number};
		line->n++;
	}
	return true;
}

static bool
read_dump_line(struct sniper_stats *stats)
{
	struct sniper_text *text = stats->t;
	struct sniper_stats_line line = {.line = text->line, .first = stats->n_values};
	size_t had = text->columns.n;
	int64_t cores;

	if (!is_dump_line(text, true))
		return sniper_text_fail(text, 0, "this line is no statistic: NAME = VALUE, VALUE … is expected",
			"import the text of tools/dumpstats.py as it was printed");
	if (text->cut)
		return sniper_text_fail(text, 0, "this statistic has too many values", "was the file damaged?");
	if (text->n_words > 2)
		line.col = (int)(text->word[2].s - text->line_start) + 1;
	if (sniper_word_is(text, 0, "ncores") && text->n_words == 3 && sniper_word_number(&text->word[2], &cores) &&
		cores > 0) {
		stats->cores = (size_t)cores;
		return true;
	}
	line.column = sniper_column(text, "", text->word[0].s, text->word[0].n);
	if (text->columns.n == had)
		return sniper_text_fail(text, 0, "this statistic is there twice", "are there two dumps in the file?");
	mem_grow(&stats->line, &stats->cap_lines, stats->n_lines + 1, sizeof *stats->line);
	read_values(stats, &line);
	stats->line[stats->n_lines++] = line;
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
spread_dump(struct sniper_stats *stats)
{
	struct sniper_text *text = stats->t;
	size_t cores = stats->cores;

	for (size_t i = 0; i < stats->n_lines && !stats->cores; i++)
		cores = stats->line[i].n > cores ? stats->line[i].n : cores;
	for (size_t i = 0; i < stats->n_lines; i++) {
		const struct sniper_stats_line *line = &stats->line[i];

		text->line = line->line;
		if (line->n == 1 && cores > 1) {
			sniper_column_blame(text, line->column, SNIPER_FAULT_NOT_CORES);
			continue;
		}
		if (line->n && line->n < cores && !text->column[line->column].dropped) {
			err_set(text->e, "this statistic has %zu values, and there are %zu cores", line->n, cores);
			err_hint(text->e, "import the text of tools/dumpstats.py as it was printed");
			return err_place(text->e, text->name, line->line, line->col);
		}
		for (size_t k = 0; k < line->n && k < cores; k++) {
			const struct sniper_stats_value *value = &stats->value[line->first + k];
			size_t core = number_core(text, k, cores == 1);

			if (value->good)
				sniper_cell_add(text, line->column, core, value->number);
			else
				sniper_cell_add_unknown(text, line->column, core);
		}
	}
	return true;
}

static bool
read_old_line(struct sniper_snapshots *snapshots)
{
	struct sniper_text *text = snapshots->t;
	const struct sniper_word *word = &text->word[0];
	const char *point, *open, *close, *end = word->s + word->n;
	struct sniper_entry entry = {.line = text->line};
	struct str name = {0};
	bool indexed = false, negative;

	if (!is_old_line(text, &indexed))
		return sniper_text_fail(text, 0,
			"this line is no statistic: SNAPSHOT.OBJECT[CORE].METRIC and a whole number are "
			"expected",
			"was the file cut off, or written to by two simulations?");
	split_name(word, &point, &open, &close);
	str_addn(&name, point + 1, (size_t)((open ? open : end) - point - 1));
	if (open)
		str_addn(&name, close + 1, (size_t)(end - close - 1));
	entry.column = sniper_column(text, "", str_text(&name), name.n);
	str_free(&name);
	entry.snapshot = names_add(&snapshots->snapshots, word->s, (size_t)(point - word->s));
	negative = *text->word[1].s == '-';
	if (!open) {
		sniper_column_blame(text, entry.column, SNIPER_FAULT_NOT_CORES);
	} else if (negative || !sniper_word_number(&text->word[1], &entry.value)) {
		sniper_column_blame(text, entry.column, SNIPER_FAULT_NO_COUNT);
	} else {
		str_add(&name, "core");
		str_addn(&name, open + 1, (size_t)(close - open - 1));
		entry.core = names_add(&text->cores, str_text(&name), name.n);
		str_free(&name);
		sniper_snapshots_add(snapshots, entry);
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
read_dump(struct sniper_text *text)
{
	struct sniper_stats s = {.t = text};
	bool good;

	do
		good = read_dump_line(&s);
	while (good && sniper_text_next(text));
	good = good && spread_dump(&s);
	free(s.line);
	free(s.value);
	return good;
}

struct obs_table *
sniper_stats_read(const char *name, const char *text, size_t n, bool exact, struct err *e)
{
	struct sniper_text *sniper_text = sniper_text_new(name, text, n, e);
	struct obs_table *table = NULL;

	(void)exact; /* these statistics always are exact */
	if (sniper_text)
		sniper_text->all_zeros = true;
	if (sniper_text && !sniper_text_next(sniper_text))
		sniper_text_fail(sniper_text, SIZE_MAX, "the file is empty", "import the text of tools/dumpstats.py");
	else if (sniper_text && (is_dump_line(sniper_text, true) ? read_dump(sniper_text) : read_old(sniper_text)))
		table = sniper_table_new(sniper_text, true);
	sniper_text_free(sniper_text);
	return table;
}
