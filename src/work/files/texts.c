#include "work/files/texts.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/near.h"
#include "base/shell.h"
#include "base/str.h"
#include "core/network/network.h"
#include "core/stack/stack.h"
#include "work/files/files.h"
#include "work/files/recording.h"
#include "work/metrics/metric_data.h"

/* By kind of text. */
static const struct { const char *word, *command, *folders, *ending; size_t limit; } row[] = {
	[TEXT_MODEL] = {"model", "check", "models", MODEL_ENDINGS, 0},
	[TEXT_NETWORK] = {"network", "net", NETWORK_FOLDERS, ".net", NETWORK_FILE_MAX},
	[TEXT_STACK] = {"stack", "stack", STACK_FOLDERS, ".stack", STACK_FILE_MAX},
};

#define KINDS (sizeof row / sizeof *row)

const char *
text_word(enum text_kind kind)
{
	return row[kind].word;
}

const char *
text_command(enum text_kind kind)
{
	return row[kind].command;
}

static bool
is_installed(const char *name, size_t kind)
{
	char *path = file_find(name, row[kind].folders, row[kind].ending, NULL);
	bool there = path != NULL;

	free(path);
	return there;
}

/* Returns the kinds that have an installed file of that name, one bit each. */
static unsigned
kinds_of_name(const char *name)
{
	unsigned kinds = 0;

	for (size_t i = 0; i < KINDS; i++)
		kinds |= is_installed(name, i) ? 1U << i : 0;
	return kinds;
}

static bool
kind_of_file(const char *path, enum text_kind *kind)
{
	for (size_t i = 0; i < KINDS; i++)
		if (file_has_ending(path, row[i].ending)) {
			*kind = (enum text_kind)i;
			return true;
		}
	return false;
}

/* True for a name such as TopdownL2 that no installed stack has: its text is made of perf's metrics. */
static bool
is_metric_tree(const char *arg)
{
	return metric_tree_levels(arg) && !file_is_path(arg) && !kinds_of_name(arg);
}

/* Returns the nearest installed name of any kind, with the subcommand for it, on the heap; NULL: none is near. */
static char *
texts_nearest(const char *name)
{
	char **all[KINDS], *found = NULL;
	const char **known = NULL, *near;
	size_t n = 0, cap = 0, kind = 0;

	for (size_t i = 0; i < KINDS; i++) {
		all[i] = file_names(row[i].folders, row[i].ending);
		for (size_t k = 0; all[i][k]; k++) {
			mem_grow(&known, &cap, n + 1, sizeof *known);
			known[n++] = all[i][k];
		}
	}
	near = near_name(name, known, n);
	while (near && !is_installed(near, kind))
		kind++;
	if (near)
		found = str_format("%s (hecate %s %s)", near, row[kind].command, near);
	for (size_t i = 0; i < KINDS; i++)
		str_split_free(all[i]);
	free(known);
	return found;
}

static bool
refuse_name(const char *name, unsigned kinds, struct err *e)
{
	struct str words = {0};
	char *near = kinds ? NULL : texts_nearest(name);

	if (!kinds && !near)
		near = file_near(name);
	for (size_t i = 0; i < KINDS; i++)
		if (kinds & 1U << i)
			str_addf(&words, "%sa %s", words.n ? " and " : "", row[i].word);
	if (kinds) {
		err_set(e, "%s is the name of %s", name, str_text(&words));
		err_hint(e, "give the file of the one that you mean");
	} else {
		err_set(e, "cannot open %s: no such file, and no model, network or stack has that name", name);
		err_hint(e, near ? "nearest: %s" : "a file ends in .udd, .net or .stack, or has a / in its name", near);
	}
	free(near);
	str_free(&words);
	return false;
}

bool
text_kind_of(const char *arg, enum text_kind *kind, struct err *e)
{
	unsigned kinds;

	if (recording_is(arg))
		return recording_brings(arg, kind, e);
	if (file_is_path(arg)) {
		if (kind_of_file(arg, kind))
			return true;
		*kind = TEXT_MODEL; /* a file with any other ending is read as a model, as everywhere */
		return true;
	}
	kinds = kinds_of_name(arg);
	if (!kinds && is_metric_tree(arg)) {
		*kind = TEXT_STACK;
		return true;
	}
	if (!kinds && file_is_folder(arg)) {
		*kind = TEXT_MODEL;
		return true;
	}
	for (size_t i = 0; i < KINDS; i++)
		if (kinds == 1U << i) {
			*kind = (enum text_kind)i;
			return true;
		}
	return refuse_name(arg, kinds, e);
}

