#include "base/near.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"

enum { WORD_MAX = 100, NAME_MAX_BYTES = 160, LISTED_MAX = 6 };
enum { WORDS_MOST = 24, PREFIX_LEAST = 3, FUZZY_LEAST = 5, EXTRA_WORD = 4, AFTER_EDITS = 100 };

static size_t
least(size_t a, size_t b)
{
	return a < b ? a : b;
}

size_t
near_distance(const char *a, const char *b, size_t limit)
{
	size_t n = strlen(a), m = strlen(b), best = 0, found;
	size_t *cells, *row[3]; /* row[0]: two characters ago, row[1]: the last one, row[2]: this one */

	if ((n > m ? n - m : m - n) > limit)
		return limit + 1;
	cells = mem_new_array(3 * (m + 1), sizeof *cells);
	for (size_t k = 0; k < 3; k++)
		row[k] = cells + k * (m + 1);
	for (size_t j = 0; j <= m; j++)
		row[1][j] = j;
	found = m;
	for (size_t i = 1; i <= n; i++) {
		size_t *oldest = row[0], best_before = best;

		best = row[2][0] = i;
		for (size_t j = 1; j <= m; j++) {
			row[2][j] = least(row[1][j - 1] + (a[i - 1] != b[j - 1]), least(row[1][j], row[2][j - 1]) + 1);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				row[2][j] = least(row[2][j], row[0][j - 2] + 1);
			best = least(best, row[2][j]);
		}
		found = row[2][m];
		if (best > limit && best_before > limit) { /* each later row is made from these two */
			found = limit + 1;
			break;
		}
		row[0] = row[1];
		row[1] = row[2];
		row[2] = oldest;
	}
	free(cells);
	return least(found, limit + 1);
}

/* --- words in any order ----------------------------------------------------------------------------------------- */

struct near_words {
	char text[NAME_MAX_BYTES + 1]; /* lower case, and '_' between words */
	const char *word[WORDS_MOST];
	size_t length[WORDS_MOST], n;
};

/* Writes the name in lower case, with '_' for each sign. Returns false if it is too long. */
static bool
near_normal(const char *name, char out[NAME_MAX_BYTES + 1])
{
	size_t n = 0;

	for (; name[n] && n < NAME_MAX_BYTES; n++)
		out[n] = (char)(isalnum((unsigned char)name[n]) || (unsigned char)name[n] >= 0x80
				? tolower((unsigned char)name[n]) : '_');
	out[n] = '\0';
	return !name[n];
}

static void
near_split(struct near_words *words)
{
	words->n = 0;
	for (const char *p = words->text; *p && words->n < WORDS_MOST;) {
		size_t length = strcspn(p, "_");

		if (length) {
			words->word[words->n] = p;
			words->length[words->n++] = length;
		}
		p += length + (p[length] == '_');
	}
}

/* Returns whether n bytes of `word`, which has one letter too many, too few or another one, can be n + 1, n − 1 or n
 * bytes of `other`. The first letters must be equal. */
static bool
near_one_edit(const char *word, size_t n, const char *other, size_t m)
{
	size_t front = 0, back = 0, least_of = least(n, m);

	if (n < FUZZY_LEAST || n > m + 1 || m > n + 1 || *word != *other)
		return false;
	while (front < least_of && word[front] == other[front])
		front++;
	while (back < least_of - front && word[n - 1 - back] == other[m - 1 - back])
		back++;
	return (n > m ? n : m) - front - back <= 1;
}

/* Returns how far `word`'s words are from those of a name: 1 + letters and words that the name has in addition, and
 * more for a misspelt word. Returns SIZE_MAX if a word is not there. */
