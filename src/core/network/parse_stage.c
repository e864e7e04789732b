/* Parses stages, their modules, and what each module reports of each kind. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/network/parser.h"

/* Two words may follow: "miss delay" is a field of its own, like "miss". */
static bool
take_field(struct net_parser *p, enum net_field *out)
{
	if (item_take_word(&p->r, "miss")) {
		*out = item_take_word(&p->r, "delay") ? NET_MISS_DELAY : NET_MISS;
		return true;
	}
	for (enum net_field f = NET_DELAY; f < NET_FIELDS; f++)
		if (f != NET_MISS_DELAY && item_take_word(&p->r, net_field_name(f))) {
			*out = f;
			return true;
		}
	return false;
}

static bool
parse_hit(struct net_parser *p, struct net_cell *c, const char *module)
{
	struct net_hit h = {.place = module}, *all;

	if (p->r.x.now.kind == TOKEN_STRING && !item_text(&p->r, "a place", &h.place))
		return false;
	if (!item_punct(&p->r, '=', "after 'hit'") || !item_expression(&p->r, &h.e) ||
		!item_punct(&p->r, ';', "after the expression"))
		return false;
	all = arena_alloc(p->net->arena, (c->n_hits + 1) * sizeof *all);
	for (size_t i = 0; i < c->n_hits; i++)
		all[i] = c->hit[i];
	all[c->n_hits++] = h;
	c->hit = all;
	return true;
}

static bool
parse_cell(struct net_parser *p, struct net_cell *c, const char *module)
{
	while (!item_take_punct(&p->r, '}')) {
		struct place at = lex_place(&p->r.x);
		enum net_field f;
		struct aexpr *e;

		if (item_take_word(&p->r, "hit")) {
			if (!parse_hit(p, c, module))
				return false;
			continue;
		}
		if (!take_field(p, &f))
			return item_fail(&p->r,
				"hit, miss, delay, tag, miss delay, stall, limit, occupancy, busy, bytes or '}'", "");
		if (!item_punct(&p->r, '=', "after the expression") || !item_expression(&p->r, &e) ||
			!item_punct(&p->r, ';', "after the expression"))
			return false;
		if (c->field[f])
			diag_add(p->r.diags, DIAG_ERROR, &at, NULL, "'%s' is given already", net_field_name(f));
		else
			c->field[f] = e;
	}
	return true;
}

