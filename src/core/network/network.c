/* Queries on a parsed network: numbers of kinds, modules and values, names of fields, and which expressions use a
 * counter. */
#include "core/network/network.h"

#include <string.h>

#include "base/str.h"
#include "core/network/parser.h"

size_t
net_find_kind(const struct network *n, const char *name)
{
	size_t i = 0;

	while (i < n->n_kinds && strcmp(n->kind[i].name, name) != 0)
		i++;
	return i;
}

size_t
net_find_module(const struct network *n, const char *name)
{
	size_t i = 0;

	while (i < n->n_modules && strcmp(n->module[i].name, name) != 0)
		i++;
	return i;
}

const char *
net_field_name(enum net_field f)
{
	switch (f) {
	case NET_MISS:
		return "miss";
	case NET_DELAY:
		return "delay";
	case NET_TAG:
		return "tag";
	case NET_MISS_DELAY:
		return "miss delay";
	case NET_STALL:
		return "stall";
	case NET_LIMIT:
		return "limit";
	case NET_OCCUPANCY:
		return "occupancy";
	case NET_BUSY:
		return "busy";
	case NET_BYTES:
		return "bytes";
	case NET_FIELDS:
		break;
	}
	return "";
}

bool
net_field_adds(enum net_field f)
{
	return f != NET_DELAY && f != NET_TAG && f != NET_MISS_DELAY;
}

static size_t
first_cell_value(const struct network *n)
{
	return n->n_counters + n->n_constants;
}

size_t
net_value_of_hits(const struct network *n, size_t module, size_t kind)
{
	return first_cell_value(n) + (module * n->n_kinds + kind) * (NET_FIELDS + 1);
}

size_t
net_value_of(const struct network *n, size_t module, size_t kind, enum net_field f)
{
	return net_value_of_hits(n, module, kind) + 1 + (size_t)f;
}

struct net_value
net_value(const struct network *n, size_t value)
{
	size_t at = value - first_cell_value(n), field = at % (NET_FIELDS + 1), cell = at / (NET_FIELDS + 1);

	return (struct net_value){
		cell / n->n_kinds, cell % n->n_kinds, field ? (enum net_field)(field - 1) : NET_FIELDS};
}

bool
net_load_given(const struct network *network, size_t link, size_t kind)
{
	const struct net_link *l = &network->link[link];
	size_t links = 0;

	for (size_t i = 0; i < network->n_links; i++)
		links += network->link[i].from == l->from;
	return l->load[kind] || (links == 1 && network->module[l->from].cell[kind].field[NET_MISS]);
}

struct counter_search {
	size_t counter;
	bool found;
};

static void
match_counter(void *ctx, const struct aexpr *name)
{
	struct counter_search *s = ctx;

	s->found |= name->index == s->counter;
}

static bool
uses(const struct aexpr *e, size_t counter)
{
	struct counter_search s = {.counter = counter};

	if (e)
		aexpr_each_name(e, match_counter, &s);
	return s.found;
}

struct scope_search {
	const struct network *network;
	bool of_cores; /* no count is of a slice, channel, socket, device or the system */
};

static void see_scopes(struct scope_search *, const struct aexpr *);

static void
see_scope(void *ctx, const struct aexpr *name)
{
	struct scope_search *s = ctx;
	const struct network *n = s->network;

	if (name->index < n->n_counters)
		s->of_cores &= n->counter[name->index].scope <= SCOPE_CORE;
	else if (net_value_is_of_cell(n, name->index)) { /* no chain of values is a circle */
		struct net_value v = net_value(n, name->index);
		const struct net_cell *cell = &n->module[v.module].cell[v.kind];

		for (size_t i = 0; i < cell->n_hits && v.field == NET_FIELDS; i++)
			see_scopes(s, cell->hit[i].e);
		if (v.field != NET_FIELDS && cell->field[v.field])
			see_scopes(s, cell->field[v.field]);
	}
}

static void
see_scopes(struct scope_search *s, const struct aexpr *e)
{
	aexpr_each_name(e, see_scope, s);
}

enum scope
net_known_per(const struct network *network, size_t module, size_t kind)
{
	const struct net_cell *cell = &network->module[module].cell[kind];
	struct scope_search s = {network, true};

	for (size_t i = 0; i < cell->n_hits; i++)
		see_scopes(&s, cell->hit[i].e);
	return s.of_cores ? SCOPE_CORE : network->module[module].per;
}

