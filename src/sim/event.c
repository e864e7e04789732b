#include "sim/event.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/near.h"
#include "base/str.h"
#include "sim/pmu.h"
#include "text/diag.h"
#include "text/word_list.h"
#include "text/notation.h"

static const char *const name[SIM_N_COUNTS] = {
#define X(id, text) [SIM_##id] = text,
	SIM_EVENTS(X)
#undef X
#define X(id, text) [SIM_TRUE_##id] = text,
	SIM_TRUTHS(X)
#undef X
};

const char *
sim_event_name(enum sim_event e)
{
	return name[e];
}

bool
sim_event_find(const char *text, enum sim_event *out)
{
	size_t n = strcspn(text, ":");

	for (int i = 0; i < (int)SIM_N_EVENTS; i++)
		if (strlen(name[i]) == n && strncmp(name[i], text, n) == 0) {
			*out = (enum sim_event)i;
			return true;
		}
	return false;
}

char *
sim_event_near(const char *text)
{
	return near_text(text, name, SIM_N_EVENTS);
}

static bool
event_unknown(const char *text, struct err *e)
{
	char *near = sim_event_near(text);

	err_set(e, "the simulated machine counts no event '%s'", text);
	err_hint(e, "%s", near ? near : "hecate sim --list lists them");
	free(near);
	return false;
}

#define FACTOR_MOST 1000.0
#define LEAK_MOST 1e6

static bool
event_take_number(const char *text, double most, const char *word, double *out, struct err *e)
{
	return decimal_take(word, 0, most, text, out, e) ||
		err_hint(e, "for instance: %s:%s", word, str_eq(word, "factor") ? "1.02" : "1");
}

/* Parses "EVENT:TIMES" into what is also counted. */
static bool
take_also(char *text, struct sim_lie *lie, struct err *e)
{
	char *colon = strrchr(text, ':');
	double times = 1;

	if (lie->n_also == SIM_LIE_ALSO)
		return err_set(e, "an event can also count %d others at most", SIM_LIE_ALSO);
	if (colon) {
		*colon = '\0';
		if (!decimal_take("also", -FACTOR_MOST, FACTOR_MOST, colon + 1, &times, e))
			return err_hint(e, "for instance: also:mem_uops_retired.all_stores:1");
	}
	if (!sim_event_find(text, &lie->also[lie->n_also].event))
		return event_unknown(text, e);
	lie->also[lie->n_also++].times = times;
	return true;
}

#define LONGEST_STRING ((int64_t)1 << 20)

/* Parses "LONGEST:EVERY". */
static bool
take_strings(char *text, struct sim_lie *lie, struct err *e)
{
	char *colon = strchr(text, ':');
	int64_t longest, strings;

	if (colon)
		*colon = '\0';
	if (colon && notation_read(NOTATION_WHOLE, 1, LONGEST_STRING, text, &longest) &&
		notation_read(NOTATION_WHOLE, 1, INT64_MAX, colon + 1, &strings)) {
		lie->longest = (uint64_t)longest;
		lie->strings = (uint64_t)strings;
		return true;
	}
	err_set(e, "rep takes the length of the longest string and how many counts come to one string");
	return err_hint(e, "for instance: rep:200:50");
}

static bool
event_take_word(struct word_list *list, struct sim_lie *lie, struct err *e)
{
	static const char *const known[] = {"dead", "factor", "interrupt", "fault", "also", "rep"};
	const char *near;
	char *word = list->word, *after;

	if (str_eq(word, "dead"))
		return lie->dead = true;
	after = word_list_cut(list, ':');
	for (size_t i = 1; after && i < sizeof known / sizeof *known; i++)
		if (str_eq(word, known[i]))
			word_list_blame_rest(list);
	if (after && str_eq(word, "factor"))
		return event_take_number(after, FACTOR_MOST, word, &lie->factor, e);
	if (after && str_eq(word, "interrupt"))
		return event_take_number(after, LEAK_MOST, word, &lie->per_interrupt, e);
	if (after && str_eq(word, "fault"))
		return event_take_number(after, LEAK_MOST, word, &lie->per_fault, e);
	if (after && str_eq(word, "also"))
		return take_also(after, lie, e);
	if (after && str_eq(word, "rep"))
		return take_strings(after, lie, e);
	err_set(e, "a counter cannot be wrong in the way '%s'", word);
	near = near_name(word, known, sizeof known / sizeof *known);
	return near && !str_eq(near, word) ? err_hint(e, "nearest: %s", near)
		: err_hint(e, "known: dead, factor:F, interrupt:N, fault:N, also:EVENT:N, rep:LONGEST:EVERY");
}

bool
sim_lie_parse(const char *text, struct sim_lie *lie, struct err *e)
{
	const char *equals = strchr(text, '=');
	char *event = equals ? mem_strn(text, (size_t)(equals - text)) : NULL;
	struct word_list list;
	bool good = true;

	*lie = (struct sim_lie){.factor = 1};
	if (!equals) {
		err_set(e, "'%s' does not say in which way the counter is wrong", text);
		return err_hint(e, "write EVENT=dead, EVENT=factor:1.02 or EVENT=interrupt:1,fault:1");
	}
	if (!sim_event_find(event, &lie->event)) {
		event_unknown(event, e);
		free(event);
		return err_within(e, text, 0, (size_t)(equals - text));
	}
	free(event);
	list = word_list_of(equals + 1, ',');
	while (good && word_list_next(&list))
		good = event_take_word(&list, lie, e);
	return word_list_end(&list, good, e) || err_within(e, text, (size_t)(equals + 1 - text), strlen(equals + 1));
}
