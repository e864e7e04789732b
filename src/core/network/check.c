/* Checks a parsed network as a whole: what its names mean, and whether units fit.
 *
 * Expressions are bound depth first. So a value that another one uses has its unit by then, and values that use each
 * other in a circle are found (mark OPEN). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/names.h"
#include "base/near.h"
#include "base/str.h"
#include "core/network/parser.h"

#define DEPTH_MAX 500 /* nesting of values that use each other */

enum mark { NEW, OPEN, DONE };

struct checker {
	struct net_parser *p;
	struct network *n;
	enum mark *mark;    /* per value */
	struct unit *unit;  /* per value, valid once it is DONE */
	bool *given;        /* per value: the file has an expression for it */
	struct names names; /* counters and constants, numbered like values */
	size_t cap_order, depth;
	enum scope per;     /* of the module whose expression is being bound */
};

/* Finds the number of "MODULE.KIND.hit", or of another field. Names of modules and kinds may contain dots. */
static bool
find_cell_value(const struct network *n, const char *name, size_t *module, size_t *value)
{
	static const char *const field[NET_FIELDS] = {
		"miss", "delay", "tag", "miss_delay", "stall", "limit", "occupancy", "busy", "bytes"
	};

	for (size_t m = 0; m < n->n_modules; m++) {
		size_t len = strlen(n->module[m].name);

		if (strncmp(name, n->module[m].name, len) != 0 || name[len] != '.')
			continue;
		for (size_t k = 0; k < n->n_kinds; k++) {
			const char *rest = name + len + 1;
			size_t kind_len = strlen(n->kind[k].name);

			if (strncmp(rest, n->kind[k].name, kind_len) != 0 || rest[kind_len] != '.')
				continue;
			rest += kind_len + 1;
			*module = m;
			if (strcmp(rest, "hit") == 0) {
				*value = net_value_of_hits(n, m, k);
				return true;
			}
			for (size_t f = 0; f < NET_FIELDS; f++)
				if (strcmp(rest, field[f]) == 0) {
					*value = net_value_of(n, m, k, (enum net_field)f);
					return true;
				}
		}
	}
	return false;
}

static char *
check_nearest(const struct network *n, const char *name)
{
	const char **known = mem_new_array(n->n_counters + n->n_constants, sizeof *known);
	char *hint;

	for (size_t i = 0; i < n->n_counters; i++)
		known[i] = n->counter[i].name;
	for (size_t i = 0; i < n->n_constants; i++)
		known[n->n_counters + i] = n->constant[i].name;
	hint = near_hint(name, known, n->n_counters + n->n_constants);
	free(known);
	return hint ? hint : mem_str("counters, constants and MODULE.KIND.hit or another of its fields may stand here");
}

static bool bind_value(struct checker *, size_t value);

static bool
find_name(void *ctx, const char *name, uint32_t *index, struct unit *unit, char **hint)
{
	struct checker *c = ctx;
	const struct network *n = c->n;
	size_t module, value;

	value = names_find(&c->names, name, strlen(name));
	if (value != NAMES_NONE) {
		const struct counter_item *k = value < n->n_counters ? &n->counter[value] : NULL;

		*index = (uint32_t)value;
		*unit = k ? k->unit : n->constant[value - n->n_counters].unit;
		if (k && !scope_within(k->scope, c->per))
			*hint = str_format(
				"it is counted per %s, and this is per %s", scope_name(k->scope), scope_name(c->per));
		return !*hint;
	}
	if (strcmp(name, NETWORK_ELAPSED) == 0) {
		*index = (uint32_t)net_value_of_elapsed(n);
		*unit = unit_of(UNIT_NS);
		return true;
	}
	if (!find_cell_value(n, name, &module, &value)) {
		*hint = check_nearest(n, name);
		return false;
	}
	*index = (uint32_t)value;
	if (!c->given[value])
		*hint = mem_str("the module does not report it");
	else if (!scope_within(n->module[module].per, c->per))
		*hint = str_format("there is one per %s, and this is per %s", scope_name(n->module[module].per),
			scope_name(c->per));
	else if (n->module[module].per != c->per && !net_field_adds(net_value(n, value).field))
		*hint = str_format("there is one per %s, and delays do not add up", scope_name(n->module[module].per));
	else if (c->mark[value] == OPEN)
		*hint = mem_str("it is made of itself, in a circle");
	else if (c->depth == DEPTH_MAX)
		*hint = mem_str("it is made of too many others, one inside the other");
	else if (!bind_value(c, value))
		*hint = mem_str("it has an error of its own");
	*unit = c->unit[value];
	return !*hint;
}

