#include "cli/options.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/analysis/analysis.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/near.h"
#include "base/str.h"

static const struct option_row rows[] = {
#define OPTION(field, kind, letter, name, arg, values, commands, help)                                                 \
	{kind, letter, name, arg, values, commands, help},
#include "cli/options.def"
#undef OPTION
	{.name = NULL},
};

#define N_ROWS (sizeof rows / sizeof *rows - 1)

const struct option_row *
option_rows(void)
{
	return rows;
}

/* Where a row's value goes: the table's order is the order of this list, which the same file makes. */
static void *
target(struct options *o, size_t row)
{
	void *const at[] = {
#define OPTION(field, kind, letter, name, arg, values, commands, help) &o->field,
#include "cli/options.def"
#undef OPTION
	};

	return at[row];
}

static void
join(char **list, const char *more)
{
	char *old = *list;

	*list = old ? str_format("%s,%s", old, more) : mem_str(more);
	free(old);
}

/* Is the value one of the row's closed set, if it has one? */
static bool
is_allowed(const struct option_row *r, const char *value)
{
	char **word;
	bool found = false;

	if (!r->values || *r->values == '@')
		return true;
	word = str_split(r->values, ' ', NULL);
	for (size_t i = 0; word[i]; i++)
		found |= str_eq(word[i], value);
	str_split_free(word);
	return found;
}

/* "a, b or c" of "a b c". */
static const char *
word_list(const char *words, char *out, size_t size)
{
	size_t n = 0;

	for (const char *p = words; *p && n + 5 < size; p++)
		if (*p != ' ')
			out[n++] = *p;
		else
			n += (size_t)snprintf(out + n, size - n, "%s", strchr(p + 1, ' ') ? ", " : " or ");
	out[n] = '\0';
	return out;
}

static bool
take_value(struct options *o, size_t i, const char *value, struct err *e)
{
	void *at = target(o, i);
	char words[80];
	uint64_t count;
	double number = 0;

	switch (rows[i].kind) {
	case FLAG:
		*(bool *)at = true;
		return true;
	case TEXT:
		if (!is_allowed(&rows[i], value))
			return err_set(e, "--%s takes %s, not %s", rows[i].name,
				word_list(rows[i].values, words, sizeof words), value);
		free(*(char **)at);
		*(char **)at = mem_str(value);
		return true;
	case LIST:
		join(at, value);
		return true;
	case MORE: {
		struct text_list *list = at;

		mem_grow(&list->item, &list->cap, list->n + 1, sizeof *list->item);
		list->item[list->n++] = mem_str(value);
		return true;
	}
	case PART:
		if (!str_to_double(value, &number) || !(number > 0 && number < 1))
			return err_set(e, "--%s takes a number between 0 and 1, not %s", rows[i].name, value);
		*(double *)at = number;
		return true;
	case SECS:
		if (!str_to_double(value, &number) || !(number > 0 && number <= 86400))
			return err_set(e, "--%s takes seconds above 0, at most a day, not %s", rows[i].name, value);
		*(double *)at = number;
		return true;
	case AMOUNT:
		if (!str_to_double(value, &number) || !(number >= 0 && number <= 1e15))
			return err_set(e, "--%s takes a number from 0 to 1e15, not %s", rows[i].name, value);
		*(double *)at = number;
		return true;
	case MSEC:
		if (!str_to_u64(value, &count) || count < 1 || count > 86400000)
			return err_set(e, "--%s takes whole milliseconds from 1 to 86400000 (a day), not %s",
				rows[i].name, value);
		*(size_t *)at = (size_t)count;
		return true;
	case MANY:
		if (!str_to_u64(value, &count) || count < 1 || count > 1000000000)
			return err_set(
				e, "--%s takes a whole number from 1 to 1000000000, not %s", rows[i].name, value);
		*(size_t *)at = (size_t)count;
		return true;
	case COUNT:
		if (!str_to_u64(value, &count) || count < 1 || count > 100000)
			return err_set(e, "--%s takes a whole number from 1 to 100000, not %s", rows[i].name, value);
		*(size_t *)at = (size_t)count;
		return true;
	}
	return false;
}

static bool
unknown(const char *word, const struct subcommand *c, struct err *e)
{
	const char *name[N_ROWS], *near;
	size_t n = 0;

	for (size_t i = 0; i < N_ROWS; i++)
		if (rows[i].commands & c->bit)
			name[n++] = rows[i].name;
	err_set(e, "unknown option %s", word);
	near = str_starts(word, "--") ? near_name(word + 2, name, n) : NULL;
	if (near)
		return err_hint(e, "nearest: --%s", near);
	return err_hint(e, "hecate %s%s--help lists them", c->name, *c->name ? " " : "");
}

