/* Parses the items of a network file. After an error it goes on with the next item, so that all errors of a file are
 * reported at once. */
#include <stdlib.h>

#include "base/mem.h"
#include "core/network/parser.h"

static bool
parse_network(struct net_parser *p)
{
	struct place at = lex_place(&p->r.x), name;

	lex_next(&p->r.x);
	if (p->named) {
		diag_add(p->r.diags, DIAG_ERROR, &at, NULL, "a second network: a file has one");
		return false;
	}
	p->named = true;
	return item_name(&p->r, "the network's name", &p->net->name, &name) &&
		item_optional_text(&p->r, &p->net->text) && item_punct(&p->r, ';', "after the network's name");
}

static bool
network_parse_stack(struct net_parser *p)
{
	struct place at = lex_place(&p->r.x), name;

	lex_next(&p->r.x);
	if (p->net->stack) {
		diag_add(p->r.diags, DIAG_ERROR, &at, NULL, "a second stack: a network may name one");
		return false;
	}
	return item_name(&p->r, "the stack's name", &p->net->stack, &name) &&
		item_punct(&p->r, ';', "after the stack's name");
}

static bool
parse_kind(struct net_parser *p)
{
	struct network *n = p->net;
	struct net_kind k = {0};
	struct place at;

	lex_next(&p->r.x);
	if (!item_name(&p->r, "a path kind's name", &k.name, &at) || !item_optional_text(&p->r, &k.text))
		return false;
	k.background = item_take_word(&p->r, "background");
	if (p->finished)
		diag_add(p->r.diags, DIAG_ERROR, &at, "kinds stand before the first stage",
			"a path kind after a stage");
	else if (net_find_kind(n, k.name) < n->n_kinds)
		diag_add(p->r.diags, DIAG_ERROR, &at, NULL, "'%.60s' is a path kind already", k.name);
	else if (n->n_kinds == NETWORK_KINDS_MAX)
		diag_add(p->r.diags, DIAG_ERROR, &at, NULL, "more than %d path kinds", NETWORK_KINDS_MAX);
	else {
		mem_grow(&n->kind, &p->cap_kinds, n->n_kinds + 1, sizeof *n->kind);
		n->kind[n->n_kinds++] = k;
	}
	return item_punct(&p->r, ';', "after the path kind");
}

static bool
parse_counter(struct net_parser *p)
{
	return counter_read(&p->r, &p->values, &p->net->counter, &p->net->n_counters);
}

static bool
network_parse_constant(struct net_parser *p)
{
	return constant_read(&p->r, &p->values, &p->net->constant, &p->net->n_constants);
}

static bool
parse_loads(struct net_parser *p, struct net_link *l)
{
	while (!item_take_punct(&p->r, '}')) {
		const char *kind;
		struct place at;
		struct aexpr *e;
		size_t k;

		if (!item_name(&p->r, "a path kind, or '}',", &kind, &at) ||
			!item_punct(&p->r, '=', "after the path kind") || !item_expression(&p->r, &e) ||
			!item_punct(&p->r, ';', "after the load"))
			return false;
		k = net_find_kind(p->net, kind);
		if (k == p->net->n_kinds)
			diag_add(p->r.diags, DIAG_ERROR, &at, NULL, "'%.60s' is no path kind", kind);
		else if (l->load[k])
			diag_add(p->r.diags, DIAG_ERROR, &at, NULL, "the load of '%.60s' is given already", kind);
		else
			l->load[k] = e;
	}
	return true;
}

static bool
parse_link(struct net_parser *p)
{
	struct network *n = p->net;
	struct net_link l = {0};
	struct net_arrow a;

	lex_next(&p->r.x);
	p->finished = true;
	if (!item_name(&p->r, "the module that requests come from", &a.from, &a.from_at))
		return false;
	if (!item_take_punct(&p->r, '-') || !lex_is(&p->r.x, '>'))
		return item_fail(&p->r, "'->'", "after the module that requests come from");
	lex_next(&p->r.x);
	if (!item_name(&p->r, "the module that requests go to", &a.to, &a.to_at))
		return false;
	l.load = arena_alloc(n->arena, (n->n_kinds + 1) * sizeof *l.load);
	l.at = a.from_at.at;
	l.len = a.to_at.at + a.to_at.len - l.at;
	if (item_take_punct(&p->r, '{') ? !parse_loads(p, &l) : !item_punct(&p->r, ';', "or '{' after the link"))
		return false;
	if (n->n_links == NETWORK_LINKS_MAX) {
		diag_add(p->r.diags, DIAG_ERROR, &a.from_at, NULL, "more than %d links", NETWORK_LINKS_MAX);
		return true;
	}
	mem_grow(&n->link, &p->cap_links, n->n_links + 1, sizeof *n->link);
	mem_grow(&p->arrow, &p->cap_arrows, n->n_links + 1, sizeof *p->arrow);
	p->arrow[n->n_links] = a;
	n->link[n->n_links++] = l;
	return true;
}

