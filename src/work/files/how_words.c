#include "work/files/how_words.h"

#include <string.h>

#include "base/err.h"
#include "text/word_list.h"

const struct how_word *
how_words_find(const struct how_words *words, const char *text)
{
	size_t n = strcspn(text, "=,");

	for (size_t i = 0; i < words->n; i++)
		if (strlen(words->word[i].word) == n && strncmp(words->word[i].word, text, n) == 0)
			return &words->word[i];
	return NULL;
}

static bool
takes_value(const struct how_word *how)
{
	return how->form != NOTATION_WORD || how->most;
}

/* Takes one word; `value`: NULL if it has none. */
static bool
take_word(const struct how_words *words, const struct how_word *how, const char *value, void *into, struct err *e)
{
	void *field = (char *)into + how->field;
	bool *said = (bool *)((char *)into + words->said_samples);

	if (!value && takes_value(how)) {
		err_set(e, "%s has no value", how->word);
		return err_hint(e, "for instance: %s=%s", how->word, how->form == NOTATION_TIME ? "100us" : "60");
	}
	if (value && !takes_value(how))
		return err_set(e, "%s takes no value", how->word);
	if (!value) {
		if (how->field == words->said_samples)
			*(size_t *)((char *)into + words->samples) = 0;
		return *(bool *)field = true;
	}
	if (how->form == NOTATION_WORD)
		return words->choice(value, field, e);
	*said |= how->field == words->samples;
	return notation_take(how->word, how->form, how->least, how->most, value, field, e) ||
		err_hint(e, "for instance: %s=%s", how->word, how->form == NOTATION_TIME ? "100us" : "60");
}

bool
how_words_take(const struct how_words *words, const char *text, void *into, struct err *e)
{
	struct word_list list = word_list_of(text, ',');
	bool good = true;

	while (good && word_list_next(&list)) {
		const struct how_word *how = how_words_find(words, list.word);
		const char *value;

		if (!how)
			err_set(e, "%s: unknown word in how to measure", list.word);
		value = word_list_cut(&list, '=');
		if (!how) {
			good = word_list_hint(e, list.word, words->known, words->word, words->n, sizeof *words->word);
			continue;
		}
		if (value)
			word_list_blame_rest(&list);
		good = take_word(words, how, value, into, e);
	}
	return word_list_end(&list, good, e);
}
