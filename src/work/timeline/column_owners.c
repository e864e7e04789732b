#include "work/timeline/column_owners.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/obs/obs.h"

/* The names of one scope's owners, while they are collected. */
struct found {
	char **name;
	size_t n, cap;
};

/* True for "C12" or "slice3": the word, followed by digits and nothing else. */
static bool
is_part(const char *s, size_t n, const char *word)
{
	size_t w = strlen(word);

	if (n <= w || strncmp(s, word, w) != 0)
		return false;
	for (size_t i = w; i < n; i++)
		if (!isdigit((unsigned char)s[i]))
			return false;
	return true;
}

/* Returns the scope that one part of an owner's name stands for, or SCOPES for an unknown part. */
static enum scope
scope_of_part(const char *s, size_t n)
{
	static const struct { const char *word; enum scope scope; } row[] = {
		{"S", SCOPE_SOCKET}, {"C", SCOPE_CORE}, {"T", SCOPE_THREAD}, {"slice", SCOPE_SLICE}, {"channel",
			SCOPE_CHANNEL},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++)
		if (is_part(s, n, row[i].word))
			return row[i].scope;
	return SCOPES;
}

/* Returns the scope of an owner's name. *n is the length of the prefix that names an owner of scope `upto`: for
 * S0-C3-T7 and SCOPE_CORE, the length of "S0-C3". It is 0 where no part of the name has that scope. */
static enum scope
scope_of(const char *owner, enum scope upto, size_t *n)
{
	enum scope last = SCOPE_DEVICE;

	*n = 0;
	for (const char *part = owner; *part;) {
		size_t len = strcspn(part, "-");

		last = scope_of_part(part, len);
		if (last == SCOPES && !is_part(part, len, "D")) /* perf's dies are not a scope here */
			break;
		part += len;
		if (last == upto)
			*n = (size_t)(part - owner);
		part += *part == '-';
	}
	if (last != SCOPES)
		return last;
	*n = upto == SCOPE_DEVICE ? strlen(owner) : 0;
	return SCOPE_DEVICE;
}

/* Compares names as text, but the numbers in them by value: slice9 comes before slice10. */
static int
column_owners_compare_names(const void *a, const void *b)
{
	const char *x = *(const char *const *)a, *y = *(const char *const *)b;

	while (*x && *y) {
		if (isdigit((unsigned char)*x) && isdigit((unsigned char)*y)) {
			char *x_end, *y_end;
			unsigned long long i = strtoull(x, &x_end, 10), k = strtoull(y, &y_end, 10);

			if (i != k)
				return i < k ? -1 : 1;
			x = x_end;
			y = y_end;
			continue;
		}
		if (*x != *y)
			break;
		x++;
		y++;
	}
	return (unsigned char)*x - (unsigned char)*y;
}

static size_t
column_owners_find(const struct found *f, const char *s, size_t n)
{
	size_t i = 0;

	while (i < f->n && (strncmp(f->name[i], s, n) != 0 || f->name[i][n]))
		i++;
	return i;
}

static void
column_owners_add(struct found *f, const char *s, size_t n)
{
	if (column_owners_find(f, s, n) < f->n)
		return;
	mem_grow(&f->name, &f->cap, f->n + 1, sizeof *f->name);
	f->name[f->n++] = str_format("%.*s", (int)n, s);
}

/* Collects every owner that a column names, and the owners that it is a part of. */
static void
gather(const struct obs_table *table, struct found found[SCOPES])
{
	for (size_t c = 0; c < table->n_columns; c++) {
		const char *at = strrchr(table->column[c], '@');
		size_t n;

		for (int k = 0; at && at[1] && k < SCOPES; k++) {
			scope_of(at + 1, (enum scope)k, &n);
			if (n)
				column_owners_add(&found[k], at + 1, n);
		}
	}
	for (int k = 0; k < SCOPES; k++)
		if (found[k].n)
			qsort(found[k].name, found[k].n, sizeof *found[k].name, column_owners_compare_names);
}

