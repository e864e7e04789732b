#include "work/timeline/owner_name.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "event/name.h"

/* A word before a number, and the part of an owner's name that it stands for. */
struct part_word {
	const char *word, *part;
};

static const struct part_word suffixes[] = {
	{"core", "C"}, {"cpu", "CPU"}, {"hwthread", "CPU"}, {"socket", "S"}, {"package", "S"}, {"slice", "slice"},
	{"cha", "slice"}, {"cbo", "slice"}, {"cbox", "slice"}, {"channel", "channel"}, {"ch", "channel"},
	{"imc", "channel"},
};

/* Words in the names of observations; perf's "S0-D0-C3" is read part by part. */
static const struct part_word pieces[] = {
	{"cpu", "CPU"}, {"core-", "C"}, {"core", "C"}, {"hwthread", "CPU"}, {"socket", "S"}, {"package", "S"},
	{"S", "S"}, {"D", "D"}, {"C", "C"}, {"T", "T"}, {"N", "N"},
};

/* PMUs outside the cores whose boxes are parts of their own. */
static const struct part_word boxes[] = {
	{"uncore_cha", "slice"}, {"uncore_cbox", "slice"}, {"uncore_cbo", "slice"}, {"uncore_imc", "channel"},
	{"amd_umc", "channel"},
};

/* Finds the row whose word, followed by digits alone, is the text of n bytes. *digits is where these begin. */
static const struct part_word *
find_word(const struct part_word *row, size_t n_rows, const char *s, size_t n, size_t *digits)
{
	size_t d = n;

	while (d && isdigit((unsigned char)s[d - 1]))
		d--;
	*digits = d;
	for (size_t i = 0; i < n_rows && d < n; i++)
		if (strlen(row[i].word) == d && strncasecmp(row[i].word, s, d) == 0)
			return &row[i];
	return NULL;
}

#define FIND(table, s, n, digits) find_word(table, sizeof(table) / sizeof *(table), s, n, digits)

/* Puts a part before those in `owner`. */
static void
prepend(struct str *owner, const char *part, const char *number, size_t n)
{
	struct str all = {0};

	str_addf(&all, "%s%.*s%s%s", part, (int)n, number, owner->n ? "-" : "", str_text(owner));
	str_free(owner);
	*owner = all;
}

/* Takes ".core3" and the like off the end of a name. */
static void
split_suffixes(struct str *base, struct str *owner)
{
	for (;;) {
		const char *text = str_text(base), *dot = strrchr(text, '.');
		const struct part_word *word;
		size_t digits;
		char *rest;

		if (!dot || dot == text)
			return;
		word = FIND(suffixes, dot + 1, strlen(dot + 1), &digits);
		if (!word)
			return;
		prepend(owner, word->part, dot + 1 + digits, strlen(dot + 1 + digits));
		rest = str_format("%.*s", (int)(dot - text), text);
		str_free(base);
		str_add(base, rest);
		free(rest);
	}
}

/* Replaces "uncore_cha_7" by "uncore_cha", or by nothing where the PMU stands next to a whole name. */
static bool
split_box(struct str *base, struct str *owner)
{
	struct event_name e;
	size_t stem, n;
	bool box;

	event_name_read(str_text(base), &e);
	n = strlen(e.pmu);
	for (stem = n; stem && isdigit((unsigned char)e.pmu[stem - 1]);)
		stem--;
	box = stem < n && stem > 1 && e.pmu[stem - 1] == '_' && !event_pmu_is_core(e.pmu);
	if (box) {
		for (size_t i = 0; i < sizeof boxes / sizeof *boxes; i++)
			if (strlen(boxes[i].word) == stem - 1 && strncasecmp(boxes[i].word, e.pmu, stem - 1) == 0)
				prepend(owner, boxes[i].part, e.pmu + stem, n - stem);
		e.pmu[e.form == EVENT_FORM_BRACKET ? 0 : stem - 1] = '\0';
		if (e.form == EVENT_FORM_BRACKET)
			e.form = EVENT_FORM_PLAIN;
		str_clear(base);
		event_name_print(&e, base);
	}
	event_name_free(&e);
	return box;
}

bool
owner_name_split(const char *column, struct str *base, struct str *owner)
{
	const char *at = strrchr(column, '@');
	bool owned = at && at > column && at[1];

	str_clear(base);
	str_clear(owner);
	str_addn(base, column, owned ? (size_t)(at - column) : strlen(column));
	if (owned) {
		str_add(owner, at + 1);
		return false;
	}
	split_suffixes(base, owner);
	return !owner->n && split_box(base, owner);
}

/* Reads "S0-D0-C3", "CPU3", "Core-3". Die 0 is left out, because most machines have no other. */
static bool
read_piece(const char *s, size_t n, struct str *owner)
{
	size_t digits, len;
	const struct part_word *word = FIND(pieces, s, n, &digits);

	str_clear(owner);
	if (word) {
		str_addf(owner, "%s%.*s", word->part, (int)(n - digits), s + digits);
		return *word->part != 'D' && *word->part != 'T';
	}
	if (!n || s[n - 1] == '-')
		return false;
	for (size_t i = 0; i < n; i += len + 1) {
		const char *dash = memchr(s + i, '-', n - i);

		len = dash ? (size_t)(dash - s) - i : n - i;
		word = FIND(pieces, s + i, len, &digits);
		if (!word || strlen(word->word) != 1)
			return false;
		if (*word->part == 'D' && len == 2 && s[i + 1] == '0')
			continue;
		str_addf(owner, "%s%s%.*s", owner->n ? "-" : "", word->part, (int)(len - digits), s + i + digits);
	}
	return owner->n > 0 && *str_text(owner) != 'D' && *str_text(owner) != 'T';
}

bool
owner_name_of_observation(const char *name, struct str *rest, struct str *owner)
{
	for (const char *p = strchr(name, ':'); p; p = strchr(p + 1, ':')) {
		size_t n = strcspn(p + 1, ":#");

		if (!read_piece(p + 1, n, owner))
			continue;
		str_clear(rest);
		str_addn(rest, name, (size_t)(p - name));
		str_add(rest, p + 1 + n);
		return true;
	}
	str_clear(owner);
	return false;
}

/* Returns whether the event is counted by a PMU outside the cores. msr is a PMU of the cores in this sense. */
static bool
is_outside(const char *event)
{
	struct event_name e;
	bool outside;

	event_name_read(event, &e);
	outside = (*e.pmu && !event_pmu_is_core(e.pmu) && !str_eq(e.pmu, "msr") && !event_is_tracepoint(event)) ||
		strncasecmp(e.base, "unc_", 4) == 0;
	event_name_free(&e);
	return outside;
}

void
owner_name_join(const char *column, const char *owner, struct str *out)
{
	struct str base = {0}, own = {0}, socket = {0};
	size_t n = *owner == 'S' || *owner == 'N' ? strcspn(owner, "-") : 0;

	owner_name_split(column, &base, &own);
	str_addn(&socket, owner, n);
	str_clear(out);
	str_add(out, str_text(&base));
	if (own.n && (*str_text(&own) == 'S' || !socket.n))
		str_addf(out, "@%s", str_text(&own));
	else if (own.n)
		str_addf(out, "@%s-%s", str_text(&socket), str_text(&own));
	else if (!is_outside(column))
		str_addf(out, "@%s", owner);
	else if (socket.n)
		str_addf(out, "@%s", str_text(&socket));
	str_free(&base);
	str_free(&own);
	str_free(&socket);
}
