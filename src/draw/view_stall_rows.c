/* A network's stalls in view 6: who waits, and where it arose. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/profile.h"
#include "app/session_stalls.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/network/stall_rows.h"
#include "core/network/stalls.h"
#include "core/network/state.h"
#include "draw/view_counters.h"
#include "draw/view_paths.h"
#include "draw/view_stalls.h"

enum { WIDE = 100 };

#define PASSED_BACK                                                                                                                                          \
	"What modules stall is handed back to who sent them requests, by how many, hop by hop; each hop adds its own. A core takes no more than it is seen to stall."

static bool
in_core(enum scope per)
{
	return per == SCOPE_THREAD || per == SCOPE_CORE || per == SCOPE_TASK;
}

static bool
is_end(const struct session *s, size_t module)
{
	for (size_t d = 0; d < s->run.look->n_stalls; d++)
		if (s->run.look->stalls[d]->destination == module)
			return true;
	return false;
}

/* One hue for what is in a core or a task, one for each stage behind it, and one for where requests end. */
static enum role
role_of(const struct session *s, size_t module)
{
	static const enum role hue[] = {ROLE_PATH3, ROLE_PATH4, ROLE_PATH2};
	const struct network *n = profile_network(s->run.data);
	size_t stages = 0;

	if (in_core(n->module[module].per))
		return ROLE_PATH1;
	if (is_end(s, module))
		return ROLE_INFEASIBLE;
	for (size_t i = 0; i < n->module[module].stage; i++)
		stages += n->stage[i].n && !in_core(n->module[n->stage[i].first].per);
	return hue[stages % 3];
}

/* A letter or digit of its name that no module before it has: its digit, which tells caches apart, else the first that is free. */
static char
choose_key(const char *name, const bool taken[128])
{
	for (const char *p = name; *p; p++)
		if (isdigit((unsigned char)*p) && !taken[(unsigned char)*p])
			return *p;
	for (const char *p = name; *p; p++)
		if (isalpha((unsigned char)*p) && !taken[(unsigned char)*p])
			return *p;
	for (char c = 'a'; c <= 'z'; c++)
		if (!taken[(unsigned char)c])
			return c;
	return 0;
}

/* Full first, then lighter within a hue; neighbours differ whatever their hues are. */
static unsigned char
next_fill(const struct chart_part *part, size_t i)
{
	unsigned char fill = 0;

	for (size_t k = i; k-- > 0 && part[k].role == part[i].role;)
		fill++;
	fill &= 3;
	return i && part[i - 1].fill == fill ? (fill + 1) & 3 : fill;
}

/* As chart and table have them: components are listed with the end first, bars begin at the other end. */
static struct chart_part *
parts_of(const struct session *s, const size_t *component, size_t n, struct arena *a)
{
	const struct network *net = profile_network(s->run.data);
	struct chart_part *part = arena_alloc(a, (n + 1) * sizeof *part);
	bool taken[128] = {false};

	for (size_t i = 0; i < n; i++) {
		const struct net_module *m = &net->module[component[n - 1 - i]];

		part[i] = (struct chart_part){.name = m->name, .role = role_of(s, component[n - 1 - i]), .key = choose_key(m->name, taken)};
		part[i].fill = next_fill(part, i);
		taken[(unsigned char)part[i].key] = true;
	}
	return part;
}

static struct unit
unit_of_stalls(const struct session *s)
{
	const struct network *net = profile_network(s->run.data);

	for (size_t m = net->n_modules; m-- > 0;)
		for (size_t k = 0; k < net->n_kinds; k++)
			if (net->module[m].cell[k].field[NET_STALL])
				return net->module[m].cell[k].field[NET_STALL]->unit;
	return unit_of(UNIT_CYCLES);
}

static struct amount
amount_of_rows(const struct session *s)
{
	double top = 0;

	for (size_t i = 0; s->run.rows && i < s->run.rows->n; i++)
		top = fmax(top, s->run.rows->row[i].stall);
	return amount_for(unit_of_stalls(s), top);
}