static size_t
near_words_apart(const struct near_words *word, const struct near_words *name)
{
	unsigned used = 0;
	size_t apart = 1 + EXTRA_WORD * (name->n - word->n);

	if (word->n == 0 || word->n > name->n)
		return SIZE_MAX;
	for (size_t i = 0; i < word->n; i++) {
		size_t best = SIZE_MAX, at = 0;

		for (size_t k = 0; k < name->n; k++) {
			size_t cost = SIZE_MAX;

			if (used & 1u << k)
				continue;
			if (name->length[k] >= word->length[i] && word->length[i] >= PREFIX_LEAST &&
				memcmp(name->word[k], word->word[i], word->length[i]) == 0)
				cost = name->length[k] - word->length[i];
			else if (name->length[k] == word->length[i] &&
				memcmp(name->word[k], word->word[i], word->length[i]) == 0)
				cost = 0;
			else if (near_one_edit(word->word[i], word->length[i], name->word[k], name->length[k]))
				cost = EXTRA_WORD;
			if (cost < best) {
				best = cost;
				at = k;
			}
		}
		if (best == SIZE_MAX)
			return SIZE_MAX;
		used |= 1u << at;
		apart += best;
	}
	return apart;
}

/* --- ranking ----------------------------------------------------------------------------------------------------- */

struct near_best {
	size_t at[NEAR_MOST], cost[NEAR_MOST], n;
};

/* The cost above which a name is of no use. */
static size_t
near_worst(const struct near_best *best)
{
	return best->n < NEAR_MOST ? SIZE_MAX : best->cost[NEAR_MOST - 1];
}

static void
near_keep(struct near_best *best, size_t at, size_t cost, const char *const *names)
{
	size_t k = best->n;

	for (size_t i = 0; i < best->n; i++)
		if (best->cost[i] <= cost && str_eq(names[best->at[i]], names[at]))
			return;
	if (k == NEAR_MOST)
		k--;
	else
		best->n++;
	for (; k > 0 && best->cost[k - 1] > cost; k--) {
		best->cost[k] = best->cost[k - 1];
		best->at[k] = best->at[k - 1];
	}
	best->cost[k] = cost;
	best->at[k] = at;
}

size_t
near_find(const char *word, const char *const *names, size_t n, size_t out[NEAR_MOST])
{
	struct near_words wanted, name;
	struct near_best best = {0};
	size_t length = strlen(word), limit = length / 3;

	if (length == 0 || length > WORD_MAX || !near_normal(word, wanted.text))
		return 0;
	near_split(&wanted);
	limit = limit < 1 ? 1 : limit > 3 ? 3 : limit;
	for (size_t i = 0; i < n; i++) {
		size_t worst = near_worst(&best), cost;

		if (!near_normal(names[i], name.text))
			continue;
		cost = near_distance(wanted.text, name.text, limit);
		/* of names that differ in case or signs alone, the one that is spelled alike comes first */
		cost = cost > limit ? SIZE_MAX : 2 * cost + !str_eq(word, names[i]);
		if (cost == SIZE_MAX && worst > AFTER_EDITS && length >= PREFIX_LEAST) {
			near_split(&name);
			cost = near_words_apart(&wanted, &name);
			cost = cost == SIZE_MAX ? cost : AFTER_EDITS + cost;
		}
		if (cost < worst)
			near_keep(&best, i, cost, names);
	}
	memcpy(out, best.at, best.n * sizeof *out);
	return best.n;
}

const char *
near_name(const char *word, const char *const *names, size_t n)
{
	size_t found[NEAR_MOST];

	return near_find(word, names, n, found) ? names[found[0]] : NULL;
}

char *
near_text(const char *word, const char *const *names, size_t n)
{
	size_t found[NEAR_MOST], some = near_find(word, names, n, found);
	struct str t = {0};

	for (size_t i = 0; i < some; i++)
		str_addf(&t, "%s%s", i ? ", " : "nearest: ", names[found[i]]);
	return some ? str_take(&t) : NULL;
}

char *
near_hint(const char *word, const char *const *names, size_t n)
{
	char *near = near_text(word, names, n);
	struct str t = {0};

	if (near || n == 0 || n > LISTED_MAX)
		return near;
	for (size_t i = 0; i < n; i++)
		str_addf(&t, "%s%.40s", i ? ", " : n == 1 ? "there is: " : "there are: ", names[i]);
	return str_take(&t);
}
