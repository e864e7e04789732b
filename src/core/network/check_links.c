/* Checks the shape of a network: kinds that are counted together, the ends of links and ingresses, and modules that
 * no request can reach. */
#include <stdlib.h>

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
net_check_kinds(struct net_parser *p)
{
	const struct network *n = p->net;

	for (size_t m = 0; m < n->n_modules; m++)
		for (size_t k = 0; k < n->n_kinds; k++) {
			const struct net_cell *cell = &n->module[m].cell[k];
			size_t at = k, steps = 0;

			if (cell->state != NET_CELL_WITH || cell->with == n->n_kinds)
				continue;
			while (n->module[m].cell[at].state == NET_CELL_WITH &&
				n->module[m].cell[at].with < n->n_kinds && steps++ <= n->n_kinds)
				at = n->module[m].cell[at].with;
			if (steps > n->n_kinds)
				net_complain(p, cell->at, cell->len, NULL,
					"'%.60s' is counted together with itself, in a circle", n->kind[k].name);
			else if (n->module[m].cell[at].state != NET_CELL_REPORTED)
				net_complain(p, cell->at, cell->len, NULL,
					"'%.60s' is counted together with '%.60s', which is not reported here",
					n->kind[k].name, n->kind[at].name);
		}
	for (size_t k = 0; k < n->n_kinds; k++) {
		bool some = false;

		for (size_t m = 0; m < n->n_modules; m++)
			some |= n->module[m].cell[k].state == NET_CELL_REPORTED;
		if (!some)
			net_complain(p, 0, 0, NULL, "no module reports the path kind '%.60s'", n->kind[k].name);
	}
}

static size_t
known_module(struct net_parser *p, const char *name, struct place at)
{
	const struct network *n = p->net;
	size_t i = net_find_module(n, name);
	const char **known;
	char *hint;

	if (i < n->n_modules)
		return i;
	known = mem_new_array(n->n_modules, sizeof *known);
	for (size_t k = 0; k < n->n_modules; k++)
		known[k] = n->module[k].name;
	hint = near_hint(name, known, n->n_modules);
	net_complain(p, at.at, at.len, hint, "'%.60s' is no module", name);
	free(hint);
	free(known);
	return i;
}

void
net_check_links(struct net_parser *p)
{
	struct network *n = p->net;

	for (size_t i = 0; i < n->n_links; i++) {
		struct net_link *l = &n->link[i];
		const struct net_arrow *a = &p->arrow[i];

		l->from = known_module(p, a->from, a->from_at);
		l->to = known_module(p, a->to, a->to_at);
		if (l->from == n->n_modules || l->to == n->n_modules)
			continue;
		if (l->to <= l->from)
			net_complain(p, l->at, l->len,
				"requests go from left to right; stages and modules stand in that order",
				"'%.60s' does not come after '%.60s'", a->to, a->from);
		for (size_t k = 0; k < i; k++)
			if (n->link[k].from == l->from && n->link[k].to == l->to)
				net_complain(p, l->at, l->len, NULL, "this link is there already");
	}
	for (size_t i = 0; i < p->n_ingress; i++) {
		const struct net_ingress *g = &p->ingress[i];
		size_t m = known_module(p, g->module, g->module_at), k = net_find_kind(n, g->kind);

		if (k == n->n_kinds)
			net_complain(p, g->kind_at.at, g->kind_at.len, NULL, "'%.60s' is no path kind", g->kind);
		else if (m < n->n_modules) {
			n->module[m].cell[k].ingress = true;
			n->module[m].cell[k].ingress_text = g->text;
		}
	}
}

/* Links go to the right only, so one pass from left to right finds all that can be reached. */
void
net_check_reach(struct net_parser *p)
{
	const struct network *n = p->net;
	bool *reached = mem_new_array(n->n_modules, sizeof *reached);

	for (size_t m = 0; m < n->n_modules; m++) {
		reached[m] |= n->module[m].stage == 0;
		for (size_t k = 0; k < n->n_kinds; k++)
			reached[m] |= n->module[m].cell[k].ingress;
		for (size_t i = 0; i < n->n_links && !reached[m]; i++)
			reached[m] |= n->link[i].to == m && reached[n->link[i].from];
		if (!reached[m])
			net_complain(p, n->module[m].at, n->module[m].len,
				"link it, or let a kind begin there: ingress MODULE KIND;",
				"no request can get to '%.60s'", n->module[m].name);
	}
	free(reached);
}