static const double *
amounts(const struct net_stall_row *row, const size_t *component, size_t n, struct arena *a)
{
	double *out = arena_alloc(a, (n + 1) * sizeof *out);

	for (size_t i = 0; i < n; i++)
		out[i] = row->from[component[n - 1 - i]];
	return out;
}

/* "core 3", "all"; as short as the table's head allows. */
static char *
owner_name(const struct session *s, const struct net_stall_row *row, bool brief)
{
	struct str out = {0};

	if (row->per == SCOPES)
		str_add(&out, "all");
	else
		add_owner(s, row->per, row->owner, brief, &out);
	if (!out.n)
		str_add(&out, row->per == SCOPE_SYSTEM ? "all" : scope_name(row->per));
	return str_take(&out);
}

/* The scope that all rows have; SCOPES where they differ. */
static enum scope
one_scope(const struct net_stall_rows *r, const size_t *order, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (r->row[order[i]].per != r->row[order[0]].per)
			return SCOPES;
	return n ? r->row[order[0]].per : SCOPES;
}

struct chart
stall_rows_chart(const struct session *s)
{
	const struct net_stall_rows *r = s->run.rows;
	struct chart c = {.kind_head = "kind", .normalised = s->run.normalised, .pane = PANE_BARS, .amount = amount_of_rows(s), .arena = arena_new()};
	size_t components, *component = session_components(s, &components), *order = session_stall_rows(s, &c.n);
	enum scope scope = r ? one_scope(r, order, c.n) : SCOPES;
	struct str against = {0};
	char number[NUMBER_TEXT];

	c.part = parts_of(s, component, components, c.arena);
	c.n_parts = components;
	c.name_head = scope == SCOPES ? "where" : scope_name(scope);
	c.number_head = arena_str(c.arena, c.amount.unit);
	c.cursor = s->cursor[PANE_BARS] < (int)c.n ? (size_t)s->cursor[PANE_BARS] : c.n ? c.n - 1 : 0;
	c.row = arena_alloc(c.arena, (c.n + 1) * sizeof *c.row);
	if (s->run.other_rows)
		add_compared(s, true, &against);
	c.other_name = arena_str(c.arena, str_text(&against));
	for (size_t i = 0; i < c.n; i++) {
		const struct net_stall_row *row = &r->row[order[i]], *above = i ? &r->row[order[i - 1]] : NULL;
		const struct net_stall_row *other = s->run.other_rows ? net_stall_rows_find(s->run.other_rows, row) : NULL;
		char *name = owner_name(s, row, scope != SCOPES);
		bool same = above && above->per == row->per && above->owner == row->owner;

		c.row[i] = (struct chart_row){
			.name = same ? "" : arena_str(c.arena, name), .kind = profile_network(s->run.data)->kind[row->kind].name, .kind_role = kind_role(row->kind), .kind_attr = kind_attr(row->kind),
			.number = arena_str(c.arena, amount_text(number, &c.amount, row->stall)), .amount = amounts(row, component, components, c.arena), .length = row->stall,
			.other = other ? amounts(other, component, components, c.arena) : NULL, .other_length = other ? other->stall : 0,
		};
		free(name);
	}
	str_free(&against);
	free(component);
	free(order);
	return c;
}

/* Counters of an expression: the first that lacks, or their names. */
struct counters {
	const struct session *s;
	struct str names;
	const char *lacks, *why;
};

static void
note_counter(void *ctx, const struct aexpr *name)
{
	struct counters *c = ctx;
	const struct network *net = profile_network(c->s->run.data);

	if (name->index >= net->n_counters)
		return;
	if (!c->lacks && c->s->run.look->counter[name->index].why) {
		c->lacks = net->counter[name->index].name;
		c->why = net->counter[name->index].unresolved ? "unresolved" : c->s->run.look->counter[name->index].why;
	}
	if (!strstr(str_text(&c->names), name->name))
		str_addf(&c->names, "%s%s", c->names.n ? ", " : "", name->name);
}

