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
find_cell_value(const struct network *network, const char *name, size_t *module, size_t *value)
{
	static const char *const field[NET_FIELDS] = {
		"miss", "delay", "tag", "miss_delay", "stall", "limit", "occupancy", "busy", "bytes"
	};

	for (size_t m = 0; m < network->n_modules; m++) {
		size_t len = strlen(network->module[m].name);

		if (strncmp(name, network->module[m].name, len) != 0 || name[len] != '.')
			continue;
		for (size_t k = 0; k < network->n_kinds; k++) {
			const char *rest = name + len + 1;
			size_t kind_len = strlen(network->kind[k].name);

			if (strncmp(rest, network->kind[k].name, kind_len) != 0 || rest[kind_len] != '.')
				continue;
			rest += kind_len + 1;
			*module = m;
			if (strcmp(rest, "hit") == 0) {
				*value = net_value_of_hits(network, m, k);
				return true;
			}
			for (size_t f = 0; f < NET_FIELDS; f++)
				if (strcmp(rest, field[f]) == 0) {
					*value = net_value_of(network, m, k, (enum net_field)f);
					return true;
				}
		}
	}
	return false;
}

static char *
check_nearest(const struct network *network, const char *name)
{
	const char **known = mem_new_array(network->n_counters + network->n_constants, sizeof *known);
	char *hint;

	for (size_t i = 0; i < network->n_counters; i++)
		known[i] = network->counter[i].name;
	for (size_t i = 0; i < network->n_constants; i++)
		known[network->n_counters + i] = network->constant[i].name;
	hint = near_hint(name, known, network->n_counters + network->n_constants);
	free(known);
	return hint ? hint : mem_str("counters, constants and MODULE.KIND.hit or another of its fields may stand here");
}

/* Finds the scope of "owners(slice)". */
static bool
find_owners(const struct network *network, const char *name, uint32_t *index, struct unit *unit)
{
	for (int s = 0; s < SCOPES; s++) {
		char *known = str_format("owners(%s)", scope_name((enum scope)s));
		bool found = strcmp(name, known) == 0;

		free(known);
		if (!found)
			continue;
		*index = (uint32_t)net_value_of_owners(network, (enum scope)s);
		*unit = (struct unit){{0}};
		return true;
	}
	return false;
}

static bool bind_value(struct checker *, size_t value);