static bool
find_row(const struct options *o, const char *word, size_t len, bool is_long, size_t *row, struct err *e)
{
	for (size_t i = 0; i < N_ROWS; i++) {
		bool same = is_long ? strlen(rows[i].name) == len && strncmp(rows[i].name, word + 2, len) == 0
				    : rows[i].letter == word[1];

		if (!same)
			continue;
		if (!(rows[i].commands & o->command->bit)) {
			err_set(e, "%s does not take --%s", *o->command->name ? o->command->name : "the explorer",
				rows[i].name);
			return err_hint(e, "hecate %s%s--help lists what it takes", o->command->name,
				*o->command->name ? " " : "");
		}
		*row = i;
		return true;
	}
	return unknown(word, o->command, e);
}

/* One argument that begins with '-'. *at moves over a value in the next argument. */
static bool
parse_option(struct options *o, char **argv, int argc, int *at, struct err *e)
{
	const char *word = argv[*at], *value = NULL;
	bool is_long = word[1] == '-';
	const char *equal = is_long ? strchr(word, '=') : NULL;
	size_t len = is_long ? (equal ? (size_t)(equal - word) : strlen(word)) - 2 : 1, row = 0;

	if (!find_row(o, word, len, is_long, &row, e))
		return false;
	if (rows[row].kind == FLAG) {
		if (equal)
			return err_set(e, "--%s takes no value", rows[row].name);
		if (!is_long && word[2])
			return err_set(e, "one letter at a time: %.2s takes no value", word);
		return take_value(o, row, NULL, e);
	}
	if (equal)
		value = equal + 1;
	else if (!is_long && word[2])
		value = word + 2;
	else if (*at + 1 < argc && !str_eq(argv[*at + 1], "--"))
		value = argv[++*at];
	if (!value || !*value)
		return err_set(e, "--%s needs a value: %s", rows[row].name, rows[row].arg);
	return take_value(o, row, value, e);
}

static const struct subcommand *
find_subcommand(const char *word)
{
	for (const struct subcommand *c = subcommands; c->name; c++)
		if (*c->name && str_eq(c->name, word))
			return c;
	return NULL;
}

bool
options_parse(int argc, char **argv, struct options *o, struct err *e)
{
	int at = 1;

	*o = (struct options){
		.confidence = CONFIDENCE_DEFAULT, .tolerance = TOLERANCE_BY_EVENT, .runs = 1, .command = subcommands};
	o->arg = mem_new_array((size_t)argc + 1, sizeof *o->arg);
	if (at < argc && find_subcommand(argv[at]))
		o->command = find_subcommand(argv[at++]);
	for (; at < argc; at++) {
		if (str_eq(argv[at], "--")) {
			o->argv = argv + at + 1;
			if (!*o->argv)
				return err_set(e, "no command behind --"), err_hint(e, "for instance: -- gcc -c x.c");
			break;
		}
		if (argv[at][0] == '-' && argv[at][1]) {
			if (!parse_option(o, argv, argc, &at, e))
				return false;
		} else {
			o->arg[o->n_args++] = argv[at];
		}
	}
	if (!o->help && o->n_args > o->command->max_args) {
		err_set(e, "%s takes no argument %s", o->command->name, o->arg[o->command->max_args]);
		return err_hint(e, "usage: hecate %s %s", o->command->name, o->command->usage);
	}
	if (!o->help && o->argv && !(o->command->bit & C_LIVE))
		return err_set(e, "%s runs no command; check, search, record, net, stack and the explorer do",
			o->command->name);
	return true;
}

void
options_free(struct options *o)
{
	for (size_t i = 0; i < N_ROWS; i++)
		if (rows[i].kind == TEXT || rows[i].kind == LIST)
			free(*(char **)target(o, i));
	for (size_t i = 0; i < N_ROWS; i++)
		if (rows[i].kind == MORE) {
			struct text_list *list = target(o, i);

			for (size_t k = 0; k < list->n; k++)
				free(list->item[k]);
			free(list->item);
		}
	free(o->arg);
}

static void
help_options(int bit, struct str *out)
{
	for (size_t i = 0; i < N_ROWS; i++) {
		struct str left = {0};

		if (!(rows[i].commands & bit))
			continue;
		if (rows[i].letter)
			str_addf(&left, "-%c, ", rows[i].letter);
		str_addf(&left, "--%s%s%s", rows[i].name, rows[i].arg ? " " : "", rows[i].arg ? rows[i].arg : "");
		str_addf(out, "  %-24s %s\n", str_text(&left), rows[i].help);
		str_free(&left);
	}
}

void
options_help(const struct subcommand *c, struct str *out)
{
	if (c && *c->name) {
		str_addf(out, "hecate %s %s\n\n%s.\n\n", c->name, c->usage, c->what);
		help_options(c->bit, out);
		return;
	}
	str_add(out, "hecate: does this model of a machine survive these hardware event counters?\n\n");
	for (c = subcommands; c->name; c++)
		str_addf(out, "  hecate %s%s%s\n      %s\n", c->name, *c->name ? " " : "", c->usage, c->what);
	str_add(out,
		"\nMODEL is a .udd file, STACK a .stack file, or an installed name. DATA is a session file, a wide CSV "
		"or what perf stat wrote; - is standard input.\n"
		"hecate COMMAND --help tells what COMMAND takes. The explorer takes:\n\n");
	help_options(C_EXPLORE, out);
}