/* Does every owner's stall of this kind lack its value? */
static bool
is_unknown(const struct session *s, size_t module, size_t kind)
{
	for (size_t o = 0; o < net_state_owners(s->run.look->state, module); o++)
		if (!isnan(net_state_cell(s->run.look->state, module, o, kind).field[NET_STALL]))
			return false;
	return true;
}

/* Where a component's part comes from, or why it has none. */
static enum role
origin(const struct session *s, size_t module, size_t kind, struct str *out)
{
	const struct net_cell *cell = &profile_network(s->run.data)->module[module].cell[kind];
	struct counters c = {.s = s};
	enum role role = ROLE_DIM;

	if (cell->state == NET_ABSENT) {
		str_add(out, "not on this path");
	} else if (cell->state == NET_WITH) {
		str_addf(out, "told with %s", profile_network(s->run.data)->kind[cell->with].name);
	} else if (!cell->field[NET_STALL]) {
		str_add(out, cell->state == NET_UNTOLD ? cell->why : "nothing tells its stalls");
	} else {
		aexpr_each_name(cell->field[NET_STALL], note_counter, &c);
		if (is_unknown(s, module, kind) && c.lacks) {
			str_addf(out, "no count of %s (%s)", c.lacks, c.why);
			role = ROLE_BORDERLINE;
		} else {
			str_add(out, str_text(&c.names));
		}
	}
	str_free(&c.names);
	return role;
}

struct columns {
	int share, amount, before, from; /* behind the last digit; `from`: first column. 0: not shown */
};

static struct columns
columns_of(const struct session *s, int w, int name)
{
	struct columns c = {.share = 5 + name + 9};

	c.amount = c.share + 9;
	if (s->run.other_rows && c.amount + 11 < w)
		c.before = c.amount + 10;
	c.from = (c.before ? c.before : c.amount) + 2;
	if (c.from + 12 > w)
		c.from = 0;
	return c;
}

static void
draw_component(const struct session *s, struct page *p, const struct net_stall_row *row, const struct net_stall_row *other, size_t module,
	       const struct chart_part *part, const struct columns *c, const struct amount *unit)
{
	struct line l = page_line(p);
	struct draw_part one = {1, part->role, part->fill, part->key};
	struct pen pen = l.pen;
	char number[NUMBER_TEXT];
	struct str from = {0};
	enum role role = origin(s, module, row->kind, &from);
	bool none = !(row->from[module] > 0) && (role == ROLE_BORDERLINE || !profile_network(s->run.data)->module[module].cell[row->kind].field[NET_STALL]);

	draw_stack(&pen, p->r.x + 1, l.y, 3, &one, 1, 1);
	pen.fg = none ? ROLE_DIM : ROLE_TEXT;
	pen_fit(&pen, p->r.x + 5, l.y, c->share - 14, part->name);
	pen_right(&pen, p->r.x + c->share, l.y, none ? role == ROLE_BORDERLINE ? "?" : "·" : number_share(number, row->stall > 0 ? row->from[module] / row->stall : NAN));
	pen_right(&pen, p->r.x + c->amount, l.y, none ? role == ROLE_BORDERLINE ? "?" : "·" : amount_text(number, unit, row->from[module]));
	pen.fg = ROLE_DIM;
	if (c->before)
		pen_right(&pen, p->r.x + c->before, l.y, other && !none ? amount_text(number, unit, other->from[module]) : "·");
	pen.fg = role;
	if (c->from)
		pen_fit(&pen, p->r.x + c->from, l.y, p->r.w - 1 - c->from, str_text(&from));
	str_free(&from);
}

