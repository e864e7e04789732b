#include "event/table.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/mem.h"
#include "base/str.h"
#include "event/name.h"

void
event_code_form(const char *code, struct str *out)
{
	bool bare = strncasecmp(code, "0x", 2) == 0;
	char *name;

	if (!bare && strchr(code, '=') && !strchr(code, '/')) {
		event_terms_form(code, out);
		return;
	}
	name = str_format(bare ? "r%s" : "%s", code + (bare ? 2 : 0));
	event_name_form(name, out);
	free(name);
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
	return least && form && !str_eq(row->form, form) ? 0 : least;
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

	*n = 0;
	for (size_t i = 0; i < table->n && *row->form; i++)
		if (&table->row[i] != row && str_eq(table->row[i].form, row->form) &&
			str_eq(table->row[i].pmu, row->pmu) && strcasecmp(table->row[i].name, row->name) != 0)
			same[(*n)++] = i;
	return same;
}

/* --- codes that differ ------------------------------------------------------------------------------------------- */

bool
event_codes_are_fixed(uint64_t config, uint64_t other)
{
	static const struct { uint64_t made_up, real; } fixed[] = {{0x100, 0xc0}, {0x200, 0x3c}};

	for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++) {
		uint64_t a = config & 0xffff, b = other & 0xffff;

		if (config >> 16 == other >> 16 && ((a == fixed[i].made_up && b == fixed[i].real) ||
							(b == fixed[i].made_up && a == fixed[i].real)))
			return true;
	}
	return false;
}

bool
event_forms_agree(const char *a, const char *b)
{
	uint64_t x, y;
	char end;

	return str_eq(a, b) || (sscanf(a, "r%" SCNx64 "%c", &x, &end) == 1 &&
		sscanf(b, "r%" SCNx64 "%c", &y, &end) == 1 && event_codes_are_fixed(x, y));
}

const struct event_row *
event_table_other_code(const struct event_table *table, const struct event_row *row)
{
	const struct event_row *other = row, *end = table->row + table->n;

	while (other > table->row && strcasecmp(other[-1].name, row->name) == 0)
		other--;
	for (; other < end && strcasecmp(other->name, row->name) == 0; other++)
		if (other->source != row->source && str_eq(other->pmu, row->pmu) && event_pmu_is_core(row->pmu) &&
			*other->form && *row->form && !event_forms_agree(other->form, row->form))
			return other;
	return NULL;
}
