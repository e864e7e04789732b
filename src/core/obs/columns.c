#include "core/obs/columns.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/mem.h"
#include "core/obs/obs.h"

enum fit { FIT_NOT, FIT_USER_ONLY, FIT_EXACT };

/* Events that perf knows by two names (perf-list(1)). */
static const char *const alias[][2] = {
	{"page-faults", "faults"},
	{"context-switches", "cs"},
	{"cpu-migrations", "migrations"},
	{"cpu-cycles", "cycles"},
	{"branch-instructions", "branches"},
	{"stalled-cycles-frontend", "idle-cycles-frontend"},
	{"stalled-cycles-backend", "idle-cycles-backend"},
};

#define N_ALIASES (sizeof alias / sizeof *alias)

/* Which alias an event is, N_ALIASES for none. *rest gets what follows the word: a modifier, or nothing. */
static size_t
find_alias(const char *event, const char **rest)
{
	for (size_t i = 0; i < N_ALIASES; i++)
		for (size_t k = 0; k < 2; k++) {
			size_t n = strlen(alias[i][k]);

			*rest = event + n;
			if (strncasecmp(event, alias[i][k], n) == 0 && (!event[n] || event[n] == ':'))
				return i;
		}
	*rest = event;
	return N_ALIASES;
}

/* Whether and how a column counts this event. Case does not matter, nor which of perf's two names was used. The column
 * may have a ":u" that the event lacks. */
static enum fit
fits(const char *column, const char *event)
{
	size_t i = 0;
	bool user;

	if (find_alias(column, &column) != find_alias(event, &event))
		return FIT_NOT;
	while (event[i] && tolower((unsigned char)column[i]) == tolower((unsigned char)event[i]))
		i++;
	if (event[i])
		return FIT_NOT;
	if (!column[i])
		return FIT_EXACT;
	user = column[i] == ':' && tolower((unsigned char)column[i + 1]) == 'u' && !column[i + 2];
	return user ? FIT_USER_ONLY : FIT_NOT;
}

/* How the generic hardware and cache events of perf-list(1) begin; longer words may follow. */
static const char *const generic[] = {
	"cpu-cycles",
	"cycles",
	"instructions",
	"cache-references",
	"cache-misses",
	"branch-",
	"branches",
	"bus-cycles",
	"stalled-cycles-",
	"idle-cycles-",
	"ref-cycles",
	"L1-dcache-",
	"L1-icache-",
	"LLC-",
	"dTLB-",
	"iTLB-",
	"node-load",
	"node-store",
	"node-prefetch",
	"mem-loads",
	"mem-stores",
};

bool
columns_is_hardware(const char *event)
{
	const char *colon = strchr(event, ':'), *dot = strchr(event, '.');
	size_t hex = event[0] == 'r' ? strspn(event + 1, "0123456789abcdefABCDEF") : 0;

	for (size_t i = 0; i < sizeof generic / sizeof *generic; i++)
		if (strncasecmp(event, generic[i], strlen(generic[i])) == 0)
			return true;
	if (strchr(event, '/') || (hex > 1 && (!event[1 + hex] || event[1 + hex] == ':')))
		return true;
	/* A tracepoint is system:event in lower case; libpfm4 writes TABLE:UNIT in upper case. */
	if (colon && !dot)
		return isupper((unsigned char)event[0]) && isupper((unsigned char)colon[1]);
	return dot && dot > event && dot[1];
}

/* The first of the columns that fit best; n_columns when none fits. */
static size_t
find_event(const struct obs_table *t, const char *event, enum fit *how)
{
	size_t at = t->n_columns;

	*how = FIT_NOT;
	for (size_t i = 0; i < t->n_columns && *how != FIT_EXACT; i++) {
		enum fit f = fits(t->column[i], event);

		if (f > *how) {
			*how = f;
			at = i;
		}
	}
	return at;
}

bool
columns_is_owners(const char *column, const char *name)
{
	size_t n = strlen(name);

	return strncmp(column, name, n) == 0 && column[n] == '@' && column[n + 1];
}

size_t
columns_find_event(const struct obs_table *t, const char *event, bool *user_only)
{
	enum fit how;
	size_t at = find_event(t, event, &how);

	if (user_only)
		*user_only = how == FIT_USER_ONLY;
	return at;
}

static size_t
find_name(const struct obs_table *t, const char *name)
{
	size_t i = 0;

	while (i < t->n_columns && strcmp(t->column[i], name))
		i++;
	return i;
}

/* Columns that add up to a counter, each times its sign. */
struct terms {
	struct term { size_t column; signed char sign; } *term;
	size_t n, cap;
	bool user_only, derived;
};

static void
add_term(struct terms *t, size_t column, signed char sign)
{
	mem_grow(&t->term, &t->cap, t->n + 1, sizeof *t->term);
	t->term[t->n++] = (struct term){column, sign};
}

/* Adds the columns NAME@OWNER, which together are the counter NAME. */
static void
add_owners(struct terms *of, const struct obs_table *t, const char *name)
{
	for (size_t i = 0; i < t->n_columns; i++)
		if (columns_is_owners(t->column[i], name))
			add_term(of, i, 1);
}

/* The column of an event, under any of its names; n_columns when there is none. */
static size_t
find_any(const struct obs_table *t, const struct wanted_counter *w, size_t event, enum fit *how)
{
	size_t at = w->event[event] ? find_event(t, w->event[event], how) : t->n_columns;

	for (const char *const *name = w->also ? w->also[event] : NULL; at == t->n_columns && name && *name; name++)
		at = find_event(t, *name, how);
	return at;
}