static void
draw_heads(const struct session *s, struct page *p, const struct columns *c, const char *unit)
{
	struct line l = page_line(p);
	struct pen pen = l.pen;
	struct str before = {0};

	pen.fg = ROLE_DIM;
	pen_text(&pen, p->r.x + 5, l.y, "component");
	pen_right(&pen, p->r.x + c->share, l.y, "share %");
	pen_right(&pen, p->r.x + c->amount, l.y, unit);
	if (c->before) {
		add_compared(s, true, &before);
		pen_right(&pen, p->r.x + c->before, l.y, str_text(&before));
	}
	if (c->from)
		pen_text(&pen, p->r.x + c->from, l.y, "told by");
	str_free(&before);
}

/* How far it can be trusted: what there was, and what of it came back to somebody. */
static void
draw_balance(const struct session *s, struct page *p, const struct amount *unit)
{
	const struct net_stall_rows *r = s->run.rows;
	char number[NUMBER_TEXT];
	struct line l;

	if (!r || !(r->own > 0))
		return;
	l = page_line(p);
	line_add(&l, ROLE_DIM, 0, "of all ");
	line_add(&l, ROLE_TEXT, 0, "%s %s", amount_text(number, unit, r->own), unit->unit);
	line_add(&l, ROLE_DIM, 0, ": ");
	line_add(&l, ROLE_TEXT, 0, "%s %%", number_share(number, r->stall / r->own));
	line_add(&l, ROLE_DIM, 0, " passed back to who asked");
	if (r->hidden > 0) {
		line_add(&l, ROLE_DIM, 0, ", ");
		line_add(&l, ROLE_TEXT, 0, "%s", number_share(number, r->hidden / r->own));
		line_add(&l, ROLE_DIM, 0, " hidden by other work");
	}
	if (r->stuck > 0) {
		line_add(&l, ROLE_DIM, 0, ", ");
		line_add(&l, ROLE_BORDERLINE, 0, "%s", number_share(number, r->stuck / r->own));
		line_add(&l, ROLE_DIM, 0, " stuck: no load told");
	}
	if (session_idle_rows(s))
		line_add(&l, ROLE_DIM, 0, "; %zu bars of owners below %g %% not shown", session_idle_rows(s), 100 * STALLS_IDLE);
}

static int
name_columns(const struct pen *p, const struct chart_part *part, size_t n, int most)
{
	int w = 9;

	for (size_t i = 0; i < n; i++)
		if (pen_columns(p, part[i].name) > w)
			w = pen_columns(p, part[i].name);
	return w < most ? w : most;
}

void
draw_stall_components(const struct session *s, struct grid *g, struct rect r, bool focus, struct drawn *d)
{
	const struct net_stall_row *row = session_stall_row(s);
	const struct net_stall_row *other = row && s->run.other_rows ? net_stall_rows_find(s->run.other_rows, row) : NULL;
	struct page p = {.s = s, .g = g, .r = r};
	struct arena *a = arena_new();
	size_t n, *component = session_components(s, &n);
	struct amount unit = amount_of_rows(s);
	struct chart_part *part = row ? parts_of(s, component, n, a) : NULL;
	struct pen pen = pen_on(g, r, ROLE_TEXT);
	struct columns c = columns_of(s, r.w, name_columns(&pen, part, row ? n : 0, r.w >= WIDE ? 24 : 14));
	int cursor = s->cursor[PANE_COMPONENTS] < (int)n ? s->cursor[PANE_COMPONENTS] : (int)n - 1;
	int rows = r.h - 1 > 0 ? r.h - 1 : 0, first = list_scroll(0, cursor, (int)n, rows);

	if (row)
		draw_heads(s, &p, &c, unit.unit);
	else
		page_words(&p, ROLE_DIM, "No bar is chosen, so there is nothing to take apart.");
	for (size_t i = (size_t)first; row && i < n && !page_full(&p); i++) {
		struct rect at = {r.x, r.y + p.row, r.w, 1};

		draw_component(s, &p, row, other, component[i], &part[n - 1 - i], &c, &unit);
		if ((int)i == cursor)
			draw_cursor(g, at, focus);
		hit_add(d, at, HIT_ROW, PANE_COMPONENTS, (int)i, ACTION_component);
	}
	if (row && p.row + 1 < r.h) {
		page_blank(&p);
		draw_balance(s, &p, &unit);
	}
	if (row && p.row + 6 < r.h) {
		page_blank(&p);
		page_words(&p, ROLE_DIM, PASSED_BACK);
	}
	free(component);
	arena_free(a);
}

