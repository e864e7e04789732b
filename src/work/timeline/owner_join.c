#include "work/timeline/owner_name.h"

#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/names.h"
#include "base/str.h"
#include "core/obs/gather.h"
#include "core/obs/obs.h"
#include "core/obs/rows.h"

/* An observation of the table, and the one that it becomes a part of. */
struct member {
	size_t obs, part_of;
	char *owner;     /* "": it stays as it is */
	size_t *column;  /* per column of the source: its column in the joined table; SIZE_MAX: never counted here */
	size_t *row;     /* per row: its row among the joined ones */
};

struct join {
	const struct obs_table *from;
	struct member *member;
	size_t n, n_whole;   /* members; observations that they become */
	char **name;         /* of these */
	struct names columns;
};

static double
time_of(const struct obs *o, size_t row)
{
	return o->time ? o->time[row] : NAN;
}

/* Decides what each wanted observation becomes. Returns whether any two become one. */
static bool
find_members(struct join *join, const char *pattern)
{
	struct names wholes = {0};
	struct str rest = {0}, owner = {0}, key = {0};
	size_t *parts = mem_new_array(join->from->n, sizeof *parts);
	bool some = false;

	for (size_t i = 0; i < join->from->n; i++) {
		const struct obs *o = join->from->obs[i];
		struct member *m = &join->member[join->n];
		bool part = owner_name_of_observation(o->name, &rest, &owner);

		if (pattern && fnmatch(pattern, o->name, 0) != 0 &&
			!(part && fnmatch(pattern, str_text(&rest), 0) == 0))
			continue;
		str_clear(&key);
		str_addf(&key, "%s\n%s", part ? str_text(&rest) : o->name, part && o->source ? o->source : "");
		m->obs = i;
		m->owner = mem_str(part ? str_text(&owner) : "");
		m->part_of = names_add(&wholes, str_text(&key), key.n);
		join->n++;
		parts[m->part_of]++;
		some |= parts[m->part_of] > 1 && part;
	}
	join->n_whole = wholes.n;
	join->name = mem_new_array(wholes.n, sizeof *join->name);
	for (size_t i = 0; i < wholes.n; i++)
		join->name[i] = mem_strn(wholes.name[i], strcspn(wholes.name[i], "\n"));
	for (size_t i = 0; i < join->n; i++) /* one that is alone stays what it is */
		if (parts[join->member[i].part_of] == 1) {
			free(join->name[join->member[i].part_of]);
			join->name[join->member[i].part_of] = mem_str(join->from->obs[join->member[i].obs]->name);
			*join->member[i].owner = '\0';
		}
	names_free(&wholes);
	str_free(&rest);
	str_free(&owner);
	str_free(&key);
	free(parts);
	return some;
}

static void
join_columns(struct join *join)
{
	struct str name = {0};

	for (size_t i = 0; i < join->n; i++) {
		struct member *m = &join->member[i];
		const struct obs *o = join->from->obs[m->obs];

		m->column = mem_new_array(o->n_columns, sizeof *m->column);
		for (size_t c = 0; c < o->n_columns; c++) {
			m->column[c] = SIZE_MAX;
			if (o->health[c] == OBS_ABSENT)
				continue;
			str_clear(&name);
			if (*m->owner)
				owner_name_join(join->from->column[c], m->owner, &name);
			else
				str_add(&name, join->from->column[c]);
			m->column[c] = names_add(&join->columns, str_text(&name), name.n);
		}
	}
	str_free(&name);
}

/* The members of one joined observation. */
static size_t
members_of(const struct join *join, size_t whole, struct member **list)
{
	size_t n = 0;

	for (size_t i = 0; i < join->n; i++)
		if (join->member[i].part_of == whole)
			list[n++] = &join->member[i];
	return n;
}

/* Seconds within which the ends of two rows are the same moment: a quarter of the observation's mean step. */
static double
same_moment(const struct obs *o)
{
	return o->time && o->n_rows > 1 ? (o->time[o->n_rows - 1] - o->time[0]) / (double)(o->n_rows - 1) / 4 : 0;
}

/* Numbers the joined rows. Each takes at most one row of each member: those whose times are nearest the earliest one
 * that is left; without times, the next of each. Returns their number. */
static size_t
match_rows(const struct join *join, struct member *const *list, size_t n, double **time)
{
	size_t *at = mem_new_array(n, sizeof *at), rows = 0, cap = 0;
	double near = INFINITY;

	*time = NULL;
	for (size_t i = 0; i < n; i++) {
		const struct obs *o = join->from->obs[list[i]->obs];

		list[i]->row = mem_new_array(o->n_rows, sizeof *list[i]->row);
		near = fmin(near, same_moment(o));
	}
	for (;; rows++) {
		double first = INFINITY, last = NAN;
		bool some = false;

		for (size_t i = 0; i < n; i++) {
			const struct obs *o = join->from->obs[list[i]->obs];

			if (at[i] < o->n_rows)
				first = fmin(first, time_of(o, at[i]));
		}
		for (size_t i = 0; i < n; i++) {
			const struct obs *o = join->from->obs[list[i]->obs];
			double t = at[i] < o->n_rows ? time_of(o, at[i]) : INFINITY;

			if (at[i] == o->n_rows || t - first > near)
				continue;
			list[i]->row[at[i]++] = rows;
			last = fmax(last, t);
			some = true;
		}
		if (!some)
			break;
		mem_grow(time, &cap, rows + 1, sizeof **time);
		(*time)[rows] = last;
	}
	free(at);
	return rows;
}

