/* Fills the templates of the manual page and of the completions from the program's own tables, so that neither can
 * forget an option, a command or a key.
 *
 *     tables TEMPLATE > FILE
 *
 * A line that holds one @NAME@ of `places` and nothing else is replaced by that table, @VERSION@ and @DATADIR@ are
 * replaced wherever they stand, every other line is copied. */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "base/utf8.h"
#include "cli/config.h"
#include "cli/options.h"
#include "explorer/state/action.h"

static bool
closed_words(const struct option_row *o)
{
	return o->values && *o->values != '@';
}

/* Is it completed by the shell function "_hecate_LIST"? */
static bool
lists(const struct option_row *o, const char *list)
{
	return o->values && *o->values == '@' && strcmp(o->values + 1, list) == 0;
}

static bool
takes(const struct subcommand *c, const struct option_row *o)
{
	return (o->commands & c->bit) != 0;
}

/* --- roff -------------------------------------------------------------------------------------------------------- */

/* Text as roff: what roff would obey is escaped, signs outside ASCII become \[uXXXX]. `upper` capitalises the first
 * letter. */
static void
roff(const char *s, bool upper)
{
	static const struct {
		char c;
		const char *as;
	} escape[] = {{'\\', "\\e"}, {'-', "\\-"}, {'\'', "\\(aq"}, {'`', "\\(ga"}, {'^', "\\(ha"}, {'~', "\\(ti"},
		{'"', "\\(dq"}};

	if (*s == '.' || *s == '\'')
		fputs("\\&", stdout);
	while (*s) {
		uint32_t cp;
		size_t n = utf8_decode(s, strlen(s), &cp), i = 0;

		while (i < sizeof escape / sizeof *escape && cp != (unsigned char)escape[i].c)
			i++;
		if (i < sizeof escape / sizeof *escape)
			fputs(escape[i].as, stdout);
		else if (cp > 126)
			printf("\\[u%04X]", (unsigned)cp);
		else
			putchar(upper ? toupper((int)cp) : (int)cp);
		upper = false;
		s += n;
	}
}

static void
roff_sentence(const char *s)
{
	size_t n = strlen(s);

	roff(s, true);
	puts(n && s[n - 1] != '.' ? "." : "");
}

static void
man_commands(void)
{
	for (const struct subcommand *c = subcommands; c->name; c++) {
		fputs(".TP\n\\fBhecate", stdout);
		if (*c->name)
			putchar(' ');
		roff(c->name, false);
		fputs("\\fR ", stdout);
		roff(c->usage, false);
		putchar('\n');
		roff_sentence(c->what);
	}
}

/* "(explorer, check)": who takes an option that not all take. */
static void
man_takers(const struct option_row *o)
{
	const char *before = "(";

	if (o->commands == C_ALL)
		return;
	for (const struct subcommand *c = subcommands; c->name; c++)
		if (takes(c, o)) {
			printf("%s%s", before, *c->name ? c->name : "explorer");
			before = ", ";
		}
	puts(")");
}

static void
man_options(void)
{
	for (const struct option_row *o = option_rows(); o->name; o++) {
		fputs(".TP\n\\fB", stdout);
		if (o->letter)
			printf("\\-%c\\fR, \\fB", o->letter);
		fputs("\\-\\-", stdout);
		roff(o->name, false);
		fputs("\\fR", stdout);
		if (o->arg)
			printf(" \\fI%s\\fR", o->arg);
		putchar('\n');
		roff_sentence(o->help);
		man_takers(o);
	}
}

/* The groups of the KEYS section: an action stands in the first group that has all of its scopes. */
static const struct key_group {
	uint64_t scopes;
	const char *title;
} key_groups[] = {
	{IN(FEATURES), "Features pane"},
	{IN(TREE), "Diagram pane"},
	{IN(SEARCH), "Search pane"},
	{IN(OBSERVATIONS) | IN(WHY) | IN(SELECTED), "Observations, selected and why panes"},
	{IN_VIEW(MODELS), "Model view"},
	{IN(CONSTRAINTS) | IN(TOUCHED) | IN(MATRIX), "Constraints view: list, touched by, matrix"},
	{IN(BROKEN), "Constraints view: broken by"},
	{IN_VIEW(CONSTRAINTS), "Constraints view"},
	{IN(LIST) | IN(OBSERVED) | IN(SAMPLES), "Observations view"},
	{IN_VIEW(GEOMETRY), "Geometry view"},
	{IN_VIEW(CONSTRAINTS) | IN_VIEW(OBSERVATIONS), "Constraints and observations views"},
	{IN_JUDGING, "Every view of a model"},
	{IN_VIEW(PATHS), "Paths view"},
	{IN_VIEW(STALLS), "Stalls view"},
	{IN_VIEW(QUEUES), "Queues view"},
	{IN_VIEW(EVENTS), "Events view"},
	{IN_TIMELINE, "Paths, stalls and queues views"},
	{IN_VIEWS, "Every view"},
	{IN_START, "Start screen"},
	{IN_POPUP | IN_HELP, "Popups and help"},
	{IN_ANY, "Everywhere, or in several of these"},
};