void
title_stall_components(const struct session *s, struct str *title, struct str *info)
{
	const struct net_stall_row *row = session_stall_row(s);
	struct amount unit = amount_of_rows(s);
	char *owner;

	if (!row) {
		str_add(title, "Components");
		return;
	}
	owner = owner_name(s, row, false);
	str_addf(title, "%s, %s", profile_network(s->run.data)->kind[row->kind].name, owner);
	str_addf(info, "stalls, %s", unit.unit);
	free(owner);
}

void
stall_rows_nothing(const struct session *s, struct page *p)
{
	const struct network *net = profile_network(s->run.data);
	struct str words = {0};
	bool told = false;

	for (size_t m = 0; m < net->n_modules; m++)
		for (size_t k = 0; k < net->n_kinds; k++)
			told |= net->module[m].cell[k].field[NET_STALL] != NULL;
	if (!s->run.look) {
		str_addf(&words, s->n_tables ? "The data have no counters of %s." : "No snapshot of %s yet, so there are no stalls to show.", net->name);
		page_words(p, ROLE_TEXT, str_text(&words));
		page_words(p, ROLE_DIM, "hecate net FILE --check lists the events that it counts");
	} else if (!told) {
		str_addf(&words, "No module of %s tells stalls: there is nothing to pass back.", net->name);
		page_words(p, ROLE_TEXT, str_text(&words));
		page_words(p, ROLE_DIM, "7 shows where requests wait\nhecate NETWORK STACK … shows the bars of a stack here");
	} else if (s->run.rows && s->run.rows->own > 0) {
		page_words(p, ROLE_TEXT, "There are stalls, but none came back to who asked: all are hidden by other work, or no load is told.");
		page_words(p, ROLE_DIM, "5 shows the loads, and why some are not told.");
	} else {
		size_t lacks = 0;

		for (size_t m = 0; m < net->n_modules; m++)
			for (size_t k = 0; k < net->n_kinds; k++)
				lacks += net->module[m].cell[k].field[NET_STALL] && is_unknown(s, m, k);
		page_words(p, ROLE_TEXT, lacks ? "No stall is known: counters that tell them are lacking." : "No stalls in this snapshot.");
		page_words(p, ROLE_DIM, "[ ] show other snapshots; 5 and Enter on a module name its counters.");
	}
	str_free(&words);
}

/* The component with the largest part. */
static size_t
largest(const struct net_stall_row *row, size_t n)
{
	size_t best = 0;

	for (size_t m = 1; m < n; m++)
		if (row->from[m] > row->from[best])
			best = m;
	return best;
}

bool
stall_rows_sentence(const struct session *s, struct line *l)
{
	const struct net_stall_row *row = session_stall_row(s);
	const struct net_stall_rows *r = s->run.rows;
	const struct network *net = profile_network(s->run.data);
	char number[NUMBER_TEXT], *owner;
	size_t most;

	if (!row || !(row->stall > 0))
		return false;
	most = largest(row, r->n_modules);
	owner = owner_name(s, row, false);
	line_add(l, ROLE_TEXT, CELL_BOLD, "%s %%", number_share(number, row->from[most] / row->stall));
	line_add(l, ROLE_TEXT, 0, " of %s stalls%s%s arise at %s; ", net->kind[row->kind].name, row->per == SCOPES ? "" : " of ", row->per == SCOPES ? "" : owner, net->module[most].name);
	line_add(l, ROLE_TEXT, 0, "%s %% of all came back", number_share(number, r->stall / r->own));
	free(owner);
	return true;
}

