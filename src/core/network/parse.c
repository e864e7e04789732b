/* Parses the items of a network file. After an error it goes on with the next item, so that all errors of a file are
 * reported at once. */
#include <stdlib.h>

#include "base/mem.h"
#include "core/network/parser.h"

static bool
parse_network(struct net_parser *parser)
{
	struct place at = lex_place(&parser->r.x), name;

	lex_next(&parser->r.x);
	if (parser->named) {
		diag_add(parser->r.diags, DIAG_ERROR, &at, NULL, "a second network: a file has one");
		return false;
	}
	parser->named = true;
	return item_name(&parser->r, "the network's name", &parser->net->name, &name) &&
		item_optional_text(&parser->r, &parser->net->text) &&
		item_punct(&parser->r, ';', "after the network's name");
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
parse_kind(struct net_parser *parser)
{
	struct network *network = parser->net;
	struct net_kind k = {0};
	struct place at;

	lex_next(&parser->r.x);
	if (!item_name(&parser->r, "a path kind's name", &k.name, &at) || !item_optional_text(&parser->r, &k.text))
		return false;
	k.background = item_take_word(&parser->r, "background");
	if (parser->finished)
		diag_add(parser->r.diags, DIAG_ERROR, &at, "kinds stand before the first stage",
			"a path kind after a stage");
	else if (net_find_kind(network, k.name) < network->n_kinds)
		diag_add(parser->r.diags, DIAG_ERROR, &at, NULL, "'%.60s' is a path kind already", k.name);
	else if (network->n_kinds == NETWORK_KINDS_MAX)
		diag_add(parser->r.diags, DIAG_ERROR, &at, NULL, "more than %d path kinds", NETWORK_KINDS_MAX);
	else {
		mem_grow(&network->kind, &parser->cap_kinds, network->n_kinds + 1, sizeof *network->kind);
		network->kind[network->n_kinds++] = k;
	}
	return item_punct(&parser->r, ';', "after the path kind");
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

/* Parses `pairs KIND = COUNTER;` after its first word, whose place is `at`. The counter is found after all items are
 * read. */
static bool
parse_pairs(struct net_parser *parser, struct net_link *link)
{
	struct net_pairs_item p = {.link = parser->net->n_links};
	const char *kind;
	struct place at;

	if (!item_name(&parser->r, "a path kind", &kind, &at) || !item_punct(&parser->r, '=', "after the path kind") ||
		!item_name(&parser->r, "a counter", &p.counter, &p.at) ||
		!item_punct(&parser->r, ';', "after the counter"))
		return false;
	p.kind = net_find_kind(parser->net, kind);
	if (p.kind == parser->net->n_kinds)
		diag_add(parser->r.diags, DIAG_ERROR, &at, NULL, "'%.60s' is no path kind", kind);
	else if (link->pairs[p.kind] != NET_NO_PAIRS)
		diag_add(parser->r.diags, DIAG_ERROR, &at, NULL, "the pairs of '%.60s' are given already", kind);
	else {
		link->pairs[p.kind] = 0; /* until net_check_pairs() */
		mem_grow(&parser->pairs, &parser->cap_pairs, parser->n_pairs + 1, sizeof *parser->pairs);
		parser->pairs[parser->n_pairs++] = p;
	}
	return true;
}

static bool
parse_loads(struct net_parser *parser, struct net_link *link)
{
	while (!item_take_punct(&parser->r, '}')) {
		const char *kind;
		struct place at;
		struct aexpr *aexpr;
		size_t k;

		if (item_take_word(&parser->r, "pairs")) {
			if (!parse_pairs(parser, link))
				return false;
			continue;
		}

		if (!item_name(&parser->r, "a path kind, pairs or '}',", &kind, &at) ||
			!item_punct(&parser->r, '=', "after the path kind") || !item_expression(&parser->r, &aexpr) ||
			!item_punct(&parser->r, ';', "after the load"))
			return false;
		k = net_find_kind(parser->net, kind);
		if (k == parser->net->n_kinds)
			diag_add(parser->r.diags, DIAG_ERROR, &at, NULL, "'%.60s' is no path kind", kind);
		else if (link->load[k])
			diag_add(parser->r.diags, DIAG_ERROR, &at, NULL, "the load of '%.60s' is given already", kind);
		else
			link->load[k] = aexpr;
	}
	return true;
}

static bool
parse_link(struct net_parser *parser)
{
	struct network *network = parser->net;
	struct net_link l = {0};
	struct net_arrow a;

	lex_next(&parser->r.x);
	parser->finished = true;
	if (!item_name(&parser->r, "the module that requests come from", &a.from, &a.from_at))
		return false;
	if (!item_take_punct(&parser->r, '-') || !lex_is(&parser->r.x, '>'))
		return item_fail(&parser->r, "'->'", "after the module that requests come from");
	lex_next(&parser->r.x);
	if (!item_name(&parser->r, "the module that requests go to", &a.to, &a.to_at))
		return false;
	l.load = arena_alloc(network->arena, (network->n_kinds + 1) * sizeof *l.load);
	l.pairs = arena_alloc(network->arena, (network->n_kinds + 1) * sizeof *l.pairs);
	for (size_t k = 0; k <= network->n_kinds; k++)
		l.pairs[k] = NET_NO_PAIRS;
	l.at = a.from_at.at;
	l.len = a.to_at.at + a.to_at.len - l.at;
	if (item_take_punct(&parser->r, '{') ? !parse_loads(parser, &l)
					     : !item_punct(&parser->r, ';', "or '{' after the link"))
		return false;
	if (network->n_links == NETWORK_LINKS_MAX) {
		diag_add(parser->r.diags, DIAG_ERROR, &a.from_at, NULL, "more than %d links", NETWORK_LINKS_MAX);
		return true;
	}
	mem_grow(&network->link, &parser->cap_links, network->n_links + 1, sizeof *network->link);
	mem_grow(&parser->arrow, &parser->cap_arrows, network->n_links + 1, sizeof *parser->arrow);
	parser->arrow[network->n_links] = a;
	network->link[network->n_links++] = l;
	return true;
}

static bool
parse_ingress(struct net_parser *parser)
{
	struct net_ingress i = {0};

	lex_next(&parser->r.x);
	if (!item_name(&parser->r, "a module", &i.module, &i.module_at) ||
		!item_name(&parser->r, "a path kind", &i.kind, &i.kind_at) ||
		!item_optional_text(&parser->r, &i.text) || !item_punct(&parser->r, ';', "after the ingress"))
		return false;
	mem_grow(&parser->ingress, &parser->cap_ingress, parser->n_ingress + 1, sizeof *parser->ingress);
	parser->ingress[parser->n_ingress++] = i;
	return true;
}

static bool
parse_total(struct net_parser *parser)
{
	struct network *network = parser->net;
	struct net_total t = {0};

	lex_next(&parser->r.x);
	if (!item_text(&parser->r, "what the figure is, in quotes,", &t.text) ||
		!item_punct(&parser->r, '=', "after the figure's text") || !item_expression(&parser->r, &t.e) ||
		!item_punct(&parser->r, ';', "after the figure"))
		return false;
	mem_grow(&network->total, &parser->cap_totals, network->n_totals + 1, sizeof *network->total);
	network->total[network->n_totals++] = t;
	return true;
}

/* Reads `within NUMBER`, which may be missing. */
static bool
parse_within(struct net_parser *parser, double *within)
{
	struct aexpr *number;

	if (!item_take_word(&parser->r, "within"))
		return true;
	if (!item_expression(&parser->r, &number))
		return false;
	if (!aexpr_bind_numbers(number, &parser->r.source, "a tolerance is a number", parser->r.diags))
		return true;
	*within = aexpr_value(number, NULL);
	if (!unit_equal(number->unit, (struct unit){0}) || !(*within >= 0 && *within <= 1))
		diag_add(parser->r.diags, DIAG_ERROR, &(struct place){&parser->r.source, number->at, number->len},
			"a law within 0.05 may be off by 5 % of its larger side",
			"the tolerance of a law is a part of it, from 0 to 1");
	return true;
}

static bool
parse_law(struct net_parser *parser)
{
	struct network *network = parser->net;
	struct net_law l = {.equal = true};

	lex_next(&parser->r.x);
	if (!item_text(&parser->r, "what the law says, in quotes,", &l.text) || !parse_within(parser, &l.within) ||
		!item_punct(&parser->r, ':', "after the law's text") || !item_expression(&parser->r, &l.left))
		return false;
	if (item_take_punct(&parser->r, '<'))
		l.equal = false;
	if (!item_punct(&parser->r, '=', "or '<=' between the sides of a law") ||
		!item_expression(&parser->r, &l.right) || !item_punct(&parser->r, ';', "after the law"))
		return false;
	mem_grow(&network->law, &parser->cap_laws, network->n_laws + 1, sizeof *network->law);
	network->law[network->n_laws++] = l;
	return true;
}

static void
network_parse_items(struct net_parser *parser)
{
	static const struct {
		const char *word;
		bool (*parse)(struct net_parser *);
	} item[] = {
		{"network", parse_network}, {"stack", network_parse_stack}, {"kind", parse_kind}, {"counter",
			parse_counter}, {"const", network_parse_constant}, {"stage", net_parse_stage},
		{"link", parse_link}, {"ingress", parse_ingress}, {"total", parse_total}, {"law", parse_law},
	};

	while (parser->r.x.now.kind != TOKEN_END) {
		size_t i = item_choose(&parser->r, item, sizeof item / sizeof *item, sizeof *item);

		if (i == sizeof item / sizeof *item || !item[i].parse(parser))
			item_recover(&parser->r, 0);
	}
}

static const char *const calibrations[] = {NET_FAULT_EXCEPTION, NET_FAULT_SERVICE, NET_FAULT_TOUCH, NULL};

struct network *
network_parse(char *name, char *text, size_t n, struct diags *diags)
{
	struct net_parser p = {.r.diags = diags,
		.values = {.max = NETWORK_COUNTERS_MAX,
			.pairs = true,
			.choices = true,
			.calibrations = calibrations,
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
	free(p.pairs);
	source_free(&p.r.source);
	if (diags->errors == before)
		return p.net;
	network_free(p.net);
	return NULL;
}

void
network_free(struct network *network)
{
	if (!network)
		return;
	arena_free(network->arena);
	free(network->kind);
	free(network->counter);
	free(network->constant);
	free(network->stage);
	free(network->module);
	free(network->link);
	free(network->total);
	free(network->law);
	free(network->order);
	free(network);
}