static bool
parse_ingress(struct net_parser *p)
{
	struct net_ingress i = {0};

	lex_next(&p->r.x);
	if (!item_name(&p->r, "a module", &i.module, &i.module_at) ||
		!item_name(&p->r, "a path kind", &i.kind, &i.kind_at) || !item_optional_text(&p->r, &i.text) ||
		!item_punct(&p->r, ';', "after the ingress"))
		return false;
	mem_grow(&p->ingress, &p->cap_ingress, p->n_ingress + 1, sizeof *p->ingress);
	p->ingress[p->n_ingress++] = i;
	return true;
}

static bool
parse_total(struct net_parser *p)
{
	struct network *n = p->net;
	struct net_total t = {0};

	lex_next(&p->r.x);
	if (!item_text(&p->r, "what the figure is, in quotes,", &t.text) ||
		!item_punct(&p->r, '=', "after the figure's text") || !item_expression(&p->r, &t.e) ||
		!item_punct(&p->r, ';', "after the figure"))
		return false;
	mem_grow(&n->total, &p->cap_totals, n->n_totals + 1, sizeof *n->total);
	n->total[n->n_totals++] = t;
	return true;
}

static bool
parse_law(struct net_parser *p)
{
	struct network *n = p->net;
	struct net_law l = {.equal = true};

	lex_next(&p->r.x);
	if (!item_text(&p->r, "what the law says, in quotes,", &l.text) ||
		!item_punct(&p->r, ':', "after the law's text") || !item_expression(&p->r, &l.left))
		return false;
	if (item_take_punct(&p->r, '<'))
		l.equal = false;
	if (!item_punct(&p->r, '=', "or '<=' between the sides of a law") || !item_expression(&p->r, &l.right) ||
		!item_punct(&p->r, ';', "after the law"))
		return false;
	mem_grow(&n->law, &p->cap_laws, n->n_laws + 1, sizeof *n->law);
	n->law[n->n_laws++] = l;
	return true;
}

static void
network_parse_items(struct net_parser *p)
{
	static const struct {
		const char *word;
		bool (*parse)(struct net_parser *);
	} item[] = {
		{"network", parse_network}, {"stack", network_parse_stack}, {"kind", parse_kind}, {"counter",
			parse_counter}, {"const", network_parse_constant}, {"stage", net_parse_stage},
		{"link", parse_link}, {"ingress", parse_ingress}, {"total", parse_total}, {"law", parse_law},
	};

	while (p->r.x.now.kind != TOKEN_END) {
		size_t i = item_choose(&p->r, item, sizeof item / sizeof *item, sizeof *item);

		if (i == sizeof item / sizeof *item || !item[i].parse(p))
			item_recover(&p->r, 0);
	}
}

struct network *
network_parse(char *name, char *text, size_t n, struct diags *diags)
{
	struct net_parser p = {.r.diags = diags,
		.values = {.max = NETWORK_COUNTERS_MAX,
			.reserved = NETWORK_ELAPSED,
			.reserved_for = "the length of the snapshot"}};
	size_t before = diags->errors;

	p.net = mem_new(sizeof *p.net);
	p.net->arena = p.r.arena = arena_new();
	p.net->name = p.net->text = "";
	source_init(&p.r.source, name, text, n);
	lex_begin(&p.r.x, &p.r.source, diags);
	network_parse_items(&p);
	net_check(&p);
	names_free(&p.values.taken);
	free(p.ingress);
	free(p.arrow);
	source_free(&p.r.source);
	if (diags->errors == before)
		return p.net;
	network_free(p.net);
	return NULL;
}

void
network_free(struct network *n)
{
	if (!n)
		return;
	arena_free(n->arena);
	free(n->kind);
	free(n->counter);
	free(n->constant);
	free(n->stage);
	free(n->module);
	free(n->link);
	free(n->total);
	free(n->law);
	free(n->order);
	free(n);
}