static bool
check_bind(struct checker *c, struct aexpr *e, enum scope per)
{
	struct aexpr_names names = {.find = find_name, .ctx = c};
	enum scope before = c->per;
	bool good;

	c->per = per;
	good = aexpr_bind(e, &c->p->r.source, &names, c->p->r.diags);
	c->per = before;
	return good;
}

static bool
check_is_time(struct unit u)
{
	return unit_equal(u, unit_of(UNIT_CYCLES)) || unit_equal(u, unit_of(UNIT_NS));
}

static bool
is_requests(struct unit u)
{
	return unit_equal(u, unit_of(UNIT_REQUESTS));
}

static bool
want_unit(struct checker *c, const struct aexpr *e, bool good, const char *what, const char *wanted)
{
	struct str unit = {0};

	if (!good) {
		unit_text(e->unit, &unit);
		net_complain(c->p, e->at, e->len, NULL, "%s must be in %s, not in %s", what, wanted, str_text(&unit));
		str_free(&unit);
	}
	return good;
}

static bool
check_fits(struct checker *c, const struct aexpr *e, enum net_field f)
{
	switch (f) {
	case NET_MISS:
		return want_unit(c, e, is_requests(e->unit), "miss", "requests");
	case NET_DELAY:
	case NET_TAG:
	case NET_MISS_DELAY:
	case NET_STALL:
	case NET_LIMIT:
	case NET_BUSY:
		return want_unit(c, e, check_is_time(e->unit), net_field_name(f), "cycles or ns");
	case NET_OCCUPANCY:
		return want_unit(c, e, check_is_time(unit_times(e->unit, unit_of(UNIT_REQUESTS), -1)), "occupancy",
			"requests*cycles or requests*ns");
	case NET_BYTES:
		return want_unit(c, e, unit_equal(e->unit, unit_of(UNIT_BYTES)), "bytes", "bytes");
	case NET_FIELDS:
		break;
	}
	return false;
}

static bool
bind_hits(struct checker *c, struct net_cell *cell, enum scope per)
{
	bool good = true;

	for (size_t i = 0; i < cell->n_hits; i++)
		good &= check_bind(c, cell->hit[i].e, per) &&
			want_unit(c, cell->hit[i].e, is_requests(cell->hit[i].e->unit), "hit", "requests");
	return good;
}

/* Bind one value of a cell. It is added to the order after all values that it uses. */
static bool
bind_value(struct checker *c, size_t value)
{
	struct network *n = c->n;
	struct net_value v = net_value(n, value);
	struct net_module *m = &n->module[v.module];
	struct net_cell *k = &m->cell[v.kind];
	bool good;

	if (c->mark[value] == DONE)
		return true;
	c->mark[value] = OPEN;
	c->depth++;
	if (v.field == NET_FIELDS) {
		good = bind_hits(c, k, m->per);
		c->unit[value] = unit_of(UNIT_REQUESTS);
	} else {
		struct aexpr *e = k->field[v.field];

		good = check_bind(c, e, m->per) && check_fits(c, e, v.field);
		c->unit[value] = e->unit;
	}
	c->depth--;
	c->mark[value] = DONE;
	mem_grow(&n->order, &c->cap_order, n->n_order + 1, sizeof *n->order);
	n->order[n->n_order++] = value;
	return good;
}