/* Marks the cells that some member counts in its other rows, but not in this one; or that no member has a row for. */
struct filling {
	int64_t *count;
	unsigned char *counted;
	size_t *expected, *seen; /* rows of members that belong to a cell; per column, and per cell */
	size_t n_columns, together;
};

/* Adds the member's cells. */
static void
fill(struct filling *f, const struct obs *o, const struct member *m, int64_t factor)
{
	for (size_t row = 0; row < o->n_rows;) {
		struct obs_rows rows = obs_rows(o, row, o->n_rows);

		for (size_t i = 0; i < rows.n; i++, row++)
			for (size_t c = 0; c < o->n_columns; c++) {
				size_t cell = m->row[row] / f->together * f->n_columns + m->column[c];
				int64_t v;

				if (m->column[c] == SIZE_MAX || rows.counted[i * o->n_columns + c] != OBS_COUNTED ||
					__builtin_mul_overflow(rows.count[i * o->n_columns + c], factor, &v) ||
					__builtin_add_overflow(f->count[cell], v, &f->count[cell]))
					continue;
				f->seen[cell]++;
			}
	}
	for (size_t c = 0; c < o->n_columns; c++)
		if (m->column[c] != SIZE_MAX)
			f->expected[m->column[c]]++;
}

static enum obs_health
better(enum obs_health a, enum obs_health b)
{
	return a < b ? a : b;
}

/* Takes over what holds for all rows: a property that only some members have is one of the whole only where it makes
 * the whole less certain. */
static void
settle_whole(struct obs *whole, const struct join *join, struct member *const *list, size_t n)
{
	whole->exact = whole->since_start = true;
	for (size_t c = 0; c < whole->n_columns; c++)
		whole->health[c] = OBS_ABSENT;
	for (size_t i = 0; i < n; i++) {
		const struct obs *o = join->from->obs[list[i]->obs];

		whole->exact &= o->exact;
		whole->since_start &= o->since_start;
		whole->peeked |= o->peeked;
		whole->tasks += o->tasks;
		if (o->n_rows == 1 && (o->elapsed > 0 || o->since_start))
			whole->elapsed = fmax(whole->elapsed, o->elapsed > 0 ? o->elapsed : o->time[0]);
		for (size_t c = 0; c < o->n_columns; c++)
			if (list[i]->column[c] != SIZE_MAX)
				whole->health[list[i]->column[c]] =
					better(whole->health[list[i]->column[c]], o->health[c]);
	}
}

static void
add_whole(struct join *join, size_t which, struct obs_table *table)
{
	struct member **list = mem_new_array(join->n, sizeof(struct member *));
	size_t n = members_of(join, which, list), matched, rows;
	const struct obs *first = join->from->obs[list[0]->obs];
	struct obs *whole = obs_table_add(table, join->name[which], first->source);
	struct filling f = {.n_columns = table->n_columns};
	double *time;

	obs_copy_origin(whole, &first->origin);
	matched = match_rows(join, list, n, &time);
	f.together = matched * f.n_columns / GATHER_NEAR_CELLS + 1;
	rows = (matched + f.together - 1) / f.together;
	f.count = mem_new_array(rows * f.n_columns, sizeof *f.count);
	f.seen = mem_new_array(rows * f.n_columns, sizeof *f.seen);
	f.counted = mem_new_array(f.n_columns, 1);
	f.expected = mem_new_array(f.n_columns, sizeof *f.expected);
	for (size_t i = 0; i < n; i++)
		whole->decimals = join->from->obs[list[i]->obs]->decimals > whole->decimals
			? join->from->obs[list[i]->obs]->decimals : whole->decimals;
	for (size_t i = 0; i < n; i++) {
		int64_t factor = 1;

		for (int d = join->from->obs[list[i]->obs]->decimals; d < whole->decimals; d++)
			factor *= 10;
		fill(&f, join->from->obs[list[i]->obs], list[i], factor);
	}
	for (size_t row = 0; row < rows; row++) {
		size_t last = (row + 1) * f.together < matched ? (row + 1) * f.together : matched;
		size_t of = last - row * f.together;

		for (size_t c = 0; c < f.n_columns; c++)
			f.counted[c] = f.expected[c] && f.seen[row * f.n_columns + c] == f.expected[c] * of;
		obs_add_row(whole, f.count + row * f.n_columns, f.counted, time[last - 1]);
	}
	settle_whole(whole, join, list, n);
	free(time);
	free(f.count);
	free(f.seen);
	free(f.counted);
	free(f.expected);
	free(list);
}

struct owner_join *
owner_join_new(const struct obs_table *from, const char *pattern)
{
	struct join join = {.from = from, .member = mem_new_array(from->n, sizeof *join.member)};
	struct owner_join *out = NULL;

	if (find_members(&join, pattern)) {
		out = mem_new(sizeof *out);
		join_columns(&join);
		out->table = obs_table_new((const char *const *)join.columns.name, join.columns.n);
		out->source = mem_new_array(join.n_whole, sizeof *out->source);
		for (size_t i = join.n; i-- > 0;)
			out->source[join.member[i].part_of] = join.member[i].obs;
		for (size_t i = 0; i < join.n_whole; i++)
			add_whole(&join, i, out->table);
	}
	for (size_t i = 0; i < join.n; i++) {
		free(join.member[i].owner);
		free(join.member[i].column);
		free(join.member[i].row);
	}
	for (size_t i = 0; i < join.n_whole; i++)
		free(join.name[i]);
	free(join.name);
	free(join.member);
	names_free(&join.columns);
	return out;
}

void
owner_join_free(struct owner_join *join)
{
	if (!join)
		return;
	obs_table_free(join->table);
	free(join->source);
	free(join);
}
