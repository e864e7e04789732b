#include "base/fuzzy.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/utf8.h"

enum { PATTERN_MOST = 64, TEXT_MOST = 256 };
enum { FOUND = 16, AT_WORD = 10, AT_START = 4, NEXT_TO = 12 };

static uint32_t
lower_case(uint32_t c)
{
	return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c;
}

static bool
is_between_words(uint32_t c)
{
	return c < 0x80 && !(c >= 'a' && c <= 'z') && !(c >= '0' && c <= '9');
}

/* Returns the number of characters, or most + 1 if there are more. */
static int
read_characters(const char *text, uint32_t *out, int most, bool blanks)
{
	int n = 0;

	/* four bytes are read at most, so that no long text is measured as a whole */
	for (size_t len; *text; text += len) {
		uint32_t c;

		len = utf8_decode(text, strnlen(text, 4), &c);
		if (c == ' ' && !blanks)
			continue;
		if (n == most)
			return most + 1;
		out[n++] = lower_case(c);
	}
	return n;
}

/* best[j]: the best score of the pattern so far whose last character is text[j]; 0: none. */
int
fuzzy_score(const char *pattern, const char *text)
{
	uint32_t p[PATTERN_MOST], t[TEXT_MOST];
	int best[TEXT_MOST], next[TEXT_MOST];
	int n = read_characters(pattern, p, PATTERN_MOST, false), m = read_characters(text, t, TEXT_MOST, true);
	int score = 0;

	if (n == 0)
		return 1;
	m = m > TEXT_MOST ? TEXT_MOST : m;
	if (n > PATTERN_MOST || n > m)
		return 0;
	for (int i = 0; i < n; i++) {
		int far = 0; /* the best score that ends before j, less what the gap costs */

		for (int j = 0; j < m; j++) {
			bool starts = j == 0 || is_between_words(t[j - 1]);
			int from = i == 0 ? 1 : far;

			if (i > 0 && j > 0 && best[j - 1] && best[j - 1] + NEXT_TO > from)
				from = best[j - 1] + NEXT_TO;
			next[j] = p[i] == t[j] && from > 0
				? from + FOUND + (starts ? AT_WORD : 0) + (j == 0 ? AT_START : 0) : 0;
			far -= far > 1;
			if (i > 0 && best[j] > far)
				far = best[j];
		}
		memcpy(best, next, (size_t)m * sizeof *best);
	}
	for (int j = 0; j < m; j++)
		score = best[j] > score ? best[j] : score;
	return score;
}
