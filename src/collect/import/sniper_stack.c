/* CPI stacks as Sniper's tools/cpistack.py prints them: of one core,
 *
 *	                        CPI       Time
 *	  dispatch_width        0.25     25.12%
 *	  mem-dram              0.75     74.88%
 *
 *	  total                 1.00    100.00%
 *
 * and of several, where the title is CPI, Time (%), or Time (ms), say:
 *
 *	CPI                  Core 0     Core 1
 *	base                     0.25       0.25
 *
 *	total                    1.00       1.50
 *
 * The first form has a line "Core 0" before the components of each core where there are several. A component below 1 %
 * of its core is not printed but added to "other"; so a component that is missing is 0 here. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "collect/import/sniper.h"
#include "collect/import/sniper_text.h"

enum sniper_form { SNIPER_FORM_NONE, SNIPER_FORM_LIST, SNIPER_FORM_TABLE };

struct sniper_stack {
	struct sniper_text *t;
	enum sniper_form form;
	const char *prefix;   /* of a table's columns */
	int decimals;         /* by which its values are too large: a table in ms has 3 */
	bool percent;
	size_t stacks;        /* number of titles so far */
	size_t *core, n_cores, cap_cores; /* the cores of this title, or the one being listed */
	int open;             /* line of a title, or a core, whose total is yet to come; 0: none */
	struct names rows;    /* components of this title, or core */
};

static const struct {
	const char *title, *prefix;
	int decimals;
	bool percent;
} tables[] = {
	{"CPI", "cpi.", 0, false}, {"Time (%)", "time.", 0, true}, {"Time (s)", "seconds.", 0, false},
	{"Time (ms)", "seconds.", 3, false}, {"Time (µs)", "seconds.", 6, false}, {"Time (ns)", "seconds.", 9, false},
};

static bool
is_words(const struct sniper_text *t, size_t from, const char *first, const char *second)
{
	return sniper_word_is(t, from, first) && sniper_word_is(t, from + 1, second);
}

/* Returns the words of the table's title, 0 if this line is none; *which is its row in `tables`. */
static size_t
title_words(const struct sniper_text *text, size_t *which)
{
	int64_t number;

	for (*which = 0; *which < sizeof tables / sizeof *tables; ++*which) {
		const char *unit = strchr(tables[*which].title, ' ');
		size_t n = unit ? 2 : 1;

		if (!(unit ? is_words(text, 0, "Time", unit + 1) : sniper_word_is(text, 0, "CPI")))
			continue;
		if (!sniper_word_is(text, n, "Core") || n + 1 >= text->n_words)
			return 0;
		return sniper_word_number(&text->word[n + 1], &number) ? n : 0;
	}
	return 0;
}

static bool
is_title(const struct sniper_text *t)
{
	size_t which;

	return (t->n_words == 2 && is_words(t, 0, "CPI", "Time")) || title_words(t, &which);
}

bool
sniper_stack_is(const char *text)
{
	struct sniper_text *t = sniper_text_new("", text, strcspn(text, "\n"), NULL);
	bool is = t && sniper_text_next(t) && is_title(t);

	sniper_text_free(t);
	return is;
}

/* Begins to read the values of a core; without a number, of the only one. */
static void
add_core(struct sniper_stack *s, const struct sniper_word *number)
{
	char *name = number ? str_format("%zu/core%.*s", s->stacks, (int)number->n, number->s) :
		str_format("%zu/", s->stacks);

	mem_grow(&s->core, &s->cap_cores, s->n_cores + 1, sizeof *s->core);
	s->core[s->n_cores++] = names_add(&s->t->cores, name, strlen(name));
	free(name);
}

static void
forget_rows(struct sniper_stack *s)
{
	names_free(&s->rows);
	s->rows = (struct names){0};
}

static bool
check_total(struct sniper_stack *s)
{
	if (!s->open)
		return true;
	s->t->line = s->open;
	return sniper_text_fail(s->t, SIZE_MAX, "the CPI stack that begins here has no total: the file is cut off, or "
		"is a piece of one", "import the text of tools/cpistack.py as it was printed");
}

static bool
sniper_stack_begin_table(struct sniper_stack *stack, size_t words, size_t which)
{
	struct sniper_text *text = stack->t;
	int64_t number;

	stack->form = SNIPER_FORM_TABLE;
	stack->prefix = tables[which].prefix;
	stack->decimals = tables[which].decimals;
	stack->percent = tables[which].percent;
	for (size_t i = words; i < text->n_words; i += 2) {
		size_t had = text->cores.n;

		if (!sniper_word_is(text, i, "Core") || i + 1 == text->n_words ||
			!sniper_word_number(&text->word[i + 1], &number))
			return sniper_text_fail(text, i, "the title of this table is no list of cores",
				"Core 0  Core 1 … is "
				"expected");
		add_core(stack, &text->word[i + 1]);
		if (text->cores.n == had)
			return sniper_text_fail(
				text, i + 1, "this core is in the title twice", "was the file damaged?");
	}
	return true;
}

