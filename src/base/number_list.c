#include "base/number_list.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"

static bool
number(const char *text, int least, int most, int *out, struct err *e)
{
	uint64_t v;

	if (!str_to_u64(text, &v)) {
		bool digits = strspn(text, "0123456789") == strlen(text);

		if (!*text)
			return err_set(e, "a number is missing");
		return err_set(e, digits ? "%s is too large" : "%s is not a whole number", text);
	}
	if (v < (uint64_t)least || v > (uint64_t)most)
		return err_set(e, "%s is not between %d and %d", text, least, most);
	*out = (int)v;
	return true;
}

static bool
part(char *text, bool ranges, int least, int most, int *from, int *to, struct err *e)
{
	char *dash = ranges && *text ? strchr(text + 1, '-') : NULL;
	bool good;

	if (!dash) {
		good = number(text, least, most, from, e);
		*to = *from;
		return good;
	}
	*dash = '\0';
	good = number(text, least, most, from, e) && number(dash + 1, least, most, to, e);
	*dash = '-';
	if (good && *from > *to)
		return err_set(e, "the range %s runs backwards", text);
	return good;
}

static int
number_list_by_number(const void *a, const void *b)
{
	const int *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

size_t
number_list_sort(int *list, size_t n)
{
	size_t kept = 0;

	if (n)
		qsort(list, n, sizeof *list, number_list_by_number);
	for (size_t i = 0; i < n; i++)
		if (!kept || list[kept - 1] != list[i])
			list[kept++] = list[i];
	return kept;
}

bool
number_list_parse(const char *text, bool ranges, int least, int most, int **list, size_t *n, struct err *e)
{
	char **word = str_split(text, ',', NULL);
	size_t cap = 0, some = 0;
	bool good = true;

	*list = NULL;
	*n = 0;
	for (size_t i = 0; word[i] && good; i++) {
		int from = 0, to = 0;

		good = part(word[i], ranges, least, most, &from, &to, e);
		if (good && (size_t)(to - from) + 1 + some > NUMBER_LIST_MOST)
			good = err_set(e, "%s names more than %d", text, NUMBER_LIST_MOST);
		for (int v = from; good && v <= to; v++) {
			mem_grow(list, &cap, some + 1, sizeof **list);
			(*list)[some++] = v;
		}
	}
	str_split_free(word);
	if (!good) {
		free(*list);
		*list = NULL;
		return false;
	}
	*n = number_list_sort(*list, some);
	return true;
}

bool
number_list_has(const int *list, size_t n, int v)
{
	for (size_t i = 0; i < n; i++)
		if (list[i] == v)
			return true;
	return !list;
}
