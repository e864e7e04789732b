#include "core/obs/columns.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/mem.h"
#include "core/obs/obs.h"

enum fit { FIT_NOT, FIT_USER_ONLY, FIT_EXACT };

/* perf's words of two names (perf-list(1)): one event, whichever was written. */
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

/* Which of them an event is, N_ALIASES for none; *rest is what stands behind the word, a modifier or nothing. */
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

/* Does a column count this event? Case is ignored, which name of perf's was used, and a ":u" that only the column has. */
static enum fit
fits(const char *column, const char *event)
{
	size_t i = 0;

	if (find_alias(column, &column) != find_alias(event, &event))
		return FIT_NOT;
	while (event[i] && tolower((unsigned char)column[i]) == tolower((unsigned char)event[i]))
		i++;
	if (event[i])
		return FIT_NOT;
	if (!column[i])
		return FIT_EXACT;
	return column[i] == ':' && tolower((unsigned char)column[i + 1]) == 'u' && !column[i + 2] ? FIT_USER_ONLY : FIT_NOT;
}

/* perf-list(1): beginnings of the generic hardware and cache events. Longer words may follow. */
static const char *const generic[] = {
	"cpu-cycles", "cycles", "instructions", "cache-references", "cache-misses", "branch-", "branches", "bus-cycles", "stalled-cycles-", "idle-cycles-", "ref-cycles",
	"L1-dcache-", "L1-icache-", "LLC-", "dTLB-", "iTLB-", "node-load", "node-store", "node-prefetch", "mem-loads", "mem-stores",
};

bool
event_is_hardware(const char *event)
{
	const char *colon = strchr(event, ':'), *dot = strchr(event, '.');
	size_t hex = event[0] == 'r' ? strspn(event + 1, "0123456789abcdefABCDEF") : 0;

	for (size_t i = 0; i < sizeof generic / sizeof *generic; i++)
		if (strncasecmp(event, generic[i], strlen(generic[i])) == 0)
			return true;
	if (strchr(event, '/') || (hex > 1 && (!event[1 + hex] || event[1 + hex] == ':')))
		return true;
	/* A tracepoint is system:event in lower case; libpfm4 writes TABLE:UNIT. */
	if (colon && !dot)
		return isupper((unsigned char)event[0]) && isupper((unsigned char)colon[1]);
	return dot && dot > event && dot[1];
}

/* The first column that fits best; n_columns when none does. */
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
column_is_owners(const char *column, const char *name)
{
	size_t n = strlen(name);

	return strncmp(column, name, n) == 0 && column[n] == '@' && column[n + 1];
}

size_t
match_event(const struct obs_table *t, const char *event, bool *user_only)
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

/* Note a column for the counter at hand. */
static void
add_column(struct match *m, size_t *cap, size_t *n, size_t column)
{
	mem_grow(&m->column, cap, *n + 1, sizeof *m->column);
	m->column[(*n)++] = column;
}

/* The columns NAME@OWNER: together they are the counter. */
static void
add_owners(struct match *m, size_t *cap, size_t *n, const struct obs_table *t, const char *name)
{
	for (size_t i = 0; i < t->n_columns; i++)
		if (column_is_owners(t->column[i], name))
			add_column(m, cap, n, i);
}

/* All events, or none. */
static size_t
add_events(struct match *m, size_t *cap, size_t n, const struct wanted_counter *w, const struct obs_table *t, bool *user_only)
{
	size_t start = n;

	*user_only = false;
	for (size_t i = 0; i < w->n_events; i++) {
		enum fit how;
		size_t at = w->event[i] ? find_event(t, w->event[i], &how) : t->n_columns;

		if (at == t->n_columns) {
			*user_only = false;
			return start;
		}
		*user_only |= how == FIT_USER_ONLY;
		add_column(m, cap, &n, at);
	}
	return n;
}

struct match *
match_columns(const struct wanted_counter *wanted, size_t n_counters, const struct obs_table *t)
{
	struct match *m = mem_new(sizeof *m);
	bool *used = mem_new_array(t->n_columns, sizeof *used);
	size_t n = 0, cap = 0;

	m->n_counters = n_counters;
	m->first = mem_new_array(n_counters + 1, sizeof *m->first);
	m->user_only = mem_new_array(n_counters, sizeof *m->user_only);
	m->extra = mem_new_array(t->n_columns, sizeof *m->extra);
	for (size_t i = 0; i < n_counters; i++) {
		size_t at = find_name(t, wanted[i].name);

		m->first[i] = n;
		if (at < t->n_columns)
			add_column(m, &cap, &n, at);
		else
			add_owners(m, &cap, &n, t, wanted[i].name);
		if (n == m->first[i])
			n = add_events(m, &cap, n, &wanted[i], t, &m->user_only[i]);
	}
	m->first[n_counters] = n;
	for (size_t k = 0; k < n; k++)
		used[m->column[k]] = true;
	for (size_t i = 0; i < t->n_columns; i++)
		if (!used[i])
			m->extra[m->n_extra++] = i;
	free(used);
	return m;
}

void
match_free(struct match *m)
{
	if (!m)
		return;
	free(m->first);
	free(m->column);
	free(m->user_only);
	free(m->extra);
	free(m);
}
