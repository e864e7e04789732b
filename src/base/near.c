#include "base/near.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"

#define WORD_MAX 100
#define NAMES_MAX 20000
#define LISTED_MAX 6

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

const char *
near_name(const char *word, const char *const *names, size_t n)
{
	size_t length = strlen(word), limit = length / 3, best;
	const char *found = NULL;

	if (length == 0 || length > WORD_MAX || n > NAMES_MAX)
		return NULL;
	limit = limit < 1 ? 1 : limit > 3 ? 3 : limit;
	best = limit + 1;
	for (size_t i = 0; i < n && best > 0; i++) {
		size_t d = near_distance(word, names[i], best - 1);

		if (d < best) {
			best = d;
			found = names[i];
		}
	}
	return found;
}

char *
near_hint(const char *word, const char *const *names, size_t n)
{
	const char *near = near_name(word, names, n);
	struct str t = {0};

	if (near)
		return str_format("nearest: %s", near);
	if (n == 0 || n > LISTED_MAX)
		return NULL;
	for (size_t i = 0; i < n; i++)
		str_addf(&t, "%s%.40s", i ? ", " : n == 1 ? "there is: " : "there are: ", names[i]);
	return str_take(&t);
}
