#include "convert/fdl/words.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "convert/fdl/lexer.h"
#include "core/udd/word.h"

static bool
fdl_reserved(const char *word)
{
	static const char *const reserved[] = {"do", "incr", "switch", "next", "pass", "done", "ACTIONS",
		"COUNTER_GROUPS", "FLOW"};

	for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++)
		if (str_eq(word, reserved[i]))
			return true;
	return false;
}

static bool
is_udd_part(char c)
{
	return fdl_word_byte(c) && c != '.' && c != '$';
}

const struct fdl_spelling fdl_spelling = {fdl_word_byte, fdl_reserved};
const struct fdl_spelling fdl_udd_spelling = {is_udd_part, word_is_reserved};

static bool
words_is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* The key "SPACE WORD"; no word holds a blank. */
static size_t
words_add(struct names *t, size_t space, const char *text)
{
	char *key = str_format("%zu %s", space, text);
	size_t i = names_add(t, key, strlen(key));

	free(key);
	return i;
}

const char *
fdl_word(struct fdl_words *w, size_t space, const char *name)
{
	return fdl_word_for(w, space, name, name);
}

const char *
fdl_word_for(struct fdl_words *words, size_t space, const char *key, const char *wish)
{
	size_t known = words->given.n, i = words_add(&words->given, space, key), taken;
	struct str word = {0};

	if (i < known)
		return words->word[i];
	if (!words_is_letter(*wish))
		str_addc(&word, '_');
	for (const char *c = wish; *c; c++)
		str_addc(&word, words->spelling->is_part(*c) ? *c : '_');
	if (words->spelling->is_reserved(str_text(&word)))
		str_addc(&word, '_');
	for (taken = words->taken.n; words_add(&words->taken, space, str_text(&word)) < taken;)
		str_addc(&word, '_');
	str_free(&word);
	mem_grow(&words->word, &words->cap, i + 1, sizeof *words->word);
	words->word[i] = strchr(words->taken.name[taken], ' ') + 1;
	return words->word[i];
}

void
fdl_words_free(struct fdl_words *w)
{
	names_free(&w->given);
	names_free(&w->taken);
	free(w->word);
}
