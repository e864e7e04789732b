/* Checks the shape of a network: kinds that are counted together, the ends of links and ingresses, and modules that
 * no request can reach. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/near.h"
#include "base/str.h"
#include "core/network/parser.h"

void
net_complain(struct net_parser *p, uint32_t at, uint32_t len, const char *hint, const char *fmt, ...)
{
	struct place where = {&p->r.source, at, len};
	struct str text = {0};
	va_list ap;

	va_start(ap, fmt);
	str_addv(&text, fmt, ap);
	va_end(ap);
	diag_add(p->r.diags, DIAG_ERROR, &where, hint, "%s", str_text(&text));
	str_free(&text);
}

void
net_check_kinds(struct net_parser *parser)
{
	const struct network *network = parser->net;

	for (size_t m = 0; m < network->n_modules; m++)
		for (size_t k = 0; k < network->n_kinds; k++) {
			const struct net_cell *cell = &network->module[m].cell[k];
			size_t at = k, steps = 0;

			if (cell->state != NET_CELL_WITH || cell->with == network->n_kinds)
				continue;
			while (network->module[m].cell[at].state == NET_CELL_WITH &&
				network->module[m].cell[at].with < network->n_kinds && steps++ <= network->n_kinds)
				at = network->module[m].cell[at].with;
			if (steps > network->n_kinds)
				net_complain(parser, cell->at, cell->len, NULL,
					"'%.60s' is counted together with itself, in a circle", network->kind[k].name);
			else if (network->module[m].cell[at].state != NET_CELL_REPORTED)
				net_complain(parser, cell->at, cell->len, NULL,
					"'%.60s' is counted together with '%.60s', which is not reported here",
					network->kind[k].name, network->kind[at].name);
		}
	for (size_t k = 0; k < network->n_kinds; k++) {
		bool some = false;

		for (size_t m = 0; m < network->n_modules; m++)
			some |= network->module[m].cell[k].state == NET_CELL_REPORTED;
		if (!some)
			net_complain(
				parser, 0, 0, NULL, "no module reports the path kind '%.60s'", network->kind[k].name);
	}
}

static size_t
known_module(struct net_parser *parser, const char *name, struct place at)
{
	const struct network *network = parser->net;
	size_t i = net_find_module(network, name);
	const char **known;
	char *hint;

	if (i < network->n_modules)
		return i;
	known = mem_new_array(network->n_modules, sizeof *known);
	for (size_t k = 0; k < network->n_modules; k++)
		known[k] = network->module[k].name;
	hint = near_hint(name, known, network->n_modules);
	net_complain(parser, at.at, at.len, hint, "'%.60s' is no module", name);
	free(hint);
	free(known);
	return i;
}

void
net_check_links(struct net_parser *parser)
{
	struct network *network = parser->net;

	for (size_t i = 0; i < network->n_links; i++) {
		struct net_link *link = &network->link[i];
		const struct net_arrow *arrow = &parser->arrow[i];

		link->from = known_module(parser, arrow->from, arrow->from_at);
		link->to = known_module(parser, arrow->to, arrow->to_at);
		if (link->from == network->n_modules || link->to == network->n_modules)
			continue;
		if (link->to <= link->from)
			net_complain(parser, link->at, link->len,
				"requests go from left to right; stages and modules stand in that order",
				"'%.60s' does not come after '%.60s'", arrow->to, arrow->from);
		for (size_t k = 0; k < i; k++)
			if (network->link[k].from == link->from && network->link[k].to == link->to)
				net_complain(parser, link->at, link->len, NULL, "this link is there already");
	}
	for (size_t i = 0; i < parser->n_ingress; i++) {
		const struct net_ingress *g = &parser->ingress[i];
		size_t m = known_module(parser, g->module, g->module_at), k = net_find_kind(network, g->kind);

		if (k == network->n_kinds)
			net_complain(parser, g->kind_at.at, g->kind_at.len, NULL, "'%.60s' is no path kind", g->kind);
		else if (m < network->n_modules) {
			network->module[m].cell[k].ingress = true;
			network->module[m].cell[k].ingress_text = g->text;
		}
	}
}

void
net_check_pairs(struct net_parser *parser)
{
	const struct network *network = parser->net;

	for (size_t i = 0; i < parser->n_pairs; i++) {
		const struct net_pairs_item *p = &parser->pairs[i];
		const struct net_link *link = &network->link[p->link];
		enum scope from = network->module[link->from].per, to = network->module[link->to].per;
		const struct counter_item *counter = NULL;
		char *form = str_format(
			"counter NAME = \"event\" per %s -> %s unit requests;", scope_name(from), scope_name(to));

		for (size_t c = 0; c < network->n_counters; c++)
			if (strcmp(network->counter[c].name, p->counter) == 0) {
				counter = &network->counter[c];
				link->pairs[p->kind] = c;
			}
		if (!counter)
			net_complain(parser, p->at.at, p->at.len, form, "'%.60s' is no counter", p->counter);
		else if (!counter->of_pairs || counter->scope != from || counter->to != to)
			net_complain(parser, p->at.at, p->at.len, form,
				"'%.60s' does not count pairs of the owners at both ends of the link", p->counter);
		else if (!unit_equal(counter->unit, unit_of(UNIT_REQUESTS)))
			net_complain(parser, p->at.at, p->at.len, form, "'%.60s' does not count requests", p->counter);
		else if (!net_load_given(network, p->link, p->kind))
			net_complain(parser, p->at.at, p->at.len, "give the load of the kind, too",
				"pairs are parts of a load, and this link has none of '%.60s'",
				network->kind[p->kind].name);
		free(form);
	}
}

/* Links go to the right only, so one pass from left to right finds all that can be reached. */
void
net_check_reach(struct net_parser *parser)
{
	const struct network *network = parser->net;
	bool *reached = mem_new_array(network->n_modules, sizeof *reached);

	for (size_t m = 0; m < network->n_modules; m++) {
		reached[m] |= network->module[m].stage == 0;
		for (size_t k = 0; k < network->n_kinds; k++)
			reached[m] |= network->module[m].cell[k].ingress;
		for (size_t i = 0; i < network->n_links && !reached[m]; i++)
			reached[m] |= network->link[i].to == m && reached[network->link[i].from];
		if (!reached[m])
			net_complain(parser, network->module[m].at, network->module[m].len,
				"link it, or let a kind begin there: ingress MODULE KIND;",
				"no request can get to '%.60s'", network->module[m].name);
	}
	free(reached);
}
