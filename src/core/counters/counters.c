#include "core/counters/counters.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/near.h"
#include "base/str.h"
#include "text/diag.h"
#include "text/item.h"

static bool
is_new(struct item_reader *item_reader, struct counter_reader *reader, const char *name, const struct place *at)
{
	size_t len = strlen(name);

	if (reader->reserved && strcmp(name, reader->reserved) == 0) {
		diag_add(item_reader->diags, DIAG_ERROR, at, NULL, "'%s' is %s", name, reader->reserved_for);
		return false;
	}
	if (names_find(&reader->taken, name, len) != NAMES_NONE) {
		diag_add(item_reader->diags, DIAG_ERROR, at, NULL, "'%.60s' is a counter or constant already", name);
		return false;
	}
	if (reader->taken.n == reader->max) {
		diag_add(item_reader->diags, DIAG_ERROR, at, NULL, "more than %zu counters and constants", reader->max);
		return false;
	}
	names_add(&reader->taken, name, len);
	return true;
}

static const char *
expected_event(const struct counter_reader *c, const struct event_sum *v)
{
	if (v->source)
		return "a class of the source, in quotes,";
	return c->sources ? "an event in quotes, 'source' or 'unresolved'" : "an event in quotes, or 'unresolved',";
}

/* Reads "event" [if "filter"]. */
static bool
counters_read_event(struct item_reader *item_reader, const struct counter_reader *reader, const struct event_sum *sum,
	struct event_item *event)
{
	struct place at = lex_place(&item_reader->x);

	if (!item_text(item_reader, expected_event(reader, sum), &event->name))
		return false;
	if (!*event->name) {
		diag_add(item_reader->diags, DIAG_ERROR, &at, NULL, "%s's name cannot be empty",
			sum->source ? "a class" : "an event");
		return false;
	}
	if (sum->source || !item_take_word(item_reader, "if"))
		return true;
	at = lex_place(&item_reader->x);
	if (!item_text(item_reader, "a filter in quotes", &event->filter))
		return false;
	if (!*event->filter)
		diag_add(item_reader->diags, DIAG_ERROR, &at, "leave out 'if' to count all of them",
			"the filter is empty");
	return *event->filter != '\0';
}

static bool
read_sum(struct item_reader *item_reader, const struct counter_reader *reader, struct event_sum *sum)
{
	struct event_item *event = NULL;
	size_t cap = 0;
	bool good;

	sum->source = reader->sources && item_take_word(item_reader, "source");
	do {
		mem_grow(&event, &cap, sum->n + 1, sizeof *event);
		event[sum->n] = (struct event_item){0};
		good = counters_read_event(item_reader, reader, sum, &event[sum->n]);
		sum->n += good;
	} while (good && item_take_punct(item_reader, '+'));
	sum->event = arena_copy(item_reader->arena, event, sum->n * sizeof *event);
	free(event);
	return good;
}

static bool
read_choices(struct item_reader *item_reader, const struct counter_reader *reader, struct counter_item *out)
{
	struct event_sum *choice = NULL;
	size_t cap = 0;
	bool good;

	if (item_take_word(item_reader, "unresolved")) {
		out->unresolved = "no code for it is public";
		return true;
	}
	do {
		mem_grow(&choice, &cap, out->n_choices + 1, sizeof *choice);
		choice[out->n_choices] = (struct event_sum){0};
		good = read_sum(item_reader, reader, &choice[out->n_choices]);
		out->n_choices += good;
	} while (good && reader->choices && item_take_word(item_reader, "or"));
	out->choice = arena_copy(item_reader->arena, choice, out->n_choices * sizeof *choice);
	free(choice);
	return good;
}

/* Reads "-> SCOPE", if that is next. */
static bool
read_pair(struct item_reader *item_reader, struct counter_item *out)
{
	if (!item_take_punct(item_reader, '-'))
		return true;
	if (!item_take_punct(item_reader, '>'))
		return item_fail(item_reader, "'->'", "after the scope that requests come from");
	out->of_pairs = true;
	return scope_parse(&item_reader->x, &out->to);
}

bool
counter_read(struct item_reader *item_reader, struct counter_reader *reader, struct counter_item **list, size_t *n)
{
	struct counter_item out = {0};
	struct place at;

	lex_next(&item_reader->x);
	if (!item_name(item_reader, "a counter's name", &out.name, &at) ||
		!item_punct(item_reader, '=', "after the counter's name") || !read_choices(item_reader, reader, &out))
		return false;
	if (!item_take_word(item_reader, "per"))
		return item_fail(item_reader, "'per'", "after the counter's events (what each count belongs to)");
	if (!scope_parse(&item_reader->x, &out.scope) || (reader->pairs && !read_pair(item_reader, &out)))
		return false;
	if (!item_take_word(item_reader, "unit"))
		return item_fail(item_reader, "'unit'", "after the scope (what is counted)");
	if (!unit_parse(&item_reader->x, &out.unit, &out.factor) || !item_optional_text(item_reader, &out.text) ||
		!item_punct(item_reader, ';', "after the counter"))
		return false;
	if (out.unresolved && *out.text)
		out.unresolved = out.text;
	out.at = at.at;
	out.len = at.len;
	if (is_new(item_reader, reader, out.name, &at)) {
		mem_grow(list, &reader->cap_counters, *n + 1, sizeof **list);
		(*list)[(*n)++] = out;
	}
	return true;
}

/* `calibrated "NAME" or`, if it is there. */
static bool
read_calibrated(struct item_reader *item_reader, const struct counter_reader *reader, struct constant_item *out)
{
	struct place at;
	size_t i = 0;
	char *list;

	if (!reader->calibrations || !item_take_word(item_reader, "calibrated"))
		return true;
	at = lex_place(&item_reader->x);
	if (!item_text(item_reader, "what is measured, in quotes,", &out->calibrated))
		return false;
	while (reader->calibrations[i] && !str_eq(reader->calibrations[i], out->calibrated))
		i++;
	if (!reader->calibrations[i]) {
		list = near_hint(out->calibrated, reader->calibrations, i);
		diag_add(item_reader->diags, DIAG_ERROR, &at, list, "'%.60s' is not measured", out->calibrated);
		free(list);
	}
	return item_take_word(item_reader, "or") ||
		item_fail(item_reader, "'or', and a value for data without the measurement,", "after what is measured");
}

bool
constant_read(struct item_reader *item_reader, struct counter_reader *reader, struct constant_item **list, size_t *n)
{
	struct constant_item out = {0};
	struct aexpr *aexpr;
	struct place at;

	lex_next(&item_reader->x);
	if (!item_name(item_reader, "a constant's name", &out.name, &at) ||
		!item_punct(item_reader, '=', "after the constant's name") ||
		!read_calibrated(item_reader, reader, &out) || !item_expression(item_reader, &aexpr) ||
		!item_optional_text(item_reader, &out.text) || !item_punct(item_reader, ';', "after the constant"))
		return false;
	if (!aexpr_bind_numbers(aexpr, &item_reader->source, "a constant is made of numbers", item_reader->diags) ||
		!is_new(item_reader, reader, out.name, &at))
		return true;
	out.value = aexpr_value(aexpr, NULL);
	out.unit = aexpr->unit;
	out.at = at.at;
	out.len = at.len;
	mem_grow(list, &reader->cap_constants, *n + 1, sizeof **list);
	(*list)[(*n)++] = out;
	return true;
}

void
event_sum_text(const struct event_sum *sum, struct str *out)
{
	for (size_t i = 0; i < sum->n; i++)
		str_addf(out, "%s%s", i ? " + " : "", sum->event[i].name);
}
