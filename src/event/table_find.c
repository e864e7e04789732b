#include "event/table.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/mem.h"
#include "base/str.h"
#include "event/name.h"

/* Appends a code in a form that is equal for equal codes, whatever the order of its terms: "r60f9". */
static void
event_code_form(const char *code, struct str *out)
{
	char *name;

	if (strncasecmp(code, "0x", 2) == 0)
		name = str_format("r%s", code + 2);
	else if (strchr(code, '=') && !strchr(code, '/'))
		name = str_format("cpu/%s/", code);
	else
		name = str_format("%s", code);
	event_name_form(name, out);
	free(name);
}

static bool
has_code(const struct event_row *row, const char *form)
{
	struct str own = {0};
	bool has;

	if (!*row->code)
		return false;
	event_code_form(row->code, &own);
	has = str_eq(str_text(&own), form);
	str_free(&own);
	return has;
}

/* 2: the name fits; 1: the description does; 0: neither. */
static int
fits_word(const struct event_row *row, const char *word)
{
	if (strpbrk(word, "*?"))
		return fnmatch(word, row->name, FNM_CASEFOLD) == 0 ? 2 : 0;
	return strcasestr(row->name, word) ? 2 : strcasestr(row->text, word) ? 1 : 0;
}

static int
fits(const struct event_row *row, const struct event_filter *filter, const char *form)
{
	int least = 2;

	if (filter->pmu && !str_eq(filter->pmu, row->pmu) && !event_pmu_is_box(filter->pmu, row->pmu))
		return 0;
	for (size_t i = 0; i < filter->n && least; i++) {
		int how = fits_word(row, filter->word[i]);

		least = how < least ? how : least;
	}
	return least && form && !has_code(row, form) ? 0 : least;
}

size_t *
event_table_select(const struct event_table *table, const struct event_filter *filter, size_t *n)
{
	size_t *chosen = mem_new_array(table->n + 1, sizeof *chosen), found = 0, named = 0;
	struct str form = {0};

	if (filter->code)
		event_code_form(filter->code, &form);
	for (size_t i = 0; i < table->n; i++) {
		int how = fits(&table->row[i], filter, filter->code ? str_text(&form) : NULL);

		if (!how)
			continue;
		if (how == 2) { /* in front of those that fit by their descriptions */
			memmove(chosen + named + 1, chosen + named, (found - named) * sizeof *chosen);
			chosen[named++] = i;
			found++;
		} else {
			chosen[found++] = i;
		}
	}
	str_free(&form);
	*n = found;
	return chosen;
}

size_t *
event_table_same_code(const struct event_table *table, const struct event_row *row, size_t *n)
{
	size_t *same = mem_new_array(table->n + 1, sizeof *same);
	struct str form = {0};

	*n = 0;
	if (*row->code)
		event_code_form(row->code, &form);
	for (size_t i = 0; i < table->n && form.n; i++)
		if (&table->row[i] != row && str_eq(table->row[i].pmu, row->pmu) &&
			strcasecmp(table->row[i].name, row->name) != 0 && has_code(&table->row[i], form.s))
			same[(*n)++] = i;
	str_free(&form);
	return same;
}
