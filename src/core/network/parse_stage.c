/* Parses stages, their modules, and what each module reports of each kind. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/network/parser.h"

/* Two words may follow: "miss delay" is a field of its own, like "miss". */
static bool
take_field(struct net_parser *parser, enum net_field *out)
{
	if (item_take_word(&parser->r, "miss")) {
		*out = item_take_word(&parser->r, "delay") ? NET_MISS_DELAY : NET_MISS;
		return true;
	}
	for (enum net_field f = NET_DELAY; f < NET_FIELDS; f++)
		if (f != NET_MISS_DELAY && item_take_word(&parser->r, net_field_name(f))) {
			*out = f;
			return true;
		}
	return false;
}

static bool
parse_hit(struct net_parser *parser, struct net_cell *cell, const char *module)
{
	struct net_hit h = {.place = module}, *all;

	if (parser->r.x.now.kind == TOKEN_STRING && !item_text(&parser->r, "a place", &h.place))
		return false;
	if (!item_punct(&parser->r, '=', "after 'hit'") || !item_expression(&parser->r, &h.e) ||
		!item_punct(&parser->r, ';', "after the expression"))
		return false;
	all = arena_alloc(parser->net->arena, (cell->n_hits + 1) * sizeof *all);
	for (size_t i = 0; i < cell->n_hits; i++)
		all[i] = cell->hit[i];
	all[cell->n_hits++] = h;
	cell->hit = all;
	return true;
}

static bool
parse_cell(struct net_parser *parser, struct net_cell *cell, const char *module)
{
	while (!item_take_punct(&parser->r, '}')) {
		struct place at = lex_place(&parser->r.x);
		enum net_field f;
		struct aexpr *aexpr;

		if (item_take_word(&parser->r, "hit")) {
			if (!parse_hit(parser, cell, module))
				return false;
			continue;
		}
		if (!take_field(parser, &f))
			return item_fail(&parser->r,
				"hit, miss, delay, tag, miss delay, stall, limit, occupancy, busy, bytes or '}'", "");
		if (!item_punct(&parser->r, '=', "after the expression") || !item_expression(&parser->r, &aexpr) ||
			!item_punct(&parser->r, ';', "after the expression"))
			return false;
		if (cell->field[f])
			diag_add(parser->r.diags, DIAG_ERROR, &at, NULL, "'%s' is given already", net_field_name(f));
		else
			cell->field[f] = aexpr;
	}
	return true;
}

/* `KIND { … }`, `KIND untold "why";` or `KIND with OTHER "why";` */
static bool
parse_kind_of_module(struct net_parser *parser, struct net_module *module)
{
	const struct network *network = parser->net;
	struct net_cell unknown = {0}, *c = &unknown;
	const char *kind, *other;
	struct place at, other_at;
	size_t k;

	if (!item_name(&parser->r, "model, clock, qos, a path kind or '}'", &kind, &at))
		return false;
	k = net_find_kind(network, kind);
	if (k == network->n_kinds)
		diag_add(parser->r.diags, DIAG_ERROR, &at, NULL, "'%.60s' is no path kind", kind);
	else if (module->cell[k].state != NET_CELL_ABSENT)
		diag_add(parser->r.diags, DIAG_ERROR, &at, NULL, "'%.60s' is given already", kind);
	else
		c = &module->cell[k];
	c->at = at.at;
	c->len = at.len;
	if (item_take_word(&parser->r, "untold")) {
		c->state = NET_CELL_UNREPORTED;
		return item_text(&parser->r, "why it is not reported, in quotes,", &c->why) &&
			item_punct(&parser->r, ';', "after the reason");
	}
	if (item_take_word(&parser->r, "with")) {
		c->state = NET_CELL_WITH;
		if (!item_name(&parser->r, "a path kind", &other, &other_at) ||
			!item_text(&parser->r, "why they are not counted apart, in quotes,", &c->why))
			return false;
		c->with = net_find_kind(network, other);
		if (c->with == network->n_kinds)
			diag_add(parser->r.diags, DIAG_ERROR, &other_at, NULL, "'%.60s' is no path kind", other);
		return item_punct(&parser->r, ';', "after the reason");
	}
	c->state = NET_CELL_REPORTED;
	return item_punct(&parser->r, '{', "'untold' or 'with' after the path kind") &&
		parse_cell(parser, c, *module->text ? module->text : module->name);
}

static bool
parse_stage_parse_model(struct net_parser *p, struct net_module *m)
{
	if (item_take_word(&p->r, "cache"))
		m->model = NET_CACHE;
	else if (item_take_word(&p->r, "home"))
		m->model = NET_HOME;
	else if (item_take_word(&p->r, "queue"))
		m->model = NET_QUEUE;
	else
		return item_fail(&p->r, "cache, home or queue", "after 'model'");
	return item_punct(&p->r, ';', "after the model");
}

static bool
parse_stage_parse_times(struct net_parser *p, struct net_module *m)
{
	return item_count(&p->r, "after 'times'", 1, NETWORK_TIMES_MAX, &m->times, NULL);
}

static bool
parse_threshold(struct net_parser *parser, struct net_qos *qos)
{
	static const char *const word[NET_LOADS] = {
		[NET_OPTIMAL] = "optimal", [NET_MODERATE] = "moderate", [NET_SEVERE] = "severe"
	};
	struct place at = lex_place(&parser->r.x);
	struct aexpr *aexpr;

	for (int i = NET_OPTIMAL; i < NET_LOADS; i++) {
		if (!item_take_word(&parser->r, word[i]))
			continue;
		if (!item_punct(&parser->r, '=', "after the load") || !item_expression(&parser->r, &aexpr) ||
			!item_punct(&parser->r, ';', "after the threshold"))
			return false;
		if (qos->from[i])
			diag_add(parser->r.diags, DIAG_ERROR, &at, NULL, "the threshold of '%s' is given already",
				word[i]);
		qos->from[i] = aexpr;
		return true;
	}
	return item_fail(&parser->r, "optimal, moderate, severe or '}'", "");
}