/* A queue length is a rate times a delay: clock and delays must be in the same unit of time. */
static void
bind_clock(struct checker *c, const struct net_module *m)
{
	static const enum net_field delay[] = {NET_DELAY, NET_TAG, NET_MISS_DELAY};
	const char *hint = "without a clock of its own a module's time is that of the snapshot, in ns";
	struct unit base = unit_of(UNIT_NS);

	if (m->clock &&
		(!check_bind(c, m->clock, m->per) ||
			!want_unit(c, m->clock, check_is_time(m->clock->unit), "a clock", "cycles or ns")))
		return;
	if (m->clock)
		base = m->clock->unit;
	for (size_t k = 0; k < c->n->n_kinds; k++)
		for (size_t i = 0; i < sizeof delay / sizeof *delay; i++) {
			const struct aexpr *e = m->cell[k].field[delay[i]];

			if (e && check_is_time(e->unit) && !unit_equal(e->unit, base))
				net_complain(c->p, e->at, e->len, m->clock ? NULL : hint,
					"%s is in another unit of time than the clock of '%.60s'",
					net_field_name(delay[i]), m->name);
		}
}

/* A threshold is the same in all snapshots: its names are constants. */
static bool
find_constant(void *ctx, const char *name, uint32_t *index, struct unit *unit, char **hint)
{
	const struct checker *c = ctx;
	size_t value = names_find(&c->names, name, strlen(name));

	if (value == NAMES_NONE || value < c->n->n_counters) {
		*hint = mem_str("a threshold is made of numbers and constants");
		return false;
	}
	*index = (uint32_t)(value - c->n->n_counters);
	*unit = c->n->constant[*index].unit;
	return true;
}

static void
bind_threshold(struct checker *c, struct net_qos *q, enum net_load l)
{
	struct aexpr *e = q->from[l];
	double *constant = mem_new_array(c->n->n_constants, sizeof *constant);

	for (size_t i = 0; i < c->n->n_constants; i++)
		constant[i] = c->n->constant[i].value;
	if (!aexpr_bind(e, &c->p->r.source, &(struct aexpr_names){.find = find_constant, .ctx = c}, c->p->r.diags)) {
		free(constant);
		return;
	}
	if (!unit_equal(e->unit, q->e->unit)) {
		net_complain(c->p, e->at, e->len, NULL, "the threshold and '%.60s' have different units", q->text);
	} else {
		q->at_least[l] = aexpr_value(e, constant);
		if (!isfinite(q->at_least[l]))
			net_complain(c->p, e->at, e->len, NULL, "the threshold is no number");
	}
	free(constant);
}

static void
bind_qos(struct checker *c, struct net_qos *q, enum scope per)
{
	double before = -INFINITY;

	if (!check_bind(c, q->e, per))
		return;
	for (int l = NET_LIGHT; l < NET_LOADS; l++) {
		q->at_least[l] = NAN;
		if (!q->from[l])
			continue;
		bind_threshold(c, q, (enum net_load)l);
		if (q->at_least[l] <= before)
			net_complain(c->p, q->from[l]->at, q->from[l]->len, NULL,
				"the threshold of a heavier load is not above that of a lighter one");
		before = q->at_least[l];
	}
	if (isinf(before))
		net_complain(c->p, q->at, q->len, NULL, "no threshold: it reports no load");
}

/* Delays are compared from hop to hop, so all of a kind are in one unit. */
static void
check_delays(struct checker *c)
{
	const struct network *n = c->n;

	for (size_t k = 0; k < n->n_kinds; k++) {
		const struct aexpr *first = NULL;

		for (size_t m = 0; m < n->n_modules; m++) {
			const struct aexpr *e = n->module[m].cell[k].field[NET_DELAY];

			if (e && first && !unit_equal(e->unit, first->unit))
				net_complain(c->p, e->at, e->len,
					"give all of them in cycles of one clock, or all in ns",
					"the delays of '%.60s' have different units, and are compared hop by hop",
					n->kind[k].name);
			first = first ? first : e;
		}
	}
}