/* Adds the columns of all events; adds none if one is missing. */
static void
add_events(struct terms *of, const struct wanted_counter *w, const struct obs_table *t)
{
	for (size_t i = 0; i < w->n_events; i++) {
		enum fit how = FIT_NOT;
		size_t at = find_any(t, w, i, &how);

		if (at == t->n_columns) {
			of->user_only = false;
			of->n = 0;
			return;
		}
		of->user_only |= how == FIT_USER_ONLY;
		add_term(of, at, 1);
	}
}

static void
find_columns(struct terms *of, const struct wanted_counter *w, const struct obs_table *t)
{
	size_t at = find_name(t, w->name);

	if (at < t->n_columns)
		add_term(of, at, 1);
	else
		add_owners(of, t, w->name);
	if (!of->n)
		add_events(of, w, t);
}

static void
add_all(struct terms *of, const struct terms *from, signed char sign)
{
	for (size_t i = 0; i < from->n; i++)
		add_term(of, from->term[i].column, (signed char)(sign * from->term[i].sign));
	of->user_only |= from->user_only;
}

/* If exactly one counter of a sum is unknown, derives it from the others. Returns whether it did. */
static bool
derive(struct terms *of, const struct wanted_sum *s)
{
	size_t unknown = s->total, missing = !of[s->total].n;

	for (size_t i = 0; i < s->n_parts; i++)
		if (!of[s->part[i]].n) {
			unknown = s->part[i];
			missing++;
		}
	if (missing != 1)
		return false;
	if (unknown != s->total)
		add_all(&of[unknown], &of[s->total], 1);
	for (size_t i = 0; i < s->n_parts; i++)
		if (s->part[i] != unknown)
			add_all(&of[unknown], &of[s->part[i]], unknown == s->total ? 1 : -1);
	of[unknown].derived = true;
	return of[unknown].n > 0;
}

static void
derive_all(struct terms *of, const struct wanted_sum *sum, size_t n)
{
	for (bool again = true; again;) {
		again = false;
		for (size_t i = 0; i < n; i++)
			again |= derive(of, &sum[i]);
	}
}

/* Writes the terms of all counters one after the other, and lists the columns that no counter uses. */
static struct columns_match *
new_match(const struct terms *of, size_t n_counters, const struct obs_table *t)
{
	struct columns_match *m = mem_new(sizeof *m);
	bool *used = mem_new_array(t->n_columns, sizeof *used);
	size_t n = 0;

	m->n_counters = n_counters;
	m->first = mem_new_array(n_counters + 1, sizeof *m->first);
	m->user_only = mem_new_array(n_counters, sizeof *m->user_only);
	m->derived = mem_new_array(n_counters, sizeof *m->derived);
	m->silent = mem_new_array(n_counters, sizeof *m->silent);
	m->extra = mem_new_array(t->n_columns, sizeof *m->extra);
	for (size_t i = 0; i < n_counters; i++)
		m->first[i + 1] = m->first[i] + of[i].n;
	m->column = mem_new_array(m->first[n_counters], sizeof *m->column);
	m->sign = mem_new_array(m->first[n_counters], sizeof *m->sign);
	for (size_t i = 0; i < n_counters; i++) {
		m->user_only[i] = of[i].user_only;
		m->derived[i] = of[i].derived;
		for (size_t k = 0; k < of[i].n; k++, n++) {
			m->column[n] = of[i].term[k].column;
			m->sign[n] = of[i].term[k].sign;
			used[m->column[n]] = true;
		}
	}
	for (size_t i = 0; i < t->n_columns; i++)
		if (!used[i])
			m->extra[m->n_extra++] = i;
	free(used);
	return m;
}

struct columns_match *
columns_match_sums(const struct wanted_counter *wanted, size_t n_counters, size_t n_wanted,
	const struct wanted_sum *sum, size_t n_sums, const struct obs_table *t)
{
	struct terms *of = mem_new_array(n_wanted, sizeof *of);
	struct columns_match *m;

	for (size_t i = 0; i < n_wanted; i++)
		find_columns(&of[i], &wanted[i], t);
	derive_all(of, sum, n_sums);
	m = new_match(of, n_counters, t);
	for (size_t i = 0; i < n_wanted; i++)
		free(of[i].term);
	free(of);
	return m;
}

struct columns_match *
columns_match_counters(const struct wanted_counter *wanted, size_t n_counters, const struct obs_table *t)
{
	return columns_match_sums(wanted, n_counters, n_counters, NULL, 0, t);
}

void
columns_match_free(struct columns_match *m)
{
	if (!m)
		return;
	free(m->first);
	free(m->column);
	free(m->sign);
	free(m->derived);
	free(m->silent);
	free(m->user_only);
	free(m->extra);
	free(m);
}

bool
columns_lists_no_zeros(const struct obs_table *t)
{
	bool all = t->n > 0;

	for (size_t i = 0; i < t->n; i++)
		all &= t->obs[i]->silent_zeros;
	return all;
}

bool
columns_knows_object(const struct obs_table *t, const char *event)
{
	size_t n = strcspn(event, ":");

	while (n && event[n] != '.')
		n--;
	for (size_t i = 0; i < t->n_columns && n; i++)
		if (strncmp(t->column[i], event, n + 1) == 0)
			return true;
	return false;
}