bool
text_is_other(const char *arg, enum text_kind wanted, struct err *e)
{
	enum text_kind kind = wanted;
	unsigned kinds = 0;

	if (recording_is(arg))
		return false;
	if (file_is_path(arg))
		kind_of_file(arg, &kind);
	else
		kinds = kinds_of_name(arg);
	for (size_t i = 0; i < KINDS && kinds && !(kinds & 1U << wanted); i++)
		if (kinds & 1U << i)
			kind = (enum text_kind)i;
	if (kind == wanted)
		return false;
	err_set(e, "%s is a %s, but a %s is needed", arg, row[kind].word, row[wanted].word);
	shell_hint(e, "use hecate %s %s", row[kind].command, arg);
	return true;
}

/* The name in the item `shared "NAME";` at the beginning of a line; NULL: there is none. The caller frees. */
static char *
name_of_shared(const struct text *t)
{
	static const char item[] = "\nshared \"";
	const char *at = memmem(t->text, t->n, item, sizeof item - 1), *end;

	at = at ? at + sizeof item - 1 : NULL;
	end = at ? memchr(at, '"', t->n - (size_t)(at - t->text)) : NULL;
	return end ? mem_strn(at, (size_t)(end - at)) : NULL;
}

/* A file of advice beside the stack, or an installed one. */
static char *
find_shared(const char *stack, const char *name, struct err *e)
{
	const char *slash = strrchr(stack, '/');
	char *beside = str_format("%.*s%s.advice", slash ? (int)(slash + 1 - stack) : 0, stack, name);

	if (access(beside, R_OK) == 0)
		return beside;
	free(beside);
	return file_find(name, STACK_FOLDERS, ".advice", e);
}

/* Appends the advice that a stack shares with others, so that the text is complete, also in a session file. */
static bool
append_shared(struct text *text, struct err *e)
{
	char *name = name_of_shared(text), *path, *advice;
	size_t n = 0;

	if (!name)
		return true;
	path = find_shared(text->path, name, NULL);
	if (!path) {
		err_set(e, "%s takes advice from %s.advice, which is neither beside it nor installed", text->path,
			name);
		err_hint(e, "put the file there, or leave out the item 'shared'");
	}
	advice = path ? file_read(path, STACK_FILE_MAX, &n, e) : NULL;
	if (advice) {
		text->text = mem_resize(text->text, text->n + n + 2, 1);
		text->text[text->n] = '\n';
		memcpy(text->text + text->n + 1, advice, n);
		text->n += n + 1;
		text->text[text->n] = '\0';
	}
	free(advice);
	free(path);
	free(name);
	return advice != NULL;
}

bool
text_load(const char *arg, enum text_kind kind, struct text *t, struct err *e)
{
	*t = (struct text){0};
	if (recording_is(arg))
		return recording_load_text(arg, kind, t, e);
	if (text_is_other(arg, kind, e))
		return false;
	if (kind == TEXT_STACK && is_metric_tree(arg)) {
		struct str text = {0};

		if (!metric_tree_load(arg, &text, e))
			return false;
		t->path = mem_str(arg);
		t->n = text.n;
		t->text = str_take(&text);
		return true;
	}
	t->path = file_find(arg, row[kind].folders, row[kind].ending, e);
	if (t->path)
		t->text = file_read(t->path, row[kind].limit, &t->n, e);
	return t->text && (kind != TEXT_STACK || append_shared(t, e));
}

void
text_free(struct text *t)
{
	free(t->path);
	free(t->text);
	*t = (struct text){0};
}

struct network *
text_network(const struct text *t, struct diags *d)
{
	return network_parse(mem_str(t->path), mem_strn(t->text, t->n), t->n, d);
}

struct stack *
text_stack(const struct text *t, struct diags *d)
{
	return stack_parse(mem_str(t->path), mem_strn(t->text, t->n), t->n, d);
}
