#include "cli/options.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/near.h"
#include "base/str.h"
#include "cli/commands.h"
#include "cli/own_options.h"
#include "text/notation.h"
#include "work/analysis/analysis.h"
#include "work/files/files.h"
#include "work/files/simulation_text.h"
#include "work/files/texts.h"

#define ARGS_MANY 100000

static const struct slices_options slices_defaults = {.eps = -1};

const struct subcommand subcommands[] = {
	{.name = "",
		.bit = C_EXPLORE,
		.max_args = ARGS_MANY,
		.own_size = sizeof(struct explore_options),
		.usage = "[MODEL [DATA...] | RUNS... [--expected FILE] | MODEL [-I MS] -- CMD ... | MODEL -p PID | "
			 "-t TID | -a | -C CPUS]",
		.what = "the explorer; without arguments the start screen"},
#define SUBCOMMAND(id, word, most, size, defaults, how, about) \
	{.name = #word, \
		.bit = C_##id, \
		.max_args = (most), \
		.run = cmd_##word, \
		.own_size = (size), \
		.own_defaults = (defaults), \
		.usage = how, \
		.what = about},
#include "cli/subcommands.def"
#undef SUBCOMMAND
	{.name = NULL},
};

static const struct option_row rows[] = {
#define OPTION(field, kind, letter, name, arg, values, commands, help) \
	{kind, letter, name, arg, values, commands, help, offsetof(struct options, field), false},
#define OWN(command, field, kind, letter, name, arg, values, commands, help) \
	{kind, letter, name, arg, values, commands, help, offsetof(struct command##_options, field), true},
#include "cli/options.def"
#undef OPTION
#undef OWN
	{.name = NULL},
};

#define N_ROWS (sizeof rows / sizeof *rows - 1)

const struct option_row *
option_rows(void)
{
	return rows;
}

/* Where a row's value goes: into what all subcommands share, or into the chosen one's own struct. */
static void *
target(struct options *o, size_t row)
{
	return (char *)(rows[row].own ? o->own : o) + rows[row].offset;
}

static void
options_join(char **list, const char *more)
{
	char *old = *list;

	*list = old ? str_format("%s,%s", old, more) : mem_str(more);
	free(old);
}

/* True when the value is in the row's closed set, or the row has none. */
static bool
is_allowed(const struct option_row *row, const char *value)
{
	char **word;
	bool found = false;

	if (!row->values || *row->values == '@')
		return true;
	word = str_split(row->values, ' ', NULL);
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
options_take_count(const char *who, int64_t most, const char *value, size_t *out, struct err *e)
{
	int64_t count;

	if (!notation_take(who, NOTATION_WHOLE, 1, most, value, &count, e))
		return false;
	*out = (size_t)count;
	return true;
}

static bool
options_take_value(struct options *options, size_t i, const char *value, struct err *e)
{
	void *at = target(options, i);
	char words[80], who[80];
	double number = 0;

	snprintf(who, sizeof who, "--%s", rows[i].name);
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
		options_join(at, value);
		return true;
	case MORE: {
		struct text_list *list = at;

		mem_grow(&list->item, &list->cap, list->n + 1, sizeof *list->item);
		list->item[list->n++] = mem_str(value);
		return true;
	}
	case PART:
		if (!str_to_double(value, &number) || !(number > 0 && number < 1))
			return err_set(e, "--%s takes a number between 0 and 1, not '%s'", rows[i].name, value);
		*(double *)at = number;
		return true;
	case SECS:
		if (!str_to_double(value, &number) || !(number > 0 && number <= 86400))
			return err_set(e, "--%s takes seconds above 0, at most a day, not '%s'", rows[i].name, value);
		*(double *)at = number;
		return true;
	case AMOUNT:
		return decimal_take(who, 0, 1e15, value, at, e);
	case MSEC:
		return options_take_count(who, 86400000, value, at, e) ||
			err_hint(e, "it is in milliseconds, at most a day");
	case MANY:
		return options_take_count(who, 1000000000, value, at, e);
	case COUNT:
		return options_take_count(who, 100000, value, at, e);
	}
	return false;
}

static bool
unknown(const char *word, const struct subcommand *subcommand, struct err *e)
{
	const char *name[N_ROWS], *near;
	size_t n = 0;

	for (size_t i = 0; i < N_ROWS; i++)
		if (rows[i].commands & subcommand->bit)
			name[n++] = rows[i].name;
	err_set(e, "unknown option %s", word);
	near = str_starts(word, "--") ? near_name(word + 2, name, n) : NULL;
	if (near)
		return err_hint(e, "nearest: --%s", near);
	return err_hint(e, "hecate %s%s--help lists them", subcommand->name, *subcommand->name ? " " : "");
}

/* False and *e when the chosen subcommand does not take this row. */
static bool
accepts(const struct options *o, size_t row, struct err *e)
{
	if (rows[row].commands & o->command->bit)
		return true;
	err_set(e, "%s does not take --%s", *o->command->name ? o->command->name : "the explorer", rows[row].name);
	return err_hint(e, "hecate %s%s--help lists what it takes", o->command->name, *o->command->name ? " " : "");
}

/* The value that follows in the next argument; *at moves over it. NULL: none follows. */
static const char *
next_value(char **argv, int argc, int *at)
{
	return *at + 1 < argc && !str_eq(argv[*at + 1], "--") ? argv[++*at] : NULL;
}

static bool
take_given(struct options *o, size_t row, const char *value, struct err *e)
{
	if (!value || !*value)
		return err_set(e, "--%s needs a value: %s", rows[row].name, rows[row].arg);
	return options_take_value(o, row, value, e);
}

/* Returns the row of a long name: the subcommand's own, or else any; N_ROWS without one. Options of one name may differ
 * between subcommands. */
static size_t
find_long(const char *name, size_t len, int bit)
{
	size_t found = N_ROWS;

	for (size_t row = N_ROWS; row-- > 0;)
		if (strlen(rows[row].name) == len && strncmp(rows[row].name, name, len) == 0 &&
			(found == N_ROWS || rows[row].commands & bit))
			found = row;
	return found;
}

/* --name, --name=value or --name value. */
static bool
parse_long(struct options *options, char **argv, int argc, int *at, struct err *e)
{
	const char *name = argv[*at] + 2, *equal = strchr(name, '=');
	size_t len = equal ? (size_t)(equal - name) : strlen(name), row;

	row = find_long(name, len, options->command->bit);
	if (row == N_ROWS)
		return unknown(argv[*at], options->command, e);
	if (!accepts(options, row, e))
		return false;
	if (rows[row].kind != FLAG)
		return take_given(options, row, equal ? equal + 1 : next_value(argv, argc, at), e);
	if (equal)
		return err_set(e, "--%s takes no value", rows[row].name);
	return options_take_value(options, row, NULL, e);
}

static bool
unknown_letter(const char *word, const char *letter, const struct subcommand *c, struct err *e)
{
	char text[80];

	if (letter == word + 1 || *letter < ' ' || *letter > '~')
		return unknown(word, c, e);
	snprintf(text, sizeof text, "-%c in %s", *letter, word);
	return unknown(text, c, e);
}

/* Letters joined as getopt(3) takes them: flags, then perhaps a letter whose value is the rest or the next argument. */
static bool
parse_letters(struct options *options, char **argv, int argc, int *at, struct err *e)
{
	const char *word = argv[*at];

	for (const char *letter = word + 1; *letter; letter++) {
		size_t row = 0;

		while (row < N_ROWS && rows[row].letter != *letter)
			row++;
		if (row == N_ROWS)
			return unknown_letter(word, letter, options->command, e);
		if (!accepts(options, row, e))
			return false;
		if (rows[row].kind != FLAG)
			return take_given(options, row, letter[1] ? letter + 1 : next_value(argv, argc, at), e);
		if (!options_take_value(options, row, NULL, e))
			return false;
	}
	return true;
}

static const struct subcommand *
find_subcommand(const char *word)
{
	for (const struct subcommand *c = subcommands; c->name; c++)
		if (*c->name && str_eq(c->name, word))
			return c;
	return NULL;
}

/* The subcommand that was probably meant by a first argument that names nothing to open; NULL: none. */
static const char *
mistyped_subcommand(const char *word)
{
	const char *name[sizeof subcommands / sizeof *subcommands], *near;
	enum text_kind kind;
	struct err e = {0};
	size_t n = 0;

	for (const struct subcommand *c = subcommands + 1; c->name; c++)
		name[n++] = c->name;
	near = *word == '-' ? NULL : near_name(word, name, n);
	if (near && (access(word, F_OK) == 0 || file_is_path(word) || simulation_is(word) ||
		text_kind_of(word, &kind, &e)))
		near = NULL;
	return near;
}

bool
options_parse(int argc, char **argv, struct options *options, struct err *e)
{
	int at = 1;

	*options = (struct options){
		.confidence = CONFIDENCE_DEFAULT, .tolerance = TOLERANCE_BY_EVENT, .runs = 1, .command = subcommands};
	options->arg = mem_new_array((size_t)argc + 1, sizeof *options->arg);
	options->help = at < argc && str_eq(argv[at], "help") && access(argv[at], F_OK) != 0; /* help [SUBCOMMAND] */
	at += options->help;
	if (at < argc && find_subcommand(argv[at]))
		options->command = find_subcommand(argv[at++]);
	if (options->command->bit == C_DIFF)
		options->runs = 0; /* not given: as many as the answer needs */
	if (options->command->own_size)
		options->own = mem_new_array(1, options->command->own_size);
	if (options->command->own_defaults)
		memcpy(options->own, options->command->own_defaults, options->command->own_size);
	if (options->command == subcommands && at < argc && mistyped_subcommand(argv[at]))
		return err_set(e, "no subcommand or file \"%s\"; did you mean %s?", argv[at],
			mistyped_subcommand(argv[at]));
	for (; at < argc; at++) {
		if (str_eq(argv[at], "--")) {
			options->argv = argv + at + 1;
			if (!*options->argv)
				return err_set(e, "no command after --"), err_hint(e, "for instance: -- gcc -c x.c");
			break;
		}
		if (argv[at][0] == '-' && argv[at][1]) {
			if (!(argv[at][1] == '-' ? parse_long : parse_letters)(options, argv, argc, &at, e))
				return false;
		} else {
			options->arg[options->n_args++] = argv[at];
		}
	}
	if (!options->help && options->n_args > options->command->max_args) {
		err_set(e, "%s takes no argument %s", options->command->name, options->arg[options->command->max_args]);
		return err_hint(e, "usage: hecate %s %s", options->command->name, options->command->usage);
	}
	if (!options->help && options->argv &&
		!(options->command->bit & (C_LIVE | C_TRACE | C_DETERMINISM | C_METRICS | C_DIFF)))
		return err_set(e,
			"%s runs no command; check, search, record, net, stack, metrics, diff, trace, determinism "
			"and the explorer do",
			options->command->name);
	return true;
}

void
options_free(struct options *options)
{
	for (size_t i = 0; i < N_ROWS; i++) {
		if (rows[i].own && !(rows[i].commands & options->command->bit))
			continue;
		if (rows[i].kind == TEXT || rows[i].kind == LIST) {
			free(*(char **)target(options, i));
		} else if (rows[i].kind == MORE) {
			struct text_list *list = target(options, i);

			for (size_t k = 0; k < list->n; k++)
				free(list->item[k]);
			free(list->item);
		}
	}
	free(options->own);
	free(options->arg);
}
