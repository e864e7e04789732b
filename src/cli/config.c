#include "cli/config.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/near.h"
#include "base/str.h"
#include "work/files/files.h"

#define CONFIG_BYTES ((size_t)64 * 1024)

enum key_kind { KEY_TEXT, KEY_TRUTH, KEY_WORD };

static const char *const TRUTH[] = {"no", "yes", NULL};
static const char *const COLOR[] = {"auto", "always", "never", NULL}; /* in the order of enum color_when */

static const struct key {
	const char *name;
	enum key_kind kind;
	const char *const *words; /* the values of KEY_TRUTH and KEY_WORD */
	size_t offset;
	const char *value; /* the default, for the example */
	const char *help;
} keys[] = {
	{"theme", KEY_TEXT, NULL, offsetof(struct config, theme), "dark",
		"colours: an installed theme (the key T lists them) or a file"},
	{"color", KEY_WORD, COLOR, offsetof(struct config, color), "auto",
		"when there are colours: auto, always or never"},
	{"ascii", KEY_TRUTH, TRUTH, offsetof(struct config, ascii), "no", "no character outside ASCII"},
	{"motion", KEY_TRUTH, TRUTH, offsetof(struct config, motion), "yes",
		"no: nothing moves but the progress bar"},
	{"mouse", KEY_TRUTH, TRUTH, offsetof(struct config, mouse), "yes", "no: leave the mouse to the terminal"},
};

#define N_KEYS (sizeof keys / sizeof *keys)

/* NULL: there is no place for it. The caller frees it. */
static char *
config_path(void)
{
	const char *folder = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");

	if (folder && *folder)
		return str_format("%s/hecate/config", folder);
	return home && *home ? str_format("%s/.config/hecate/config", home) : NULL;
}

static bool
take_word(const struct key *key, const char *value, size_t *at, struct err *e)
{
	struct str all = {0};

	for (*at = 0; key->words[*at]; ++*at)
		if (str_eq(key->words[*at], value))
			return true;
	for (size_t i = 0; key->words[i]; i++)
		str_addf(&all, "%s%s", !i ? "" : key->words[i + 1] ? ", " : " or ", key->words[i]);
	err_set(e, "%s is %s, not %s", key->name, str_text(&all), *value ? value : "nothing");
	str_free(&all);
	return false;
}

static bool
take_value(struct config *config, const struct key *key, const char *value, struct err *e)
{
	void *at = (char *)config + key->offset;
	size_t word;

	if (key->kind == KEY_TEXT && !*value)
		return err_set(e, "%s has no value", key->name);
	if (key->kind == KEY_TEXT) {
		free(*(char **)at);
		*(char **)at = mem_str(value);
	} else {
		if (!take_word(key, value, &word, e))
			return false;
		if (key->kind == KEY_TRUTH)
			*(bool *)at = word == 1;
		else
			*(size_t *)at = word;
	}
	return true;
}

static bool
unknown_key(const char *name, struct err *e)
{
	const char *known[N_KEYS], *near;
	struct str all = {0};

	for (size_t i = 0; i < N_KEYS; i++) {
		known[i] = keys[i].name;
		str_addf(&all, "%s%s", i ? ", " : "", keys[i].name);
	}
	near = near_name(name, known, N_KEYS);
	err_set(e, "unknown key %s", name);
	err_hint(e, "%s%s", near ? "nearest: " : "there are ", near ? near : str_text(&all));
	str_free(&all);
	return false;
}

/* Cuts blanks at both ends. */
static char *
trim(char *text)
{
	size_t n;

	text += strspn(text, " \t\r");
	for (n = strlen(text); n && strchr(" \t\r", text[n - 1]);)
		n--;
	text[n] = '\0';
	return text;
}

static bool
take_line(struct config *config, char *line, struct err *e)
{
	char *equal = strchr(line, '='), *name;

	if (*trim(line) == '\0' || *trim(line) == '#')
		return true;
	if (equal)
		*equal = '\0';
	name = trim(line);
	for (size_t i = 0; i < N_KEYS; i++)
		if (str_eq(keys[i].name, name)) {
			if (equal)
				return take_value(config, &keys[i], trim(equal + 1), e);
			err_set(e, "%s has no value", name);
			return err_hint(e, "write %s = %s", name, keys[i].value);
		}
	return unknown_key(name, e);
}

bool
config_read(struct config *config, struct err *e)
{
	char *path = config_path(), *text, **line;
	size_t n, lines;
	bool good = true;

	*config = (struct config){.mouse = true, .motion = true};
	if (!path || access(path, F_OK) != 0) {
		free(path);
		return true;
	}
	text = file_read(path, CONFIG_BYTES, &n, e);
	line = text ? str_split(text, '\n', &lines) : NULL;
	for (size_t i = 0; line && i < lines && good; i++) {
		good = take_line(config, line[i], e);
		if (!good)
			err_place(e, path, (int)i + 1, 0);
	}
	if (line)
		str_split_free(line);
	good = good && text;
	free(text);
	free(path);
	return good;
}

void
config_example(struct str *out)
{
	for (size_t i = 0; i < N_KEYS; i++)
		str_addf(out, "%s# %s\n#%s = %s\n", i ? "\n" : "", keys[i].help, keys[i].name, keys[i].value);
}