/* One component closely: what it has, and by which formula. */
static void
tell_component(const struct session *s, struct page *p, const struct net_stall_row *row, size_t module, const struct chart_part *part, const struct amount *unit)
{
	const struct aexpr *e = profile_network(s->run.data)->module[module].cell[row->kind].field[NET_STALL];
	struct draw_part one = {1, part->role, part->fill, part->key};
	char number[NUMBER_TEXT], share[NUMBER_TEXT];
	struct str text = {0};
	struct line l = page_line(p);
	bool known = e && !is_unknown(s, module, row->kind);

	draw_stack(&l.pen, p->r.x + 1, l.y, 3, &one, 1, 1);
	line_to(&l, 5);
	line_add(&l, known ? ROLE_TEXT : ROLE_DIM, known ? CELL_BOLD : 0, "%s", part->name);
	line_gap(&l, 2);
	if (known || row->from[module] > 0) {
		line_add(&l, ROLE_TEXT, 0, "%s %s, %s %%", amount_text(number, unit, row->from[module]), unit->unit, number_share(share, row->from[module] / row->stall));
	} else {
		enum role role = origin(s, module, row->kind, &text);

		line_add(&l, role, 0, "%s", str_text(&text));
		str_clear(&text);
	}
	if (e) {
		aexpr_print(e, &text);
		l = page_line(p);
		line_to(&l, 7);
		line_add(&l, ROLE_DIM, 0, "= %s", str_text(&text));
	}
	str_free(&text);
}

static void
tell_lost(struct page *p, const struct net_stall_row *row, const struct amount *unit)
{
	struct str text = {0};
	char number[NUMBER_TEXT];

	if (row->hidden > 0) {
		str_addf(&text, "hidden %s %s: more than was seen to be stalled here; other work went on meanwhile", amount_text(number, unit, row->hidden), unit->unit);
		page_words(p, ROLE_TEXT, str_text(&text));
		str_clear(&text);
	}
	if (row->stuck > 0) {
		str_addf(&text, "stuck %s %s: no load is told of those that could take it", amount_text(number, unit, row->stuck), unit->unit);
		page_words(p, ROLE_BORDERLINE, str_text(&text));
	}
	str_free(&text);
}

int
stall_row_popup(const struct session *s, struct grid *g, struct rect screen)
{
	const struct network *net = profile_network(s->run.data);
	const struct net_stall_row *row = session_stall_row(s);
	struct amount unit = amount_of_rows(s);
	size_t n, *component = session_components(s, &n);
	struct arena *a = arena_new();
	struct chart_part *part = row ? parts_of(s, component, n, a) : NULL;
	bool *has = mem_new_array(net->n_counters, sizeof *has);
	struct str title = {0}, info = {0};
	struct page p = {.s = s, .g = g, .skip = s->popup_cursor};

	title_stall_components(s, &title, &info);
	p.r = draw_popup(g, screen, 100, screen.h - 6, str_text(&title), str_text(&info));
	for (size_t i = 0; row && i < n; i++) {
		const struct aexpr *e = net->module[component[i]].cell[row->kind].field[NET_STALL];

		tell_component(s, &p, row, component[i], &part[n - 1 - i], &unit);
		if (e)
			counters_mark(s, e, has);
	}
	if (row) {
		page_blank(&p);
		draw_balance(s, &p, &unit);
		tell_lost(&p, row, &unit);
		page_blank(&p);
		page_words(&p, ROLE_DIM, PASSED_BACK);
		page_blank(&p);
		counters_tell(s, &p, has, 1);
	}
	free(component);
	free(has);
	arena_free(a);
	str_free(&title);
	str_free(&info);
	return page_rows(&p);
}