static bool
find_name(void *ctx, const char *name, uint32_t *index, struct unit *unit, char **hint)
{
	struct checker *checker = ctx;
	const struct network *network = checker->n;
	size_t module, value;

	value = names_find(&checker->names, name, strlen(name));
	if (value != NAMES_NONE) {
		const struct counter_item *item = value < network->n_counters ? &network->counter[value] : NULL;

		*index = (uint32_t)value;
		*unit = item ? item->unit : network->constant[value - network->n_counters].unit;
		if (item && item->of_pairs)
			*hint = mem_str("it is counted per pair of owners, for the pairs of a link");
		else if (item && !scope_within(item->scope, checker->per))
			*hint = str_format("it is counted per %s, and this is per %s", scope_name(item->scope),
				scope_name(checker->per));
		return !*hint;
	}
	if (strcmp(name, NETWORK_ELAPSED) == 0) {
		*index = (uint32_t)net_value_of_elapsed(network);
		*unit = unit_of(UNIT_NS);
		return true;
	}
	if (find_owners(network, name, index, unit))
		return true;
	if (strncmp(name, "owners(", 7) == 0) {
		*hint = mem_str("a scope is task, thread, core, slice, channel, socket, device or system");
		return false;
	}
	if (!find_cell_value(network, name, &module, &value)) {
		*hint = check_nearest(network, name);
		return false;
	}
	*index = (uint32_t)value;
	if (!checker->given[value])
		*hint = mem_str("the module does not report it");
	else if (!scope_within(network->module[module].per, checker->per))
		*hint = str_format("there is one per %s, and this is per %s", scope_name(network->module[module].per),
			scope_name(checker->per));
	else if (network->module[module].per != checker->per && !net_field_adds(net_value(network, value).field))
		*hint = str_format(
			"there is one per %s, and delays do not add up", scope_name(network->module[module].per));
	else if (checker->mark[value] == OPEN)
		*hint = mem_str("it is made of itself, in a circle");
	else if (checker->depth == DEPTH_MAX)
		*hint = mem_str("it is made of too many others, one inside the other");
	else if (!bind_value(checker, value))
		*hint = mem_str("it has an error of its own");
	*unit = checker->unit[value];
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
check_fits(struct checker *checker, const struct aexpr *aexpr, enum net_field f)
{
	switch (f) {
	case NET_MISS:
		return want_unit(checker, aexpr, is_requests(aexpr->unit), "miss", "requests");
	case NET_DELAY:
	case NET_TAG:
	case NET_MISS_DELAY:
	case NET_STALL:
	case NET_LIMIT:
	case NET_BUSY:
		return want_unit(checker, aexpr, check_is_time(aexpr->unit), net_field_name(f), "cycles or ns");
	case NET_OCCUPANCY:
		return want_unit(checker, aexpr, check_is_time(unit_times(aexpr->unit, unit_of(UNIT_REQUESTS), -1)),
			"occupancy", "requests*cycles or requests*ns");
	case NET_BYTES:
		return want_unit(checker, aexpr, unit_equal(aexpr->unit, unit_of(UNIT_BYTES)), "bytes", "bytes");
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
bind_value(struct checker *checker, size_t value)
{
	struct network *network = checker->n;
	struct net_value v = net_value(network, value);
	struct net_module *module = &network->module[v.module];
	struct net_cell *cell = &module->cell[v.kind];
	bool good;

	if (checker->mark[value] == DONE)
		return true;
	checker->mark[value] = OPEN;
	checker->depth++;
	if (v.field == NET_FIELDS) {
		good = bind_hits(checker, cell, module->per);
		checker->unit[value] = unit_of(UNIT_REQUESTS);
	} else {
		struct aexpr *aexpr = cell->field[v.field];

		good = check_bind(checker, aexpr, module->per) && check_fits(checker, aexpr, v.field);
		checker->unit[value] = aexpr->unit;
	}
	checker->depth--;
	checker->mark[value] = DONE;
	mem_grow(&network->order, &checker->cap_order, network->n_order + 1, sizeof *network->order);
	network->order[network->n_order++] = value;
	return good;
}

/* A queue length is a rate times a delay: clock and delays must be in the same unit of time. */
static void
bind_clock(struct checker *checker, const struct net_module *module)
{
	static const enum net_field delay[] = {NET_DELAY, NET_TAG, NET_MISS_DELAY};
	const char *hint = "without a clock of its own a module's time is that of the snapshot, in ns";
	struct unit base = unit_of(UNIT_NS);

	if (module->clock &&
		(!check_bind(checker, module->clock, module->per) ||
			!want_unit(
				checker, module->clock, check_is_time(module->clock->unit), "a clock", "cycles or ns")))
		return;
	if (module->clock)
		base = module->clock->unit;
	if (module->frequency && check_bind(checker, module->frequency, module->per))
		want_unit(checker, module->frequency,
			unit_equal(module->frequency->unit, unit_times(unit_of(UNIT_CYCLES), unit_of(UNIT_NS), -1)),
			"a frequency", "cycles/ns");
	for (size_t k = 0; k < checker->n->n_kinds; k++)
		for (size_t i = 0; i < sizeof delay / sizeof *delay; i++) {
			const struct aexpr *aexpr = module->cell[k].field[delay[i]];

			if (aexpr && check_is_time(aexpr->unit) && !unit_equal(aexpr->unit, base))
				net_complain(checker->p, aexpr->at, aexpr->len, module->clock ? NULL : hint,
					"%s is in another unit of time than the clock of '%.60s'",
					net_field_name(delay[i]), module->name);
		}
}

/* A threshold is the same in all snapshots: its names are constants. */
static bool
find_constant(void *ctx, const char *name, uint32_t *index, struct unit *unit, char **hint)
{
	const struct checker *checker = ctx;
	size_t value = names_find(&checker->names, name, strlen(name));

	if (value == NAMES_NONE || value < checker->n->n_counters) {
		*hint = mem_str("a threshold is made of numbers and constants");
		return false;
	}
	*index = (uint32_t)(value - checker->n->n_counters);
	*unit = checker->n->constant[*index].unit;
	return true;
}

static void
bind_threshold(struct checker *checker, struct net_qos *qos, enum net_load l)
{
	struct aexpr *aexpr = qos->from[l];
	double *constant = mem_new_array(checker->n->n_constants, sizeof *constant);

	for (size_t i = 0; i < checker->n->n_constants; i++)
		constant[i] = checker->n->constant[i].value;
	if (!aexpr_bind(aexpr, &checker->p->r.source, &(struct aexpr_names){.find = find_constant, .ctx = checker},
		    checker->p->r.diags)) {
		free(constant);
		return;
	}
	if (!unit_equal(aexpr->unit, qos->e->unit)) {
		net_complain(checker->p, aexpr->at, aexpr->len, NULL, "the threshold and '%.60s' have different units",
			qos->text);
	} else {
		qos->at_least[l] = aexpr_value(aexpr, constant);
		if (!isfinite(qos->at_least[l]))
			net_complain(checker->p, aexpr->at, aexpr->len, NULL, "the threshold is no number");
	}
	free(constant);
}

static void
bind_qos(struct checker *checker, struct net_qos *qos, enum scope per)
{
	double before = -INFINITY;

	if (!check_bind(checker, qos->e, per))
		return;
	for (int l = NET_LIGHT; l < NET_LOADS; l++) {
		qos->at_least[l] = NAN;
		if (!qos->from[l])
			continue;
		bind_threshold(checker, qos, (enum net_load)l);
		if (qos->at_least[l] <= before)
			net_complain(checker->p, qos->from[l]->at, qos->from[l]->len, NULL,
				"the threshold of a heavier load is not above that of a lighter one");
		before = qos->at_least[l];
	}
	if (isinf(before))
		net_complain(checker->p, qos->at, qos->len, NULL, "no threshold: it reports no load");
}

/* A limit is compared with stalls. */
static void
check_stalls(struct checker *checker)
{
	const struct network *network = checker->n;

	for (size_t m = 0; m < network->n_modules; m++)
		for (size_t k = 0; k < network->n_kinds; k++) {
			const struct aexpr *stall = network->module[m].cell[k].field[NET_STALL],
					   *limit = network->module[m].cell[k].field[NET_LIMIT];

			if (stall && limit && !unit_equal(stall->unit, limit->unit))
				net_complain(checker->p, limit->at, limit->len, NULL,
					"the limit and the stall of '%.60s' have different units",
					network->kind[k].name);
		}
}

/* Delays are compared from hop to hop, so all of a kind are in one unit. */
static void
check_delays(struct checker *checker)
{
	const struct network *network = checker->n;

	for (size_t k = 0; k < network->n_kinds; k++) {
		const struct aexpr *first = NULL;

		for (size_t m = 0; m < network->n_modules; m++) {
			const struct aexpr *aexpr = network->module[m].cell[k].field[NET_DELAY];

			if (aexpr && first && !unit_equal(aexpr->unit, first->unit))
				net_complain(checker->p, aexpr->at, aexpr->len,
					"give all of them in cycles of one clock, or all in ns",
					"the delays of '%.60s' have different units, and are compared hop by hop",
					network->kind[k].name);
			first = first ? first : aexpr;
		}
	}
}

static void
bind_all(struct checker *checker)
{
	struct network *network = checker->n;

	for (size_t m = 0; m < network->n_modules; m++)
		for (size_t k = 0; k < network->n_kinds; k++) {
			const struct net_cell *cell = &network->module[m].cell[k];

			checker->given[net_value_of_hits(network, m, k)] = cell->n_hits > 0;
			for (size_t f = 0; f < NET_FIELDS; f++)
				checker->given[net_value_of(network, m, k, (enum net_field)f)] = cell->field[f] != NULL;
		}
	for (size_t v = net_value_of_hits(network, 0, 0); v < network->n_values; v++)
		if (checker->given[v])
			bind_value(checker, v);
	for (size_t m = 0; m < network->n_modules; m++) {
		bind_clock(checker, &network->module[m]);
		for (size_t i = 0; i < network->module[m].n_qos; i++)
			bind_qos(checker, &network->module[m].qos[i], network->module[m].per);
	}
	for (size_t i = 0; i < network->n_links; i++)
		for (size_t k = 0; k < network->n_kinds; k++) {
			struct aexpr *aexpr = network->link[i].load[k];

			if (aexpr && check_bind(checker, aexpr, network->module[network->link[i].from].per))
				want_unit(checker, aexpr, is_requests(aexpr->unit), "a load", "requests");
		}
	for (size_t i = 0; i < network->n_totals; i++)
		check_bind(checker, network->total[i].e, SCOPE_SYSTEM);
	for (size_t i = 0; i < network->n_laws; i++) {
		const struct net_law *law = &network->law[i];

		if (check_bind(checker, law->left, SCOPE_SYSTEM) && check_bind(checker, law->right, SCOPE_SYSTEM) &&
			!unit_equal(law->left->unit, law->right->unit))
			net_complain(checker->p, law->left->at, law->right->at + law->right->len - law->left->at, NULL,
				"the sides of the law have different units");
	}
}

void
net_check(struct net_parser *parser)
{
	struct checker c = {.p = parser, .n = parser->net};
	struct network *network = parser->net;
	bool whole = !parser->r.diags->errors; /* else the broken item may be the one that lacks */

	if (whole && !parser->named)
		net_complain(parser, 0, 0, "it begins with: network NAME \"text\";", "the file names no network");
	if (whole && !network->n_kinds)
		net_complain(parser, 0, 0, "kind NAME \"text\";", "the network has no path kind");
	if (whole && network->n_stages < 2)
		net_complain(
			parser, 0, 0, NULL, "a network has two stages at least, this one has %zu", network->n_stages);
	for (size_t i = 0; i < network->n_stages; i++)
		if (!network->stage[i].n)
			net_complain(parser, network->stage[i].at, network->stage[i].len, NULL,
				"the stage '%.60s' has no module", network->stage[i].name);
	if (parser->r.diags->errors)
		return; /* the rest would only repeat these errors */
	network->n_values = net_value_of_hits(network, network->n_modules, 0) + 1 + SCOPES; /* elapsed, owners */
	c.mark = mem_new_array(network->n_values, sizeof *c.mark);
	c.unit = mem_new_array(network->n_values, sizeof *c.unit);
	c.given = mem_new_array(network->n_values, sizeof *c.given);
	for (size_t i = 0; i < network->n_counters; i++)
		names_add(&c.names, network->counter[i].name, strlen(network->counter[i].name));
	for (size_t i = 0; i < network->n_constants; i++)
		names_add(&c.names, network->constant[i].name, strlen(network->constant[i].name));
	net_check_kinds(parser);
	net_check_links(parser);
	if (!parser->r.diags->errors)
		net_check_pairs(parser);
	if (!parser->r.diags->errors) {
		bind_all(&c);
		net_check_reach(parser);
	}
	if (!parser->r.diags->errors)
		check_delays(&c);
	if (!parser->r.diags->errors)
		check_stalls(&c);
	names_free(&c.names);
	free(c.mark);
	free(c.unit);
	free(c.given);
}
