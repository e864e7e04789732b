#include "work/timeline/column_owners.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/names.h"
#include "base/number.h"
#include "base/str.h"
#include "core/network/network.h"
#include "core/obs/obs.h"
#include "event/name.h"
#include "work/timeline/owner_name.h"

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
	static const struct {
		const char *word;
		enum scope scope;
	} row[] = {
		{"S", SCOPE_SOCKET},
		{"N", SCOPE_SOCKET},
		{"C", SCOPE_CORE},
		{"CPU", SCOPE_CORE},
		{"T", SCOPE_THREAD},
		{"slice", SCOPE_SLICE},
		{"channel", SCOPE_CHANNEL},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++)
		if (is_part(s, n, row[i].word))
			return row[i].scope;
	return SCOPES;
}

/* Returns the scope of an owner's name. *n is the length of the prefix that names an owner of scope `upto`: for
 * S0-C3-T7 and SCOPE_CORE, the length of "S0-C3". It is 0 where no part of the name has that scope. perf's dies are no
 * scope here: S0-D1 is a part of socket S0. */
static enum scope
scope_of(const char *owner, enum scope upto, size_t *n)
{
	enum scope last = SCOPE_DEVICE;

	*n = 0;
	for (const char *part = owner; *part;) {
		size_t len = strcspn(part, "-");
		enum scope scope = scope_of_part(part, len);

		if (scope == SCOPES && (part == owner || !is_part(part, len, "D"))) {
			last = SCOPE_DEVICE;
			*n = upto == SCOPE_DEVICE ? strlen(owner) : 0;
			break;
		}
		part += len;
		if (scope != SCOPES)
			last = scope;
		if (scope == upto)
			*n = (size_t)(part - owner);
		part += *part == '-';
	}
	return last;
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

/* One column's name, split. */
struct split {
	char *base, *owner;
	bool box;
};

/* Returns whether the network asks for this box of a PMU by its number: then the column is no part of a sum. */
static bool
asks_for(const struct network *net, const char *column)
{
	for (size_t i = 0; net && i < net->n_counters; i++)
		for (size_t k = 0; k < net->counter[i].n_choices; k++)
			for (size_t e = 0; e < net->counter[i].choice[k].n; e++) {
				const char *name = net->counter[i].choice[k].event[e].name;

				if (strpbrk(name, "/[") && event_name_same(name, column))
					return true;
			}
	return false;
}

/* Returns the owner's name without zeros before its numbers: S00-C07 is S0-C7. A device keeps its name. */
static char *
plain_owner(const char *owner)
{
	struct str plain = {0};
	size_t n;

	if (scope_of(owner, SCOPE_SYSTEM, &n) == SCOPE_DEVICE)
		return mem_str(owner);
	for (const char *s = owner; *s; s++)
		if (*s != '0' || !isdigit((unsigned char)s[1]) || (s > owner && isdigit((unsigned char)s[-1])))
			str_addn(&plain, s, 1);
	return str_take(&plain);
}

static struct split *
split_columns(const struct obs_table *table, const struct network *net)
{
	struct split *split = mem_new_array(table->n_columns, sizeof *split);
	struct str base = {0}, owner = {0};

	for (size_t c = 0; c < table->n_columns; c++) {
		split[c].box = owner_name_split(table->column[c], &base, &owner);
		if (split[c].box && asks_for(net, table->column[c])) {
			split[c] = (struct split){mem_str(table->column[c]), mem_str(""), false};
			continue;
		}
		split[c].base = mem_str(str_text(&base));
		split[c].owner = plain_owner(str_text(&owner));
	}
	str_free(&base);
	str_free(&owner);
	return split;
}

static void
split_free(struct split *split, size_t n)
{
	for (size_t c = 0; c < n; c++) {
		free(split[c].base);
		free(split[c].owner);
	}
	free(split);
}

/* Returns the length of an owner's name, up to the second owner of a pair. */
static size_t
first_of_pair(const char *owner)
{
	size_t n = strcspn(owner, ":"), within;
	char *first = str_format("%.*s", (int)n, owner);
	bool pair = owner[n] && owner[n + 1] && scope_of(first, SCOPE_SYSTEM, &within) != SCOPE_DEVICE;

	free(first);
	return pair ? n : strlen(owner);
}

static void
gather_owner(const char *owner, struct found found[SCOPES])
{
	size_t n;

	for (int k = 0; k < SCOPES; k++) {
		scope_of(owner, (enum scope)k, &n);
		if (n)
			column_owners_add(&found[k], owner, n);
	}
}

/* Collects every owner that a column names, and the owners that it is a part of. */
static void
gather(const struct split *split, size_t n_columns, struct found found[SCOPES])
{
	for (size_t c = 0; c < n_columns; c++) {
		const char *owner = split[c].owner;
		size_t n = first_of_pair(owner);
		char *first = str_format("%.*s", (int)n, owner);

		if (n)
			gather_owner(first, found);
		if (owner[n])
			gather_owner(owner + n + 1, found);
		free(first);
	}
	for (int k = 0; k < SCOPES; k++)
		if (found[k].n)
			qsort(found[k].name, found[k].n, sizeof *found[k].name, column_owners_compare_names);
}

/* Finds a name by its normal form; see event_name_form(). */
static size_t
find_form(const struct names *forms, const char *name)
{
	struct str form = {0};
	size_t at;

	event_name_form(name, &form);
	at = names_find(forms, str_text(&form), form.n);
	str_free(&form);
	return at;
}

/* Returns whether a column that counts a whole socket is one of the counter's. */
static bool
counts_sockets(const struct counter_item *counter, const struct names *forms)
{
	bool found = find_form(forms, counter->name) != NAMES_NONE;

	for (size_t k = 0; k < counter->n_choices && !found; k++)
		for (size_t e = 0; e < counter->choice[k].n && !found; e++)
			found = find_form(forms, counter->choice[k].event[e].name) != NAMES_NONE;
	return found;
}

/* Where no column names a core (a slice, a channel), but counters of cores are counted for whole sockets: each socket
 * has one core, which stands for all of them. */
static void
add_stand_ins(
	struct column_owners *owners, const struct split *split, const struct network *net, struct found found[SCOPES])
{
	struct names forms = {0};
	struct str form = {0};
	size_t n;

	for (size_t c = 0; net && c < owners->n_columns; c++) {
		if (!*split[c].owner || scope_of(split[c].owner, SCOPE_SYSTEM, &n) != SCOPE_SOCKET)
			continue;
		str_clear(&form);
		event_name_form(split[c].base, &form);
		names_add(&forms, str_text(&form), form.n);
	}
	for (size_t i = 0; forms.n && i < net->n_counters; i++) {
		enum scope per = net->counter[i].scope == SCOPE_THREAD ? SCOPE_CORE : net->counter[i].scope;

		if ((per != SCOPE_CORE && per != SCOPE_SLICE && per != SCOPE_CHANNEL) || found[per].n ||
			!counts_sockets(&net->counter[i], &forms))
			continue;
		owners->stands[per] = true;
		for (size_t k = 0; k < found[SCOPE_SOCKET].n; k++) {
			const char *socket = found[SCOPE_SOCKET].name[k];

			column_owners_add(&found[per], socket, strlen(socket));
		}
	}
	str_free(&form);
	names_free(&forms);
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

static void
column_owners_remark(struct column_owners *owners, char *text)
{
	owners->remark = mem_resize(owners->remark, owners->n_remarks + 1, sizeof *owners->remark);
	owners->remark[owners->n_remarks++] = text;
}

/* Makes `base`. Columns that differ only in their owner share one of its columns. */
static void
set_columns(struct column_owners *owners, const struct split *split, const struct found found[SCOPES])
{
	struct names seen = {0};
	size_t n;

	for (size_t c = 0; c < owners->n_columns; c++) {
		const char *owner = split[c].owner;
		size_t length = first_of_pair(owner);

		owners->base_of[c] = names_add(&seen, split[c].base, strlen(split[c].base));
		owners->scope[c] = SCOPE_SYSTEM;
		owners->to_scope[c] = SCOPES;
		if (*owner) {
			char *first = str_format("%.*s", (int)length, owner);

			owners->scope[c] = scope_of(first, SCOPE_SYSTEM, &n);
			scope_of(first, owners->scope[c], &n);
			owners->owner[c] = column_owners_find(&found[owners->scope[c]], first, n);
			free(first);
		}
		if (owner[length]) {
			const char *second = owner + length + 1;

			owners->to_scope[c] = scope_of(second, SCOPE_SYSTEM, &n);
			scope_of(second, owners->to_scope[c], &n);
			owners->to_owner[c] = column_owners_find(&found[owners->to_scope[c]], second, n);
		}
	}
	owners->base = obs_table_new((const char *const *)seen.name, seen.n);
	names_free(&seen);
}

static void
set_key(struct str *key, size_t base, enum scope scope, size_t owner)
{
	str_clear(key);
	str_addf(key, "%zu %d %zu", base, (int)scope, owner);
}

/* Leaves out columns of owners whose parts are counted, too: S0 and S0-C0 of the same event. */
static void
leave_out_wholes(struct column_owners *owners, const struct obs_table *table)
{
	struct names wholes = {0};
	size_t *part = mem_new_array(owners->n_columns * SCOPES, sizeof *part), at;
	struct str key = {0};

	for (size_t c = 0; c < owners->n_columns; c++)
		for (int k = 0; k < SCOPE_SYSTEM && owners->to_scope[c] == SCOPES && !owners->left_out[c]; k++) {
			size_t known = wholes.n;

			if (k == (int)owners->scope[c] || owners->scope[c] == SCOPE_SYSTEM ||
				!scope_within(owners->scope[c], (enum scope)k))
				continue;
			set_key(&key, owners->base_of[c], (enum scope)k,
				net_owner_within(&owners->shape, owners->scope[c], owners->owner[c], (enum scope)k));
			at = names_add(&wholes, str_text(&key), key.n);
			part[at] = at == known ? c : part[at];
		}
	for (size_t c = 0; c < owners->n_columns; c++) {
		set_key(&key, owners->base_of[c], owners->scope[c], owners->owner[c]);
		at = names_find(&wholes, str_text(&key), key.n);
		if (at == NAMES_NONE || owners->left_out[c] || owners->to_scope[c] != SCOPES)
			continue;
		owners->left_out[c] = true;
		column_owners_remark(owners,
			str_format("%s is left out, because %s counts a part of it", table->column[c],
				table->column[part[at]]));
	}
	str_free(&key);
	names_free(&wholes);
	free(part);
}

/* Leaves out columns that would be counted twice: another column of the same event and owner, and the machine's column
 * of an event that is also counted for each owner. */
static void
leave_out_doubles(struct column_owners *owners, const struct obs_table *table, const struct split *split)
{
	struct names seen = {0};
	size_t *first = mem_new_array(owners->n_columns, sizeof *first);
	size_t *owned = mem_new_array(owners->base->n_columns, sizeof *owned);
	struct str key = {0};

	for (size_t c = owners->n_columns; c-- > 0;)
		if (owners->scope[c] != SCOPE_SYSTEM)
			owned[owners->base_of[c]] = c + 1;
	for (size_t c = 0; c < owners->n_columns; c++) {
		size_t known = seen.n, at;

		if (owners->scope[c] == SCOPE_SYSTEM) {
			at = owned[owners->base_of[c]];
			owners->left_out[c] = at > 0;
			if (at)
				column_owners_remark(owners,
					str_format("%s counts the whole machine and is left out, because %s counts one "
						   "owner of it",
						table->column[c], table->column[at - 1]));
			continue;
		}
		str_clear(&key);
		str_addf(&key, "%zu@%s", owners->base_of[c], split[c].owner);
		at = names_add(&seen, str_text(&key), key.n);
		if (at == known) {
			first[at] = c;
		} else if (!split[c].box || !split[first[at]].box) {
			owners->left_out[c] = true;
			column_owners_remark(owners,
				str_format("%s and %s are one counter of one owner: %s is used",
					table->column[first[at]], table->column[c], table->column[first[at]]));
		}
	}
	str_free(&key);
	names_free(&seen);
	free(first);
	free(owned);
}

/* Reports owners that are parts of a socket and do not say of which, where there are several. */
static void
remark_lost_sockets(struct column_owners *owners, const struct found found[SCOPES])
{
	static const enum scope part[] = {SCOPE_CORE, SCOPE_SLICE, SCOPE_CHANNEL};

	for (size_t i = 0; found[SCOPE_SOCKET].n > 1 && i < sizeof part / sizeof *part; i++) {
		const char *one = NULL;
		size_t n, lost = 0;

		for (size_t k = 0; k < found[part[i]].n; k++) {
			scope_of(found[part[i]].name[k], SCOPE_SOCKET, &n);
			one = n || one ? one : found[part[i]].name[k];
			lost += !n;
		}
		if (lost)
			column_owners_remark(owners,
				str_format("no socket is named for %zu %s%s (%s%s): taken as parts of %s", lost,
					scope_name(part[i]), plural_s(lost), one, lost > 1 ? " …" : "",
					found[SCOPE_SOCKET].name[0]));
	}
}

struct column_owners *
column_owners_new(const struct obs_table *table, const struct network *net)
{
	struct column_owners *owners = mem_new(sizeof *owners);
	struct split *split = split_columns(table, net);
	struct found found[SCOPES] = {0};

	owners->n_columns = table->n_columns;
	owners->base_of = mem_new_array(table->n_columns, sizeof *owners->base_of);
	owners->scope = mem_new_array(table->n_columns, sizeof *owners->scope);
	owners->owner = mem_new_array(table->n_columns, sizeof *owners->owner);
	owners->left_out = mem_new_array(table->n_columns, sizeof *owners->left_out);
	owners->to_scope = mem_new_array(table->n_columns, sizeof *owners->to_scope);
	owners->to_owner = mem_new_array(table->n_columns, sizeof *owners->to_owner);
	gather(split, table->n_columns, found);
	add_stand_ins(owners, split, net, found);
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
	set_columns(owners, split, found);
	leave_out_doubles(owners, table, split);
	leave_out_wholes(owners, table);
	remark_lost_sockets(owners, found);
	split_free(split, table->n_columns);
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
	free(owners->left_out);
	for (size_t i = 0; i < owners->n_remarks; i++)
		free(owners->remark[i]);
	free(owners->remark);
	free(owners->to_scope);
	free(owners->to_owner);
	free(owners);
}

/* Is the owner number `owner` of scope `own` the i-th of scope `s`, or a part of it, or does it stand for it? */
static bool
belongs(const struct column_owners *o, enum scope own, size_t owner, enum scope s, size_t i)
{
	enum scope as = s == SCOPE_THREAD && o->threads_are_cores ? SCOPE_CORE : s;

	if (own == SCOPE_SYSTEM)
		return o->shape.n[s] == 1;
	if (own == s || own == as || (own == SCOPE_SOCKET && o->stands[as]))
		return owner == i;
	return (s == SCOPE_SYSTEM || scope_within(own, s)) && net_owner_within(&o->shape, own, owner, s) == i;
}

const char *
column_owners_name(const struct column_owners *owners, enum scope per, size_t owner)
{
	return owners && owners->name[per] && owner < owners->shape.n[per] ? owners->name[per][owner] : NULL;
}

bool
column_owners_has(const struct column_owners *o, size_t column, enum scope s, size_t i)
{
	return !o->left_out[column] && o->to_scope[column] == SCOPES &&
		belongs(o, o->scope[column], o->owner[column], s, i);
}

bool
column_owners_has_pair(const struct column_owners *o, size_t column, enum scope from, size_t i, enum scope to, size_t j)
{
	return !o->left_out[column] && o->to_scope[column] != SCOPES &&
		belongs(o, o->scope[column], o->owner[column], from, i) &&
		belongs(o, o->to_scope[column], o->to_owner[column], to, j);
}