static const struct key_group *
group_of(const struct action_row *a)
{
	const struct key_group *g = key_groups;

	while (a->scopes & ~g->scopes)
		g++;
	return g;
}

static void
man_keys(void)
{
	for (size_t g = 0; g < sizeof key_groups / sizeof *key_groups; g++) {
		bool some = false;

		for (enum action a = ACTION_none + 1; a < ACTION_COUNT; a++) {
			const struct action_row *row = action_row(a);

			if (group_of(row) != &key_groups[g])
				continue;
			if (!some)
				printf(".SS %s\n", key_groups[g].title);
			some = true;
			fputs(".TP\n\\fB", stdout);
			for (const char *k = row->keys; *k; k++)
				if (*k == ' ')
					fputs("\\fR, \\fB", stdout);
				else
					roff((char[]){*k, '\0'}, false);
			fputs("\\fR\n", stdout);
			roff_sentence(row->help);
		}
	}
}

/* --- shells ------------------------------------------------------------------------------------------------------ */

static void
subcommand_names(const char *before, const char *between, const char *after)
{
	bool some = false;

	fputs(before, stdout);
	for (const struct subcommand *c = subcommands; c->name; c++)
		if (*c->name) {
			printf("%s%s", some ? between : "", c->name);
			some = true;
		}
	fputs(after, stdout);
}

static void
bash_commands(void)
{
	subcommand_names("_hecate_commands='", " ", "'\n");
}

/* A branch of `case $command in` per subcommand; the explorer's name is empty. */
static void
bash_options(void)
{
	for (const struct subcommand *c = subcommands; c->name; c++) {
		printf("\t'%s') printf '%%s\\n'", c->name);
		for (const struct option_row *o = option_rows(); o->name; o++) {
			if (!takes(c, o))
				continue;
			printf(" --%s", o->name);
			if (o->letter)
				printf(" -%c", o->letter);
		}
		puts(" ;;");
	}
}

/* The options behind which a value stands. */
static void
bash_valued(void)
{
	fputs("_hecate_valued='", stdout);
	for (const struct option_row *o = option_rows(); o->name; o++) {
		if (o->kind == FLAG)
			continue;
		printf(" --%s", o->name);
		if (o->letter)
			printf(" -%c", o->letter);
	}
	puts(" '");
}

/* A branch of `case $previous in` per option with a value. */
static void
bash_values(void)
{
	for (const struct option_row *o = option_rows(); o->name; o++) {
		if (o->kind == FLAG)
			continue;
		printf("\t--%s", o->name);
		if (o->letter)
			printf(" | -%c", o->letter);
		if (closed_words(o))
			printf(") _hecate_words '%s' ;;\n", o->values);
		else if (o->values)
			printf(") _hecate_%s ;;\n", o->values + 1);
		else
			puts(") ;;");
	}
}

/* Text inside single quotes, as zsh and fish read it. `special` names signs that get a backslash. */
static void
quoted(const char *s, const char *special)
{
	for (; *s; s++)
		if (*s == '\'')
			fputs("'\\''", stdout);
		else
			printf("%s%c", strchr(special, *s) ? "\\" : "", *s);
}

static void
zsh_commands(void)
{
	for (const struct subcommand *c = subcommands; c->name; c++)
		if (*c->name) {
			printf("\t'%s:", c->name);
			quoted(c->what, ":");
			puts("'");
		}
}

