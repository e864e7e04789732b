#include "text/word_list.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/near.h"
#include "base/str.h"
#include "text/diag.h"

struct word_list
word_list_of(const char *text, char separator)
{
	return (struct word_list){.text = text, .separator = separator};
}

bool
word_list_next(struct word_list *list)
{
	const char *end;

	free(list->word);
	list->word = NULL;
	if (list->next > strlen(list->text))
		return false;
	list->at = list->blame = list->next;
	end = strchrnul(list->text + list->at, list->separator);
	list->length = (size_t)(end - (list->text + list->at));
	list->next = list->at + list->length + 1;
	list->word = mem_strn(list->text + list->at, list->length);
	return true;
}

char *
word_list_cut(struct word_list *list, char c)
{
	char *at = strchr(list->word, c);

	if (!at)
		return NULL;
	*at = '\0';
	list->length = strlen(list->word);
	return at + 1;
}

void
word_list_blame_rest(struct word_list *list)
{
	size_t end = list->next - 1, from = list->at + strlen(list->word) + 1;

	list->blame = from < end ? from : end;
	list->length = end - list->blame;
}

bool
word_list_end(struct word_list *list, bool good, struct err *e)
{
	if (!good)
		err_within(e, list->text, list->blame, list->length);
	free(list->word);
	list->word = NULL;
	return good;
}

bool
word_list_hint(struct err *e, const char *word, const char *lead, const void *rows, size_t n, size_t size)
{
	const char **known = mem_new_array(n, sizeof *known), *near;
	struct str all = {0};
	size_t some = 0;

	for (size_t i = 0; i < n; i++) {
		memcpy(&known[some], (const char *)rows + i * size, sizeof *known);
		if (known[some])
			str_addf(&all, "%s%s", some ? ", " : "", known[some]);
		some += known[some] != NULL;
	}
	near = near_name(word, known, some);
	if (near && str_eq(near, word)) /* it lacks its value, or has one too many */
		near = NULL;
	if (near || strlen(lead) + 1 + all.n < sizeof e->hint)
		err_hint(e, "%s %s", near ? "nearest:" : lead, near ? near : str_text(&all));
	free(known);
	str_free(&all);
	return false;
}