/* Parse `qos "text" = EXPR { optimal = EXPR; moderate = EXPR; severe = EXPR; } ["source"]`, after its first word. */
static bool
parse_qos(struct net_parser *parser, struct net_module *module)
{
	struct net_qos q = {.source = ""}, *all;
	struct place at = lex_place(&parser->r.x);

	q.at = at.at;
	q.len = at.len;
	if (!item_text(&parser->r, "what shows the load, in quotes,", &q.text) ||
		!item_punct(&parser->r, '=', "after the text") || !item_expression(&parser->r, &q.e) ||
		!item_punct(&parser->r, '{', "after the expression"))
		return false;
	while (!item_take_punct(&parser->r, '}'))
		if (!parse_threshold(parser, &q))
			return false;
	if (!item_optional_text(&parser->r, &q.source))
		return false;
	if (module->n_qos == NETWORK_QOS_MAX) {
		diag_add(parser->r.diags, DIAG_ERROR, &at, NULL, "a module has more than %d signs of its load",
			NETWORK_QOS_MAX);
		return true;
	}
	all = arena_alloc(parser->net->arena, (module->n_qos + 1) * sizeof *all);
	for (size_t i = 0; i < module->n_qos; i++)
		all[i] = module->qos[i];
	all[module->n_qos++] = q;
	module->qos = all;
	return true;
}

static bool
parse_module_body(struct net_parser *parser, struct net_module *module)
{
	while (!item_take_punct(&parser->r, '}')) {
		bool good;

		if (parser->r.x.now.kind == TOKEN_END)
			return item_fail(&parser->r, "'}'", "at the end of the module");
		if (item_take_word(&parser->r, "model"))
			good = parse_stage_parse_model(parser, module);
		else if (item_take_word(&parser->r, "clock"))
			good = item_punct(&parser->r, '=', "after 'clock'") &&
				item_expression(&parser->r, &module->clock) &&
				item_punct(&parser->r, ';', "after the clock");
		else if (item_take_word(&parser->r, "frequency"))
			good = item_punct(&parser->r, '=', "after 'frequency'") &&
				item_expression(&parser->r, &module->frequency) &&
				item_punct(&parser->r, ';', "after the frequency");
		else if (item_take_word(&parser->r, "qos"))
			good = parse_qos(parser, module);
		else
			good = parse_kind_of_module(parser, module);
		if (!good)
			item_recover(&parser->r, 1);
	}
	return true;
}

static bool
parse_module(struct net_parser *parser)
{
	struct network *network = parser->net;
	struct net_module m = {.stage = network->n_stages - 1, .per = SCOPE_SYSTEM, .times = 1};
	struct place at;

	if (!item_name(&parser->r, "a module's name", &m.name, &at) || !item_optional_text(&parser->r, &m.text))
		return false;
	if (item_take_word(&parser->r, "per") && !scope_parse(&parser->r.x, &m.per))
		return false;
	if (item_take_word(&parser->r, "times") && !parse_stage_parse_times(parser, &m))
		return false;
	m.cell = arena_alloc(network->arena, (network->n_kinds + 1) * sizeof *m.cell);
	m.at = at.at;
	m.len = at.len;
	if (!item_punct(&parser->r, '{', "after the module's name") || !parse_module_body(parser, &m))
		return false;
	if (net_find_module(network, m.name) < network->n_modules || network->n_modules == NETWORK_MODULES_MAX) {
		if (network->n_modules == NETWORK_MODULES_MAX)
			diag_add(parser->r.diags, DIAG_ERROR, &at, NULL, "more than %d modules", NETWORK_MODULES_MAX);
		else
			diag_add(parser->r.diags, DIAG_ERROR, &at, NULL, "'%.60s' is a module already", m.name);
		return true;
	}
	mem_grow(&network->module, &parser->cap_modules, network->n_modules + 1, sizeof *network->module);
	network->module[network->n_modules++] = m;
	network->stage[network->n_stages - 1].n++;
	return true;
}

bool
net_parse_stage(struct net_parser *parser)
{
	struct network *network = parser->net;
	struct net_stage s = {.first = network->n_modules};
	struct place at;

	lex_next(&parser->r.x);
	parser->finished = true;
	if (!item_name(&parser->r, "a stage's name", &s.name, &at) || !item_optional_text(&parser->r, &s.text) ||
		!item_punct(&parser->r, '{', "after the stage's name"))
		return false;
	for (size_t i = 0; i < network->n_stages; i++)
		if (strcmp(network->stage[i].name, s.name) == 0)
			diag_add(parser->r.diags, DIAG_ERROR, &at, NULL, "'%.60s' is a stage already", s.name);
	s.at = at.at;
	s.len = at.len;
	mem_grow(&network->stage, &parser->cap_stages, network->n_stages + 1, sizeof *network->stage);
	network->stage[network->n_stages++] = s;
	while (!item_take_punct(&parser->r, '}')) {
		if (parser->r.x.now.kind == TOKEN_END)
			return item_fail(&parser->r, "'}'", "at the end of the stage");
		if (!item_take_word(&parser->r, "module")) {
			item_fail(&parser->r, "module or '}'", "");
			lex_next(&parser->r.x);
			item_recover(&parser->r, 1);
		} else if (!parse_module(parser)) {
			item_recover(&parser->r, 1);
		}
	}
	return true;
}
