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
number_line(struct perf_repeat *repeat, struct perf_span before, struct perf_span mid, bool word,
	const struct perf_count *count)
{
	struct str key = {0};
	size_t known = repeat->texts.n, at;

	str_addn(&key, before.p, before.n);
	str_addc(&key, '\n');
	str_addn(&key, mid.p, mid.n);
	at = names_add(&repeat->texts, str_text(&key), key.n);
	if (at == known) {
		mem_grow(&repeat->known, &repeat->cap, at + 1, sizeof *repeat->known);
		repeat->known[at] = (struct perf_known){.before = repeat->texts.name[at], .n_before = before.n,
			.between = repeat->texts.name[at] + before.n + 1, .n_between = mid.n,
			.next = {NAMES_NONE, NAMES_NONE}};
		if (key.n > repeat->longest)
			repeat->longest = key.n;
	}
	repeat->known[at].group = count->group;
	repeat->known[at].event = count->event;
	repeat->known[at].parts = count->parts;
	repeat->known[at].state = word ? count->state : PERF_COUNTED;
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
perf_repeat_learn(struct perf_repeat *repeat, const char *line, size_t n, const struct perf_places *places,
	const struct perf_count *count)
{
	struct perf_span value = perf_span_trim(places->value), before, mid;
	bool word = value.n && *value.p == '<';

	if (!places->time.n || !places->run.n || !places->percent.n || !isnan(count->variance) ||
		memchr(line, '\0', n)) {
		repeat->last = NAMES_NONE;
		return;
	}
	before = between(places->time, value);
	before.n += word ? value.n : 0;
	mid = between(value, places->run);
	expect(repeat, number_line(repeat, before, mid, word, count));
}

/* Skips what may follow the percentage: nothing, or a derived figure and its unit, which are not used. A field that
 * ends in a percent sign could be a variance: then NULL. */
static const char *
skip_figure(const struct perf_repeat *repeat, const char *p, const char *end)
{
	struct digits v;

	if (*p == repeat->separator) {
		p++;
		if (*p != repeat->separator && (!(p = digits_number(p, &v)) || !v.places))
			return NULL;
		if (*p++ != repeat->separator)
			return NULL;
		while (p < end && *p != repeat->separator && (unsigned char)*p >= ' ')
			p++;
	}
	p += *p == '\r' && p + 1 < end;
	return p < end && *p == '\n' ? p + 1 : NULL;
}

/* Matches the text at p against a known line, and finds the numbers between its texts. */
static const char *
match_line(const struct perf_repeat *repeat, const struct perf_known *known, const char *p, const char *end,
	struct perf_count *count)
{
	struct digits time, value = {0, 0}, run, percent;
	double share;

	while (*p == ' ')
		p++;
	p = digits_number(p, &time);
	if (!p || !time.places || time.all >= DIGITS_EXACT || memcmp(p, known->before, known->n_before) != 0)
		return NULL;
	p += known->n_before;
	if (known->state == PERF_COUNTED)
		p = digits_number(p, &value);
	if (!p || memcmp(p, known->between, known->n_between) != 0)
		return NULL;
	p = digits_number(p + known->n_between, &run);
	if (!p || run.places || *p != repeat->separator)
		return NULL;
	p = digits_number(p + 1, &percent);
	if (!p || !percent.places || percent.all >= DIGITS_EXACT)
		return NULL;
	share = digits_value(&percent);
	p = share <= 100 ? skip_figure(repeat, p, end) : NULL;
	digits_trim(&value);
	*count = (struct perf_count){
		.group = known->group,
		.event = known->event,
		.parts = known->parts,
		.time = digits_value(&time),
		.variance = NAN,
		.state = known->state != PERF_COUNTED ? known->state
			: run.all                     ? PERF_COUNTED
						      : PERF_NOT_COUNTED,
		.value = {value.all, (int)value.places},
		.running = share < 100 ? share / 100 : 1,
	};
	return p;
}

const char *
perf_repeat_read(struct perf_repeat *repeat, const char *p, const char *end, struct perf_count *count)
{
	const struct perf_known *last = repeat->last < repeat->texts.n ? &repeat->known[repeat->last] : NULL;

	if (!last || (size_t)(end - p) < repeat->longest + NUMBERS_MOST)
		return NULL;
	for (size_t i = 0; i < FOLLOWERS && last->next[i] < repeat->texts.n; i++) {
		size_t at = last->next[i];
		const char *after = match_line(repeat, &repeat->known[at], p, end, count);

		if (!after)
			continue;
		expect(repeat, at);
		return after;
	}
	return NULL;
}