static void
zsh_option(const struct option_row *o)
{
	bool many = o->kind == MORE || o->kind == LIST;

	if (o->letter)
		printf(" '(-%c --%s)'{-%c,--%s", o->letter, o->name, o->letter, o->name);
	else
		printf(" '%s--%s", many ? "*" : "", o->name);
	fputs(o->kind == FLAG ? "" : "=", stdout);
	fputs(o->letter ? "}'[" : "[", stdout);
	quoted(o->help, "[]:\\");
	fputs("]", stdout);
	if (o->kind != FLAG) {
		printf(":%s:", o->arg);
		if (closed_words(o))
			printf("(%s)", o->values);
		else if (o->values)
			printf("_hecate_%s", o->values + 1);
	}
	putchar('\'');
}

static void
zsh_options(void)
{
	for (const struct subcommand *c = subcommands; c->name; c++) {
		printf("\t'%s') options=(", c->name);
		for (const struct option_row *o = option_rows(); o->name; o++)
			if (takes(c, o))
				zsh_option(o);
		puts(") ;;");
	}
}

static void
fish_commands(void)
{
	for (const struct subcommand *c = subcommands; c->name; c++)
		if (*c->name) {
			printf("complete -c hecate -n __hecate_first -a %s -d '", c->name);
			quoted(c->what, "\\");
			puts("'");
		}
}

static void
fish_options(void)
{
	for (const struct option_row *o = option_rows(); o->name; o++) {
		fputs("complete -c hecate -n '__hecate_takes", stdout);
		for (const struct subcommand *c = subcommands; c->name; c++)
			if (takes(c, o))
				printf(" %s", *c->name ? c->name : "explorer");
		printf("' -l %s", o->name);
		if (o->letter)
			printf(" -s %c", o->letter);
		if (o->kind != FLAG)
			fputs(lists(o, "files") || lists(o, "folders") ? " -r -F" : " -x", stdout);
		if (closed_words(o))
			printf(" -a '%s'", o->values);
		else if (o->values && !lists(o, "files") && !lists(o, "folders"))
			printf(" -a '(__hecate_%s)'", o->values + 1);
		fputs(" -d '", stdout);
		quoted(o->help, "\\");
		puts("'");
	}
}

static void
fish_names(void)
{
	subcommand_names("set -g __hecate_commands ", " ", "\n");
}

static void
example_config(void)
{
	struct str text = {0};

	config_example(&text);
	fputs(str_text(&text), stdout);
	str_free(&text);
}

static const struct {
	const char *name;
	void (*write)(void);
} places[] = {
	{"@COMMANDS@", man_commands},
	{"@OPTIONS@", man_options},
	{"@CONFIG@", example_config},
	{"@KEYS@", man_keys},
	{"@BASH_COMMANDS@", bash_commands},
	{"@BASH_VALUED@", bash_valued},
	{"@BASH_OPTIONS@", bash_options},
	{"@BASH_VALUES@", bash_values},
	{"@ZSH_COMMANDS@", zsh_commands},
	{"@ZSH_OPTIONS@", zsh_options},
	{"@FISH_NAMES@", fish_names},
	{"@FISH_COMMANDS@", fish_commands},
	{"@FISH_OPTIONS@", fish_options},
};

static void
copy_line(const char *line)
{
	static const struct {
		const char *name, *value;
	} words[] = {{"@VERSION@", PACKAGE_VERSION}, {"@DATADIR@", HECATE_DATADIR}};

	while (*line) {
		size_t i = 0;

		while (i < sizeof words / sizeof *words && strncmp(line, words[i].name, strlen(words[i].name)) != 0)
			i++;
		if (i < sizeof words / sizeof *words) {
			fputs(words[i].value, stdout);
			line += strlen(words[i].name);
		} else {
			putchar(*line++);
		}
	}
}

int
main(int argc, char **argv)
{
	FILE *f = argc == 2 ? fopen(argv[1], "r") : NULL;
	char line[4096];

	if (!f) {
		fputs("usage: tables TEMPLATE\n", stderr);
		return 2;
	}
	while (fgets(line, sizeof line, f)) {
		size_t n = strcspn(line, "\n"), i = 0;

		while (i < sizeof places / sizeof *places &&
			(strlen(places[i].name) != n || strncmp(line, places[i].name, n) != 0))
			i++;
		if (i < sizeof places / sizeof *places)
			places[i].write();
		else
			copy_line(line);
	}
	fclose(f);
	return fflush(stdout) == 0 ? 0 : 1;
}