/* Finds, for each owner of scope `fine`, which owner of scope `coarse` it is a part of. */
static void
set_parts(struct column_owners *o, const struct found found[SCOPES], enum scope fine, enum scope coarse)
{
	o->part_of[fine] = mem_new_array(o->shape.n[fine], sizeof *o->part_of[fine]);
	for (size_t i = 0; i < found[fine].n; i++) {
		size_t n, at;

		scope_of(found[fine].name[i], coarse, &n);
		at = n ? column_owners_find(&found[coarse], found[fine].name[i], n) : 0;
		o->part_of[fine][i] = at < found[coarse].n ? at : 0;
	}
	o->shape.part_of[fine] = o->part_of[fine];
}

/* Makes `base`. Columns that differ only in their owner share one of its columns. */
static void
set_columns(struct column_owners *owners, const struct obs_table *table, const struct found found[SCOPES])
{
	struct names seen = {0};
	size_t n, part;

	owners->n_columns = table->n_columns;
	owners->base_of = mem_new_array(table->n_columns, sizeof *owners->base_of);
	owners->scope = mem_new_array(table->n_columns, sizeof *owners->scope);
	owners->owner = mem_new_array(table->n_columns, sizeof *owners->owner);
	for (size_t c = 0; c < table->n_columns; c++) {
		const char *at = strrchr(table->column[c], '@');

		n = at && at[1] ? (size_t)(at - table->column[c]) : strlen(table->column[c]);
		owners->base_of[c] = names_add(&seen, table->column[c], n);
		owners->scope[c] = SCOPE_SYSTEM;
		if (table->column[c][n]) {
			owners->scope[c] = scope_of(at + 1, SCOPE_SYSTEM, &part);
			owners->owner[c] = column_owners_find(&found[owners->scope[c]], at + 1, strlen(at + 1));
		}
	}
	owners->base = obs_table_new((const char *const *)seen.name, seen.n);
	names_free(&seen);
}

struct column_owners *
column_owners_new(const struct obs_table *table)
{
	struct column_owners *owners = mem_new(sizeof *owners);
	struct found found[SCOPES] = {0};

	gather(table, found);
	owners->threads_are_cores = !found[SCOPE_THREAD].n;
	for (size_t i = 0; owners->threads_are_cores && i < found[SCOPE_CORE].n; i++)
		column_owners_add(&found[SCOPE_THREAD], found[SCOPE_CORE].name[i], strlen(found[SCOPE_CORE].name[i]));
	for (int k = 0; k < SCOPES; k++) {
		owners->shape.n[k] = found[k].n ? found[k].n : 1;
		owners->shape.unknown[k] = !found[k].n && k != SCOPE_SYSTEM;
		owners->name[k] = found[k].name;
	}
	set_parts(owners, found, SCOPE_THREAD, SCOPE_CORE);
	set_parts(owners, found, SCOPE_CORE, SCOPE_SOCKET);
	set_parts(owners, found, SCOPE_SLICE, SCOPE_SOCKET);
	set_parts(owners, found, SCOPE_CHANNEL, SCOPE_SOCKET);
	set_columns(owners, table, found);
	return owners;
}

void
column_owners_free(struct column_owners *owners)
{
	if (!owners)
		return;
	for (int k = 0; k < SCOPES; k++) {
		for (size_t i = 0; owners->name[k] && i < owners->shape.n[k]; i++)
			free(owners->name[k][i]);
		free(owners->name[k]);
		free(owners->part_of[k]);
	}
	obs_table_free(owners->base);
	free(owners->base_of);
	free(owners->scope);
	free(owners->owner);
	free(owners);
}

bool
column_owners_has(const struct column_owners *o, size_t column, enum scope s, size_t i)
{
	enum scope own = o->scope[column];

	if (own == SCOPE_SYSTEM)
		return o->shape.n[s] == 1;
	if (own == s || (own == SCOPE_CORE && s == SCOPE_THREAD && o->threads_are_cores))
		return o->owner[column] == i;
	return (s == SCOPE_SYSTEM || scope_within(own, s)) &&
		net_owner_within(&o->shape, own, o->owner[column], s) == i;
}