static void
bind_all(struct checker *c)
{
	struct network *n = c->n;

	for (size_t m = 0; m < n->n_modules; m++)
		for (size_t k = 0; k < n->n_kinds; k++) {
			const struct net_cell *cell = &n->module[m].cell[k];

			c->given[net_value_of_hits(n, m, k)] = cell->n_hits > 0;
			for (size_t f = 0; f < NET_FIELDS; f++)
				c->given[net_value_of(n, m, k, (enum net_field)f)] = cell->field[f] != NULL;
		}
	for (size_t v = net_value_of_hits(n, 0, 0); v < n->n_values; v++)
		if (c->given[v])
			bind_value(c, v);
	for (size_t m = 0; m < n->n_modules; m++) {
		bind_clock(c, &n->module[m]);
		for (size_t i = 0; i < n->module[m].n_qos; i++)
			bind_qos(c, &n->module[m].qos[i], n->module[m].per);
	}
	for (size_t i = 0; i < n->n_links; i++)
		for (size_t k = 0; k < n->n_kinds; k++) {
			struct aexpr *e = n->link[i].load[k];

			if (e && check_bind(c, e, n->module[n->link[i].from].per))
				want_unit(c, e, is_requests(e->unit), "a load", "requests");
		}
	for (size_t i = 0; i < n->n_totals; i++)
		check_bind(c, n->total[i].e, SCOPE_SYSTEM);
	for (size_t i = 0; i < n->n_laws; i++) {
		const struct net_law *l = &n->law[i];

		if (check_bind(c, l->left, SCOPE_SYSTEM) && check_bind(c, l->right, SCOPE_SYSTEM) &&
			!unit_equal(l->left->unit, l->right->unit))
			net_complain(c->p, l->left->at, l->right->at + l->right->len - l->left->at, NULL,
				"the sides of the law have different units");
	}
}

void
net_check(struct net_parser *p)
{
	struct checker c = {.p = p, .n = p->net};
	struct network *n = p->net;

	if (!p->named)
		net_complain(p, 0, 0, "it begins with: network NAME \"text\";", "the file names no network");
	if (!n->n_kinds)
		net_complain(p, 0, 0, "kind NAME \"text\";", "the network has no path kind");
	if (n->n_stages < 2)
		net_complain(p, 0, 0, NULL, "a network has two stages at least, this one has %zu", n->n_stages);
	for (size_t i = 0; i < n->n_stages; i++)
		if (!n->stage[i].n)
			net_complain(p, n->stage[i].at, n->stage[i].len, NULL, "the stage '%.60s' has no module",
				n->stage[i].name);
	if (p->r.diags->errors)
		return; /* the rest would only repeat these errors */
	n->n_values = net_value_of_hits(n, n->n_modules, 0) + 1; /* the last is `elapsed` */
	c.mark = mem_new_array(n->n_values, sizeof *c.mark);
	c.unit = mem_new_array(n->n_values, sizeof *c.unit);
	c.given = mem_new_array(n->n_values, sizeof *c.given);
	for (size_t i = 0; i < n->n_counters; i++)
		names_add(&c.names, n->counter[i].name, strlen(n->counter[i].name));
	for (size_t i = 0; i < n->n_constants; i++)
		names_add(&c.names, n->constant[i].name, strlen(n->constant[i].name));
	net_check_kinds(p);
	net_check_links(p);
	if (!p->r.diags->errors) {
		bind_all(&c);
		net_check_reach(p);
	}
	if (!p->r.diags->errors)
		check_delays(&c);
	names_free(&c.names);
	free(c.mark);
	free(c.unit);
	free(c.given);
}