const char *
network_module_text(const struct network *n, size_t module)
{
	return *n->module[module].text ? n->module[module].text : n->module[module].name;
}

enum scope
net_field_known_per(const struct network *network, size_t module, size_t kind, enum net_field field)
{
	const struct aexpr *e = network->module[module].cell[kind].field[field];
	struct scope_search s = {network, true};

	if (e)
		see_scopes(&s, e);
	return s.of_cores ? SCOPE_CORE : network->module[module].per;
}

enum scope
net_queue_known_per(const struct network *network, size_t module, size_t kind)
{
	enum scope hits = net_known_per(network, module, kind);

	return hits == SCOPE_CORE ? net_field_known_per(network, module, kind, NET_DELAY) : hits;
}

bool
net_has_cores(const struct network *network)
{
	bool some = false;

	for (size_t m = 0; m < network->n_modules; m++)
		some |= network->module[m].per == SCOPE_CORE || network->module[m].per == SCOPE_THREAD;
	return some;
}

size_t
net_add_unknown_for_core(const struct network *network, size_t module, struct str *out)
{
	const struct net_module *m = &network->module[module];
	size_t n = 0;

	for (size_t k = 0; k < network->n_kinds && net_has_cores(network); k++)
		if (m->cell[k].state == NET_CELL_REPORTED && m->cell[k].n_hits &&
			net_known_per(network, module, k) != SCOPE_CORE)
			str_addf(out, "%s%s", n++ ? ", " : "", network->kind[k].name);
	return n;
}

struct use_list {
	void (*f)(void *ctx, const char *what);
	void *ctx;
};

static void __attribute__((format(printf, 2, 3)))
report_use(const struct use_list *t, const char *fmt, ...)
{
	struct str text = {0};
	va_list ap;

	va_start(ap, fmt);
	str_addv(&text, fmt, ap);
	va_end(ap);
	t->f(t->ctx, str_text(&text));
	str_free(&text);
}

static void
uses_of_cell(const struct network *network, const struct net_module *module, size_t kind, size_t counter,
	const struct use_list *list)
{
	const struct net_cell *cell = &module->cell[kind];
	bool hit = false;

	for (size_t i = 0; i < cell->n_hits; i++)
		hit |= uses(cell->hit[i].e, counter);
	if (hit)
		report_use(list, "%s.%s.hit", module->name, network->kind[kind].name);
	for (size_t f = 0; f < NET_FIELDS; f++)
		if (uses(cell->field[f], counter))
			report_use(list, "%s.%s.%s", module->name, network->kind[kind].name,
				net_field_name((enum net_field)f));
}

void
net_each_use(const struct network *network, size_t counter, void (*f)(void *ctx, const char *what), void *ctx)
{
	struct use_list t = {f, ctx};

	for (size_t m = 0; m < network->n_modules; m++) {
		if (uses(network->module[m].clock, counter))
			report_use(&t, "the clock of %s", network->module[m].name);
		if (uses(network->module[m].frequency, counter))
			report_use(&t, "the frequency of %s", network->module[m].name);
		for (size_t i = 0; i < network->module[m].n_qos; i++)
			if (uses(network->module[m].qos[i].e, counter))
				report_use(&t, "the load class of %s", network->module[m].name);
		for (size_t k = 0; k < network->n_kinds; k++)
			uses_of_cell(network, &network->module[m], k, counter, &t);
	}
	for (size_t l = 0; l < network->n_links; l++)
		for (size_t k = 0; k < network->n_kinds; k++)
			if (uses(network->link[l].load[k], counter) || network->link[l].pairs[k] == counter)
				report_use(&t, "%s -> %s, %s", network->module[network->link[l].from].name,
					network->module[network->link[l].to].name, network->kind[k].name);
	for (size_t i = 0; i < network->n_totals; i++)
		if (uses(network->total[i].e, counter))
			report_use(&t, "total %s", network->total[i].text);
	for (size_t i = 0; i < network->n_laws; i++)
		if (uses(network->law[i].left, counter) || uses(network->law[i].right, counter))
			report_use(&t, "law %s", network->law[i].text);
}

bool
network_is_calibrated(const struct network *net)
{
	for (size_t i = 0; i < net->n_constants; i++)
		if (net->constant[i].calibrated)
			return true;
	return false;
}
