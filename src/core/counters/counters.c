#include "core/counters/counters.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "text/diag.h"
#include "text/item.h"

static bool
is_new(struct item_reader *r, struct counter_reader *c, const char *name, const struct place *at)
{
	size_t len = strlen(name);

	if (c->reserved && strcmp(name, c->reserved) == 0) {
		diag_add(r->diags, DIAG_ERROR, at, NULL, "'%s' is %s", name, c->reserved_for);
		return false;
	}
	if (names_find(&c->taken, name, len) != NAMES_NONE) {
		diag_add(r->diags, DIAG_ERROR, at, NULL, "'%.60s' is a counter or constant already", name);
		return false;
	}
	if (c->taken.n == c->max) {
		diag_add(r->diags, DIAG_ERROR, at, NULL, "more than %zu counters and constants", c->max);
		return false;
	}
	names_add(&c->taken, name, len);
	return true;
}

static const char *
expected_event(const struct counter_reader *c, const struct event_sum *v)
{
	if (v->source)
		return "a class of the source, in quotes,";
	return c->choices ? "an event in quotes, 'source' or 'unresolved'" : "an event in quotes, or 'unresolved',";
}

/* Reads "event" [if "filter"]. */
static bool
counters_read_event(struct item_reader *r, const struct counter_reader *c, const struct event_sum *v,
	const char **event, const char **filter)
{
	struct place at = lex_place(&r->x);

	if (!item_text(r, expected_event(c, v), event))
		return false;
	if (!**event) {
		diag_add(r->diags, DIAG_ERROR, &at, NULL, "%s's name cannot be empty",
			v->source ? "a class" : "an event");
		return false;
	}
	if (v->source || !item_take_word(r, "if"))
		return true;
	at = lex_place(&r->x);
	if (!item_text(r, "a filter in quotes", filter))
		return false;
	if (!**filter)
		diag_add(r->diags, DIAG_ERROR, &at, "leave out 'if' to count all of them", "the filter is empty");
	return **filter != '\0';
}

static bool
read_sum(struct item_reader *r, const struct counter_reader *c, struct event_sum *v)
{
	const char **event = NULL, **filter = NULL;
	size_t cap = 0, cap_filters = 0;
	bool good;

	v->source = c->choices && item_take_word(r, "source");
	do {
		mem_grow(&event, &cap, v->n + 1, sizeof *event);
		mem_grow(&filter, &cap_filters, v->n + 1, sizeof *filter);
		filter[v->n] = NULL;
		good = counters_read_event(r, c, v, &event[v->n], &filter[v->n]);
		v->n += good;
	} while (good && item_take_punct(r, '+'));
	v->event = arena_copy(r->arena, event, v->n * sizeof *event);
	v->filter = arena_copy(r->arena, filter, v->n * sizeof *filter);
	free(event);
	free(filter);
	return good;
}

static bool
read_choices(struct item_reader *r, const struct counter_reader *c, struct counter_item *out)
{
	struct event_sum *choice = NULL;
	size_t cap = 0;
	bool good;

	if (item_take_word(r, "unresolved")) {
		out->unresolved = "no code for it is public";
		return true;
	}
	do {
		mem_grow(&choice, &cap, out->n_choices + 1, sizeof *choice);
		choice[out->n_choices] = (struct event_sum){0};
		good = read_sum(r, c, &choice[out->n_choices]);
		out->n_choices += good;
	} while (good && c->choices && item_take_word(r, "or"));
	out->choice = arena_copy(r->arena, choice, out->n_choices * sizeof *choice);
	free(choice);
	return good;
}

bool
counter_read(struct item_reader *r, struct counter_reader *c, struct counter_item **list, size_t *n)
{
	struct counter_item out = {0};
	struct place at;

	lex_next(&r->x);
	if (!item_name(r, "a counter's name", &out.name, &at) || !item_punct(r, '=', "after the counter's name") ||
		!read_choices(r, c, &out))
		return false;
	if (!item_take_word(r, "per"))
		return item_fail(r, "'per'", "after the counter's events (what each count belongs to)");
	if (!scope_parse(&r->x, &out.scope))
		return false;
	if (!item_take_word(r, "unit"))
		return item_fail(r, "'unit'", "after the scope (what is counted)");
	if (!unit_parse(&r->x, &out.unit, &out.factor) || !item_optional_text(r, &out.text) ||
		!item_punct(r, ';', "after the counter"))
		return false;
	if (out.unresolved && *out.text)
		out.unresolved = out.text;
	out.at = at.at;
	out.len = at.len;
	if (is_new(r, c, out.name, &at)) {
		mem_grow(list, &c->cap_counters, *n + 1, sizeof **list);
		(*list)[(*n)++] = out;
	}
	return true;
}

bool
constant_read(struct item_reader *r, struct counter_reader *c, struct constant_item **list, size_t *n)
{
	struct constant_item out = {0};
	struct aexpr *e;
	struct place at;

	lex_next(&r->x);
	if (!item_name(r, "a constant's name", &out.name, &at) || !item_punct(r, '=', "after the constant's name") ||
		!item_expression(r, &e) || !item_optional_text(r, &out.text) ||
		!item_punct(r, ';', "after the constant"))
		return false;
	if (!aexpr_bind_numbers(e, &r->source, "a constant is made of numbers", r->diags) ||
		!is_new(r, c, out.name, &at))
		return true;
	out.value = aexpr_value(e, NULL);
	out.unit = e->unit;
	out.at = at.at;
	out.len = at.len;
	mem_grow(list, &c->cap_constants, *n + 1, sizeof **list);
	(*list)[(*n)++] = out;
	return true;
}