static bool
begin_stack(struct sniper_stack *stack)
{
	size_t which, words = title_words(stack->t, &which);

	if (!check_total(stack))
		return false;
	stack->stacks++;
	stack->n_cores = 0;
	stack->open = stack->t->line;
	forget_rows(stack);
	if (words)
		return sniper_stack_begin_table(stack, words, which);
	stack->form = SNIPER_FORM_LIST;
	return true;
}

/* Reads the line "Core 1" of a list. */
static bool
begin_core(struct sniper_stack *stack)
{
	size_t had = stack->t->cores.n;

	/* before the first core, the title is what is open */
	if (stack->n_cores && !check_total(stack))
		return false;
	if (!stack->n_cores && stack->rows.n)
		return sniper_text_fail(
			stack->t, 0, "a core begins here after components of no core", "was the file damaged?");
	stack->n_cores = 0;
	stack->open = stack->t->line;
	forget_rows(stack);
	add_core(stack, &stack->t->word[1]);
	return stack->t->cores.n > had ||
		sniper_text_fail(stack->t, 1, "this core is listed twice", "was the file damaged?");
}

static bool
sniper_stack_read_value(
	struct sniper_stack *stack, size_t i, const char *prefix, int decimals, bool percent, size_t core)
{
	struct sniper_text *text = stack->t;
	const struct sniper_word *word = &text->word[i];
	size_t n = word->n - (percent && word->s[word->n - 1] == '%'),
	       column = sniper_column(text, prefix, text->word[0].s, text->word[0].n);
	struct decimal value;

	if (percent != (word->s[word->n - 1] == '%') || !n || !memchr("-0123456789.ni", *word->s, 14))
		return sniper_text_fail(text, i,
			percent ? "a number with % is expected here" : "a number is expected here",
			"was the file damaged?");
	if (sniper_value(text, word->s, n, column, &value) != SNIPER_FAULT_NONE) {
		sniper_cell_add_unknown(text, column, core);
		return true;
	}
	value.decimals += value.digits ? decimals : 0;
	if (value.decimals > 18)
		sniper_column_blame(text, column, SNIPER_FAULT_NO_COUNT);
	else
		sniper_cell_add(text, column, core, value);
	return true;
}

static bool
sniper_stack_read_row(struct sniper_stack *stack)
{
	struct sniper_text *text = stack->t;
	size_t values = stack->form == SNIPER_FORM_LIST ? 2 : stack->n_cores, had = stack->rows.n;
	bool good = true;

	if (text->n_words != values + 1 || text->cut)
		return sniper_text_fail(text, text->n_words > values + 1 ? values + 1 : 0,
			"this line is no row of the CPI stack: a "
			"component and a value for each column of the title are expected",
			"was the file cut off or edited?");
	if (stack->form == SNIPER_FORM_LIST && !stack->n_cores)
		add_core(stack, NULL);
	names_add(&stack->rows, text->word[0].s, text->word[0].n);
	if (stack->rows.n == had)
		return sniper_text_fail(
			text, 0, "this component is there twice", "are two stacks put together without a title?");
	if (stack->form == SNIPER_FORM_LIST)
		good = sniper_stack_read_value(stack, 1, "cpi.", 0, false, stack->core[0]) &&
			sniper_stack_read_value(stack, 2, "time.", 0, true, stack->core[0]);
	for (size_t i = 0; i < stack->n_cores && stack->form == SNIPER_FORM_TABLE && good; i++)
		good = sniper_stack_read_value(
			stack, i + 1, stack->prefix, stack->decimals, stack->percent, stack->core[i]);
	if (sniper_word_is(text, 0, "total"))
		stack->open = 0;
	return good;
}

struct obs_table *
sniper_stack_read(const char *name, const char *text, size_t n, bool exact, struct err *e)
{
	struct sniper_stack s = {.t = sniper_text_new(name, text, n, e)};
	struct obs_table *table = NULL;
	bool good = s.t != NULL;
	int64_t number;

	while (good && sniper_text_next(s.t)) {
		if (is_title(s.t))
			good = begin_stack(&s);
		else if (s.form == SNIPER_FORM_LIST && s.t->n_words == 2 && sniper_word_is(s.t, 0, "Core") &&
			sniper_word_number(&s.t->word[1], &number))
			good = begin_core(&s);
		else if (s.form == SNIPER_FORM_NONE)
			good = sniper_text_fail(s.t, 0, "a CPI stack begins with its title", "was the file damaged?");
		else
			good = sniper_stack_read_row(&s);
	}
	if (good && check_total(&s))
		table = sniper_table_new(s.t, exact);
	forget_rows(&s);
	free(s.core);
	sniper_text_free(s.t);
	return table;
}
