#include "collect/import/perf_repeat.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "collect/import/digits.h"

/* upper bound on the bytes of a line's numbers and of what may follow them */
#define NUMBERS_MOST 160

/* Lines that followed a line before, latest first. An event that is counted twice per interval has two followers. */
#define FOLLOWERS 2

struct perf_known {
	const char *before, *between; /* texts around the value, in the text that `texts` owns */
	size_t n_before, n_between;
	size_t group, event, parts;
	/* PERF_COUNTED: a number stands between the texts; else `before` ends with the word in its place */
	enum perf_state state;
	size_t next[FOLLOWERS];
};

bool
perf_repeat_begin(struct perf_repeat *r, const char *separator)
{
	*r = (struct perf_repeat){.separator = *separator, .last = NAMES_NONE};
	/* Only separators that cannot be part of a number or of an event's name. */
	return strlen(separator) == 1 && strchr(",;\t|", *separator);
}

void
perf_repeat_forget(struct perf_repeat *r)
{
	names_free(&r->texts);
	r->texts = (struct names){0};
	r->last = NAMES_NONE;
	r->longest = 0;
}

void
perf_repeat_free(struct perf_repeat *r)
{
	names_free(&r->texts);
	free(r->known);
}

/* Returns the text from the end of span a to the beginning of span b. */
static struct perf_span
between(struct perf_span a, struct perf_span b)
{
	return (struct perf_span){a.p + a.n, (size_t)(b.p - (a.p + a.n))};
}

/* Returns the number of the line with these texts, joined by "\n", which occurs in neither; a new line gets a new
 * number. */
static size_t
number_line(struct perf_repeat *r, struct perf_span before, struct perf_span mid, bool word, const struct perf_count *c)
{
	struct str key = {0};
	size_t known = r->texts.n, at;

	str_addn(&key, before.p, before.n);
	str_addc(&key, '\n');
	str_addn(&key, mid.p, mid.n);
	at = names_add(&r->texts, str_text(&key), key.n);
	if (at == known) {
		mem_grow(&r->known, &r->cap, at + 1, sizeof *r->known);
		r->known[at] = (struct perf_known){.before = r->texts.name[at], .n_before = before.n,
			.between = r->texts.name[at] + before.n + 1, .n_between = mid.n,
			.next = {NAMES_NONE, NAMES_NONE}};
		if (key.n > r->longest)
			r->longest = key.n;
	}
	r->known[at].group = c->group;
	r->known[at].event = c->event;
	r->known[at].parts = c->parts;
	r->known[at].state = word ? c->state : PERF_COUNTED;
	str_free(&key);
	return at;
}

static void
expect(struct perf_repeat *r, size_t at)
{
	struct perf_known *before = r->last < r->texts.n ? &r->known[r->last] : NULL;

	if (before && before->next[0] != at) {
		before->next[1] = before->next[0];
		before->next[0] = at;
	}
	r->last = at;
}

void
perf_repeat_learn(
	struct perf_repeat *r, const char *line, size_t n, const struct perf_places *p, const struct perf_count *c)
{
	struct perf_span value = perf_span_trim(p->value), before, mid;
	bool word = value.n && *value.p == '<';

	if (!p->time.n || !p->run.n || !p->percent.n || !isnan(c->variance) || memchr(line, '\0', n)) {
		r->last = NAMES_NONE;
		return;
	}
	before = between(p->time, value);
	before.n += word ? value.n : 0;
	mid = between(value, p->run);
	expect(r, number_line(r, before, mid, word, c));
}

/* Skips what may follow the percentage: nothing, or a derived figure and its unit, which are not used. A field that
 * ends in a percent sign could be a variance: then NULL. */
static const char *
skip_figure(const struct perf_repeat *r, const char *p, const char *end)
{
	struct digits v;

	if (*p == r->separator) {
		p++;
		if (*p != r->separator && (!(p = digits_number(p, &v)) || !v.places))
			return NULL;
		if (*p++ != r->separator)
			return NULL;
		while (p < end && *p != r->separator && (unsigned char)*p >= ' ')
			p++;
	}
	p += *p == '\r' && p + 1 < end;
	return p < end && *p == '\n' ? p + 1 : NULL;
}

/* Matches the text at p against a known line, and finds the numbers between its texts. */
static const char *
match_line(
	const struct perf_repeat *r, const struct perf_known *k, const char *p, const char *end, struct perf_count *c)
{
	struct digits time, value = {0, 0}, run, percent;
	double share;

	while (*p == ' ')
		p++;
	p = digits_number(p, &time);
	if (!p || !time.places || time.all >= DIGITS_EXACT || memcmp(p, k->before, k->n_before) != 0)
		return NULL;
	p += k->n_before;
	if (k->state == PERF_COUNTED)
		p = digits_number(p, &value);
	if (!p || memcmp(p, k->between, k->n_between) != 0)
		return NULL;
	p = digits_number(p + k->n_between, &run);
	if (!p || run.places || *p != r->separator)
		return NULL;
	p = digits_number(p + 1, &percent);
	if (!p || !percent.places || percent.all >= DIGITS_EXACT)
		return NULL;
	share = digits_value(&percent);
	p = share <= 100 ? skip_figure(r, p, end) : NULL;
	digits_trim(&value);
	*c = (struct perf_count){
		.group = k->group, .event = k->event, .parts = k->parts, .time = digits_value(&time), .variance = NAN,
		.state = k->state != PERF_COUNTED ? k->state : run.all ? PERF_COUNTED : PERF_NOT_COUNTED,
		.value = {value.all, (int)value.places}, .running = share < 100 ? share / 100 : 1,
	};
	return p;
}

const char *
perf_repeat_read(struct perf_repeat *r, const char *p, const char *end, struct perf_count *c)
{
	const struct perf_known *last = r->last < r->texts.n ? &r->known[r->last] : NULL;

	if (!last || (size_t)(end - p) < r->longest + NUMBERS_MOST)
		return NULL;
	for (size_t i = 0; i < FOLLOWERS && last->next[i] < r->texts.n; i++) {
		size_t at = last->next[i];
		const char *after = match_line(r, &r->known[at], p, end, c);

		if (!after)
			continue;
		expect(r, at);
		return after;
	}
	return NULL;
}