/* `KIND { … }`, `KIND untold "why";` or `KIND with OTHER "why";` */
static bool
parse_kind_of_module(struct net_parser *p, struct net_module *m)
{
	const struct network *n = p->net;
	struct net_cell unknown = {0}, *c = &unknown;
	const char *kind, *other;
	struct place at, other_at;
	size_t k;

	if (!item_name(&p->r, "model, clock, qos, a path kind or '}'", &kind, &at))
		return false;
	k = net_find_kind(n, kind);
	if (k == n->n_kinds)
		diag_add(p->r.diags, DIAG_ERROR, &at, NULL, "'%.60s' is no path kind", kind);
	else if (m->cell[k].state != NET_CELL_ABSENT)
		diag_add(p->r.diags, DIAG_ERROR, &at, NULL, "'%.60s' is given already", kind);
	else
		c = &m->cell[k];
	c->at = at.at;
	c->len = at.len;
	if (item_take_word(&p->r, "untold")) {
		c->state = NET_CELL_UNREPORTED;
		return item_text(&p->r, "why it is not reported, in quotes,", &c->why) &&
			item_punct(&p->r, ';', "after the reason");
	}
	if (item_take_word(&p->r, "with")) {
		c->state = NET_CELL_WITH;
		if (!item_name(&p->r, "a path kind", &other, &other_at) ||
			!item_text(&p->r, "why they are not counted apart, in quotes,", &c->why))
			return false;
		c->with = net_find_kind(n, other);
		if (c->with == n->n_kinds)
			diag_add(p->r.diags, DIAG_ERROR, &other_at, NULL, "'%.60s' is no path kind", other);
		return item_punct(&p->r, ';', "after the reason");
	}
	c->state = NET_CELL_REPORTED;
	return item_punct(&p->r, '{', "'untold' or 'with' after the path kind") &&
		parse_cell(p, c, *m->text ? m->text : m->name);
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
parse_threshold(struct net_parser *p, struct net_qos *q)
{
	static const char *const word[NET_LOADS] = {
		[NET_OPTIMAL] = "optimal", [NET_MODERATE] = "moderate", [NET_SEVERE] = "severe"
	};
	struct place at = lex_place(&p->r.x);
	struct aexpr *e;

	for (int i = NET_OPTIMAL; i < NET_LOADS; i++) {
		if (!item_take_word(&p->r, word[i]))
			continue;
		if (!item_punct(&p->r, '=', "after the load") || !item_expression(&p->r, &e) ||
			!item_punct(&p->r, ';', "after the threshold"))
			return false;
		if (q->from[i])
			diag_add(p->r.diags, DIAG_ERROR, &at, NULL, "the threshold of '%s' is given already", word[i]);
		q->from[i] = e;
		return true;
	}
	return item_fail(&p->r, "optimal, moderate, severe or '}'", "");
}

/* Parse `qos "text" = EXPR { optimal = EXPR; moderate = EXPR; severe = EXPR; } ["source"]`, after its first word. */
static bool
parse_qos(struct net_parser *p, struct net_module *m)
{
	struct net_qos q = {.source = ""}, *all;
	struct place at = lex_place(&p->r.x);

	q.at = at.at;
	q.len = at.len;
	if (!item_text(&p->r, "what shows the load, in quotes,", &q.text) ||
		!item_punct(&p->r, '=', "after the text") || !item_expression(&p->r, &q.e) ||
		!item_punct(&p->r, '{', "after the expression"))
		return false;
	while (!item_take_punct(&p->r, '}'))
		if (!parse_threshold(p, &q))
			return false;
	if (!item_optional_text(&p->r, &q.source))
		return false;
	if (m->n_qos == NETWORK_QOS_MAX) {
		diag_add(p->r.diags, DIAG_ERROR, &at, NULL, "a module has more than %d signs of its load",
			NETWORK_QOS_MAX);
		return true;
	}
	all = arena_alloc(p->net->arena, (m->n_qos + 1) * sizeof *all);
	for (size_t i = 0; i < m->n_qos; i++)
		all[i] = m->qos[i];
	all[m->n_qos++] = q;
	m->qos = all;
	return true;
}

static bool
parse_module_body(struct net_parser *p, struct net_module *m)
{
	while (!item_take_punct(&p->r, '}')) {
		bool good;

		if (p->r.x.now.kind == TOKEN_END)
			return item_fail(&p->r, "'}'", "at the end of the module");
		if (item_take_word(&p->r, "model"))
			good = parse_stage_parse_model(p, m);
		else if (item_take_word(&p->r, "clock"))
			good = item_punct(&p->r, '=', "after 'clock'") && item_expression(&p->r, &m->clock) &&
				item_punct(&p->r, ';', "after the clock");
		else if (item_take_word(&p->r, "qos"))
			good = parse_qos(p, m);
		else
			good = parse_kind_of_module(p, m);
		if (!good)
			item_recover(&p->r, 1);
	}
	return true;
}

static bool
parse_module(struct net_parser *p)
{
	struct network *n = p->net;
	struct net_module m = {.stage = n->n_stages - 1, .per = SCOPE_SYSTEM, .times = 1};
	struct place at;

	if (!item_name(&p->r, "a module's name", &m.name, &at) || !item_optional_text(&p->r, &m.text))
		return false;
	if (item_take_word(&p->r, "per") && !scope_parse(&p->r.x, &m.per))
		return false;
	if (item_take_word(&p->r, "times") && !parse_stage_parse_times(p, &m))
		return false;
	m.cell = arena_alloc(n->arena, (n->n_kinds + 1) * sizeof *m.cell);
	m.at = at.at;
	m.len = at.len;
	if (!item_punct(&p->r, '{', "after the module's name") || !parse_module_body(p, &m))
		return false;
	if (net_find_module(n, m.name) < n->n_modules || n->n_modules == NETWORK_MODULES_MAX) {
		if (n->n_modules == NETWORK_MODULES_MAX)
			diag_add(p->r.diags, DIAG_ERROR, &at, NULL, "more than %d modules", NETWORK_MODULES_MAX);
		else
			diag_add(p->r.diags, DIAG_ERROR, &at, NULL, "'%.60s' is a module already", m.name);
		return true;
	}
	mem_grow(&n->module, &p->cap_modules, n->n_modules + 1, sizeof *n->module);
	n->module[n->n_modules++] = m;
	n->stage[n->n_stages - 1].n++;
	return true;
}

bool
net_parse_stage(struct net_parser *p)
{
	struct network *n = p->net;
	struct net_stage s = {.first = n->n_modules};
	struct place at;

	lex_next(&p->r.x);
	p->finished = true;
	if (!item_name(&p->r, "a stage's name", &s.name, &at) || !item_optional_text(&p->r, &s.text) ||
		!item_punct(&p->r, '{', "after the stage's name"))
		return false;
	for (size_t i = 0; i < n->n_stages; i++)
		if (strcmp(n->stage[i].name, s.name) == 0)
			diag_add(p->r.diags, DIAG_ERROR, &at, NULL, "'%.60s' is a stage already", s.name);
	s.at = at.at;
	s.len = at.len;
	mem_grow(&n->stage, &p->cap_stages, n->n_stages + 1, sizeof *n->stage);
	n->stage[n->n_stages++] = s;
	while (!item_take_punct(&p->r, '}')) {
		if (p->r.x.now.kind == TOKEN_END)
			return item_fail(&p->r, "'}'", "at the end of the stage");
		if (!item_take_word(&p->r, "module")) {
			item_fail(&p->r, "module or '}'", "");
			lex_next(&p->r.x);
			item_recover(&p->r, 1);
		} else if (!parse_module(p)) {
			item_recover(&p->r, 1);
		}
	}
	return true;
}
