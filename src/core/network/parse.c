/* Items of a network file. After an error the next item is read, so that all errors of a file are told at once. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/network/parser.h"

static bool
parse_network(struct net_parser *p)
{
	struct place at = lex_place(&p->x), name;

	lex_next(&p->x);
	if (p->named) {
		diag_add(p->diags, DIAG_ERROR, &at, NULL, "a second network: a file has one");
		return false;
	}
	p->named = true;
	return net_name(p, "the network's name", &p->net->name, &name) && net_optional_text(p, &p->net->text) && net_punct(p, ';', "behind the network's name");
}

static bool
parse_kind(struct net_parser *p)
{
	struct network *n = p->net;
	struct net_kind k = {0};
	struct place at;

	lex_next(&p->x);
	if (!net_name(p, "a path kind's name", &k.name, &at) || !net_optional_text(p, &k.text))
		return false;
	if (p->finished)
		diag_add(p->diags, DIAG_ERROR, &at, "kinds stand before the first stage", "a path kind behind a stage");
	else if (net_find_kind(n, k.name) < n->n_kinds)
		diag_add(p->diags, DIAG_ERROR, &at, NULL, "'%.60s' is a path kind already", k.name);
	else if (n->n_kinds == NETWORK_KINDS_MAX)
		diag_add(p->diags, DIAG_ERROR, &at, NULL, "more than %d path kinds", NETWORK_KINDS_MAX);
	else {
		mem_grow(&n->kind, &p->cap_kinds, n->n_kinds + 1, sizeof *n->kind);
		n->kind[n->n_kinds++] = k;
	}
	return net_punct(p, ';', "behind the path kind");
}

static bool
is_new_value(struct net_parser *p, const char *name, const struct place *at)
{
	const struct network *n = p->net;
	bool taken = false;

	for (size_t i = 0; i < n->n_counters; i++)
		taken |= strcmp(n->counter[i].name, name) == 0;
	for (size_t i = 0; i < n->n_constants; i++)
		taken |= strcmp(n->constant[i].name, name) == 0;
	if (taken)
		diag_add(p->diags, DIAG_ERROR, at, NULL, "'%.60s' is a counter or constant already", name);
	else if (n->n_counters + n->n_constants == NETWORK_COUNTERS_MAX)
		diag_add(p->diags, DIAG_ERROR, at, NULL, "more than %d counters and constants", NETWORK_COUNTERS_MAX);
	return !taken && n->n_counters + n->n_constants < NETWORK_COUNTERS_MAX;
}

static bool
parse_events(struct net_parser *p, struct net_counter *c)
{
	const char **event = NULL;
	size_t cap = 0;
	bool good;

	if (net_take_word(p, "unresolved")) {
		c->unresolved = "no code for it is public";
		return true;
	}
	do {
		mem_grow(&event, &cap, c->n_events + 1, sizeof *event);
		good = net_text(p, "an event in quotes, or 'unresolved',", &event[c->n_events]);
		c->n_events += good;
	} while (good && net_take_punct(p, '+'));
	c->event = arena_copy(p->net->arena, event, c->n_events * sizeof *event);
	free(event);
	return good;
}

static bool
parse_counter(struct net_parser *p)
{
	struct network *n = p->net;
	struct net_counter c = {0};
	struct place at;

	lex_next(&p->x);
	if (!net_name(p, "a counter's name", &c.name, &at) || !net_punct(p, '=', "behind the counter's name") || !parse_events(p, &c))
		return false;
	if (!net_take_word(p, "per"))
		return net_fail(p, "'per'", "behind the counter's events: who has a count of his own");
	if (!scope_parse(&p->x, &c.scope))
		return false;
	if (!net_take_word(p, "unit"))
		return net_fail(p, "'unit'", "behind who has a count: what it counts");
	if (!unit_parse(&p->x, &c.unit, &c.factor) || !net_optional_text(p, &c.text) || !net_punct(p, ';', "behind the counter"))
		return false;
	if (c.unresolved && *c.text)
		c.unresolved = c.text;
	if (!is_new_value(p, c.name, &at))
		return true;
	c.at = at.at;
	c.len = at.len;
	mem_grow(&n->counter, &p->cap_counters, n->n_counters + 1, sizeof *n->counter);
	n->counter[n->n_counters++] = c;
	return true;
}

static bool
no_name(void *ctx, const char *name, uint32_t *index, struct unit *unit, char **hint)
{
	(void)ctx;
	(void)name;
	(void)index;
	(void)unit;
	*hint = mem_str("a constant is made of numbers");
	return false;
}

static bool
parse_constant(struct net_parser *p)
{
	struct network *n = p->net;
	struct net_const c = {0};
	struct aexpr *e;
	struct place at;

	lex_next(&p->x);
	if (!net_name(p, "a constant's name", &c.name, &at) || !net_punct(p, '=', "behind the constant's name") || !net_expression(p, &e)
	    || !net_optional_text(p, &c.text) || !net_punct(p, ';', "behind the constant"))
		return false;
	if (!aexpr_bind(e, &p->source, &(struct aexpr_names){.find = no_name}, p->diags) || !is_new_value(p, c.name, &at))
		return true;
	c.value = aexpr_value(e, NULL);
	c.unit = e->unit;
	c.at = at.at;
	c.len = at.len;
	mem_grow(&n->constant, &p->cap_constants, n->n_constants + 1, sizeof *n->constant);
	n->constant[n->n_constants++] = c;
	return true;
}

static bool
parse_loads(struct net_parser *p, struct net_link *l)
{
	while (!net_take_punct(p, '}')) {
		const char *kind;
		struct place at;
		struct aexpr *e;
		size_t k;

		if (!net_name(p, "a path kind, or '}',", &kind, &at) || !net_punct(p, '=', "behind the path kind") || !net_expression(p, &e)
		    || !net_punct(p, ';', "behind the load"))
			return false;
		k = net_find_kind(p->net, kind);
		if (k == p->net->n_kinds)
			diag_add(p->diags, DIAG_ERROR, &at, NULL, "'%.60s' is no path kind", kind);
		else if (l->load[k])
			diag_add(p->diags, DIAG_ERROR, &at, NULL, "the load of '%.60s' is told already", kind);
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

	lex_next(&p->x);
	p->finished = true;
	if (!net_name(p, "the module that requests come from", &a.from, &a.from_at))
		return false;
	if (!net_take_punct(p, '-') || !lex_is(&p->x, '>'))
		return net_fail(p, "'->'", "behind the module that requests come from");
	lex_next(&p->x);
	if (!net_name(p, "the module that requests go to", &a.to, &a.to_at))
		return false;
	l.load = arena_alloc(n->arena, (n->n_kinds + 1) * sizeof *l.load);
	l.at = a.from_at.at;
	l.len = a.to_at.at + a.to_at.len - l.at;
	if (net_take_punct(p, '{') ? !parse_loads(p, &l) : !net_punct(p, ';', "or '{' behind the link"))
		return false;
	if (n->n_links == NETWORK_LINKS_MAX) {
		diag_add(p->diags, DIAG_ERROR, &a.from_at, NULL, "more than %d links", NETWORK_LINKS_MAX);
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

	lex_next(&p->x);
	if (!net_name(p, "a module", &i.module, &i.module_at) || !net_name(p, "a path kind", &i.kind, &i.kind_at) || !net_optional_text(p, &i.text)
	    || !net_punct(p, ';', "behind the ingress"))
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

	lex_next(&p->x);
	if (!net_text(p, "what the figure is, in quotes,", &t.text) || !net_punct(p, '=', "behind the figure's text") || !net_expression(p, &t.e)
	    || !net_punct(p, ';', "behind the figure"))
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

	lex_next(&p->x);
	if (!net_text(p, "what the law says, in quotes,", &l.text) || !net_punct(p, ':', "behind the law's text") || !net_expression(p, &l.left))
		return false;
	if (net_take_punct(p, '<'))
		l.equal = false;
	if (!net_punct(p, '=', "or '<=' between the sides of a law") || !net_expression(p, &l.right) || !net_punct(p, ';', "behind the law"))
		return false;
	mem_grow(&n->law, &p->cap_laws, n->n_laws + 1, sizeof *n->law);
	n->law[n->n_laws++] = l;
	return true;
}

static void
parse_items(struct net_parser *p)
{
	static const struct {
		const char *word;
		bool (*parse)(struct net_parser *);
	} item[] = {
		{"network", parse_network}, {"kind", parse_kind}, {"counter", parse_counter}, {"const", parse_constant}, {"stage", net_parse_stage},
		{"link", parse_link}, {"ingress", parse_ingress}, {"total", parse_total}, {"law", parse_law},
	};

	while (p->x.now.kind != TOKEN_END) {
		size_t i = 0;
		bool good;

		while (i < sizeof item / sizeof *item && !lex_is_word(&p->x, item[i].word))
			i++;
		if (i < sizeof item / sizeof *item) {
			good = item[i].parse(p);
		} else {
			good = net_fail(p, "network, kind, counter, const, stage, link, ingress, total or law", "");
			lex_next(&p->x);
		}
		if (!good)
			net_recover(p, 0);
	}
}

struct network *
network_parse(char *name, char *text, size_t n, struct diags *diags)
{
	struct net_parser p = {.diags = diags};
	size_t before = diags->errors;

	p.net = mem_new(sizeof *p.net);
	p.net->arena = arena_new();
	p.net->name = p.net->text = "";
	source_init(&p.source, name, text, n);
	lex_begin(&p.x, &p.source, diags);
	parse_items(&p);
	net_check(&p);
	free(p.ingress);
	free(p.arrow);
	source_free(&p.source);
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
