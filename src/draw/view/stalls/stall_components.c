/* The components of one bar of a network's stalls: the table below the bars, and the popup. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/network/stall_rows.h"
#include "core/network/stalls.h"
#include "core/network/state.h"
#include "draw/view/stalls/stalls.h"
#include "draw/view/view_counters.h"
#include "draw/view/view_list.h"
#include "draw/view/view_trust.h"
#include "explorer/state/state_stalls.h"
#include "work/timeline/timeline.h"

enum { WIDE = 100 };

static const char passed_back[] =
	"The stalls of a module are passed back, hop by hop, to the modules that sent its requests, in proportion to "
	"their number. A module adds stalls of its own only if a counter reports them; the others show a dot. A core "
	"takes no more stalls than it is seen to have.";

/* Counters of an expression: the first missing one, and the names of all. */
struct counters {
	const struct state *s;
	struct str names;
	const char *lacks, *why;
};

static void
note_counter(void *ctx, const struct aexpr *name)
{
	struct counters *counters = ctx;
	const struct network *net = timeline_network(counters->s->data.timeline);
	char letters[LETTERS_TEXT];

	if (name->index >= net->n_counters)
		return;
	if (!counters->lacks && counters->s->answers.timeline.analysis->counter[name->index].why) {
		counters->lacks = net->counter[name->index].name;
		counters->why = net->counter[name->index].unresolved
			? "unresolved" : counters->s->answers.timeline.analysis->counter[name->index].why;
	}
	if (!strstr(str_text(&counters->names), name->name)) {
		str_addf(&counters->names, "%s%s", counters->names.n ? ", " : "", name->name);
		item_letters(counters->s, &net->counter[name->index], letters);
		str_addf(&counters->names, "%s%s", *letters ? " " : "", letters);
	}
}

/* Writes what a component's part is counted by, or why it has none. */
static enum role
origin(const struct state *state, size_t module, size_t kind, struct str *out)
{
	const struct net_cell *cell = &timeline_network(state->data.timeline)->module[module].cell[kind];
	struct counters c = {.s = state};
	enum role role = ROLE_DIM;

	if (cell->state == NET_CELL_ABSENT) {
		str_add(out, "not on this path");
	} else if (cell->state == NET_CELL_WITH) {
		str_addf(out, "counted with %s", timeline_network(state->data.timeline)->kind[cell->with].name);
	} else if (!cell->field[NET_STALL]) {
		str_add(out, cell->state == NET_CELL_UNREPORTED ? cell->why : "no counter of its own stalls");
	} else {
		aexpr_each_name(cell->field[NET_STALL], note_counter, &c);
		if (!net_stalls_reported(state->answers.timeline.analysis->state, module, kind) && c.lacks) {
			str_addf(out, "no count of %s (%s)", c.lacks, c.why);
			role = ROLE_BORDERLINE;
		} else {
			enum scope known = net_field_known_per(
				timeline_network(state->data.timeline), module, kind, NET_STALL);

			str_add(out, str_text(&c.names));
			if (known != SCOPE_CORE && net_has_cores(timeline_network(state->data.timeline)))
				str_addf(out, ", per %s", scope_name(known));
		}
	}
	str_free(&c.names);
	return role;
}

enum { SWATCH, COMPONENT, SHARE, AMOUNT, RATE, BEFORE, ORIGIN, COLUMNS };

/* `room`: what is left beside component, share and amount. */
static const struct column stall_components_columns[COLUMNS] = {
	[SWATCH] = {.gap = 1, .width = 3},
	[COMPONENT] = {.head = "component", .gap = 1},
	[SHARE] = {.head = "share %", .width = 9, .right = true},
	[AMOUNT] = {.width = 9, .right = true},
	[RATE] = {.width = 9, .room = 26, .right = true},
	[BEFORE] = {.width = 10, .room = 12, .right = true},
	[ORIGIN] = {.head = "counted by", .gap = 2, .width = 11, .rest = true},
};

/* The bar that the rows are of. */
struct components {
	const struct net_stall_row *row, *other; /* other: of the snapshot to compare with, or NULL */
	const struct chart_part *part;                /* in the reverse order of the rows */
	struct amount unit;
};

static void
draw_component(struct list_row *row)
{
	const struct components *of = row->list->of;
	const struct state *state = row->list->state;
	size_t module = row->item, after = row->list->n - 1;
	struct draw_part one;
	char number[NUMBER_TEXT];
	struct str from = {0};
	enum role role = origin(state, module, of->row->kind, &from);
	const char *nothing = role == ROLE_BORDERLINE ? "?" : "·";
	double amount = of->row->from[module];
	bool none = !(amount > 0) &&
		(role == ROLE_BORDERLINE ||
			!timeline_network(state->data.timeline)->module[module].cell[of->row->kind].field[NET_STALL]);
	struct rect at;

	for (const size_t *order = row->list->order; *order != module; order++)
		after--;
	one = (struct draw_part){1, of->part[after].role, of->part[after].fill, of->part[after].key};
	list_cell(row, SWATCH, ROLE_TEXT, &at);
	draw_stack(&row->pen, at.x, at.y, at.w, &one, 1, 1);
	list_text(row, COMPONENT, none ? ROLE_DIM : ROLE_TEXT, of->part[after].name);
	list_text(row, SHARE, none ? ROLE_DIM : ROLE_TEXT,
		none ? nothing : number_share(number, amount / of->row->stall));
	list_text(row, AMOUNT, none ? ROLE_DIM : ROLE_TEXT, none ? nothing : amount_text(number, &of->unit, amount));
	list_text(row, RATE, ROLE_DIM,
		none ? "·" : amount_text(number, &of->unit,
			amount / net_state_seconds(state->answers.timeline.analysis->state)));
	list_text(row, BEFORE, ROLE_DIM,
		of->other && !none ? amount_text(number, &of->unit, of->other->from[module]) : "·");
	list_text(row, ORIGIN, role, str_text(&from));
	str_free(&from);
}

/* The counters of a row's components; `explained`: with what books say of them. */
static void
stall_components_write_counters(const struct state *state, struct page *page, const struct net_stall_row *row,
	const size_t *component, size_t n, bool explained)
{
	const struct network *net = timeline_network(state->data.timeline);
	bool *has = mem_new_array(net->n_counters, sizeof *has);

	for (size_t i = 0; i < n; i++)
		if (net->module[component[i]].cell[row->kind].field[NET_STALL])
			counters_mark(state, net->module[component[i]].cell[row->kind].field[NET_STALL], has);
	page_counters(state, page, has, 1);
	if (explained)
		page_marked_trust(state, page, has);
	free(has);
}

static void
next_thing(struct page *p, struct line *l, bool narrow)
{
	if (narrow)
		*l = page_line(p);
	else
		line_add(l, ROLE_DIM, 0, ", ");
}

/* Draws how complete the bars are: all stalls, and what part of them came back to a requester. In one line, or several
 * if it is too narrow. */
static void
draw_balance(const struct state *state, struct page *page, const struct amount *unit)
{
	const struct net_stall_rows *rows = state->answers.timeline.rows;
	char number[NUMBER_TEXT], share[NUMBER_TEXT];
	bool narrow = page->r.w < WIDE;
	struct line l;

	if (!rows || !(rows->own > 0))
		return;
	l = page_line(page);
	line_add(&l, ROLE_DIM, 0, "of ");
	line_add(&l, ROLE_TEXT, 0, "%s %s %s %%", amount_text(number, unit, rows->own), unit->unit,
		number_share(share, rows->stall / rows->own));
	line_add(&l, ROLE_DIM, 0, " came back to requesters");
	if (rows->hidden > 0) {
		next_thing(page, &l, narrow);
		line_add(&l, ROLE_TEXT, 0, "%s %%", number_share(number, rows->hidden / rows->own));
		line_add(&l, ROLE_DIM, 0, " hidden by other work");
	}
	if (rows->stuck > 0) {
		next_thing(page, &l, narrow);
		line_add(&l, ROLE_BORDERLINE, 0, "%s %%", number_share(number, rows->stuck / rows->own));
		line_add(&l, ROLE_DIM, 0, " stuck: load unknown");
	}
	if (state_idle_rows(state)) {
		next_thing(page, &l, narrow);
		line_add(&l, ROLE_DIM, 0, "%zu bar%s of owners below %g %% left out", state_idle_rows(state),
			plural_s(state_idle_rows(state)), 100 * STALLS_IDLE);
	}
}

/* Chooses heads and widths; with a snapshot to compare with, finds its bar. */
static void
stall_components_fit_columns(struct list *list, struct components *of, const struct pen *pen, struct arena *arena)
{
	const struct net_stall_rows *other = list->state->answers.timeline.other_rows;
	struct column *column = list->column;
	int w = list->room, most = w >= WIDE ? 24 : 14, widest = 9;
	struct str before = {0};

	memcpy(column, stall_components_columns, sizeof stall_components_columns);
	for (size_t i = 0; i < list->n; i++)
		widest = pen_columns(pen, of->part[i].name) > widest ? pen_columns(pen, of->part[i].name) : widest;
	column[COMPONENT].width = widest < most ? widest : most;
	list->room -= 23 + column[COMPONENT].width;
	column[AMOUNT].head = of->unit.unit;
	str_addf(&before, "%s/s", of->unit.unit);
	column[RATE].head = arena_str(arena, str_text(&before));
	str_clear(&before);
	if (other || list->state->view.timeline.rates ||
		!(net_state_seconds(list->state->answers.timeline.analysis->state) > 0))
		column[RATE].width = 0;
	if (other)
		timeline_add_compared(list->state, true, &before);
	else
		column[BEFORE].width = 0;
	column[BEFORE].head = arena_str(arena, str_text(&before));
	of->other = other ? net_stall_rows_find(other, of->row) : NULL;
	str_free(&before);
}

void
draw_stall_components(const struct state *state, struct grid *grid, struct rect r, bool focus, struct drawn *drawn)
{
	struct components of = {.row = state_stall_row(state), .unit = tasktime_amount(state)};
	struct page p = {.s = state, .g = grid, .r = r};
	struct arena *arena = arena_new();
	size_t n, *component = state_components(state, &n);
	struct column column[COLUMNS];
	struct list l = {.state = state, .of = &of, .column = column, .n_columns = COLUMNS, .room = r.w,
		.order = component, .n = n, .cursor = (size_t)state->view.cursor[PANE_COMPONENTS],
		.draw = draw_component, .pane = PANE_COMPONENTS, .action = ACTION_component};

	if (of.row) {
		of.part = stall_parts(state, component, n, arena);
		stall_components_fit_columns(&l, &of, &(struct pen){.grid = grid}, arena);
		p.row = list_draw(&l, grid, r, focus, drawn);
	} else {
		page_words(&p, ROLE_DIM, "No bar is chosen, so there are no parts to show.");
	}
	if (of.row && p.row + 1 < r.h) {
		page_blank(&p);
		draw_balance(state, &p, &of.unit);
	}
	if (of.row && p.row + 6 < r.h) {
		page_blank(&p);
		page_words(&p, ROLE_DIM, passed_back);
	}
	if (of.row && p.row + 10 < r.h) {
		page_blank(&p);
		stall_components_write_counters(state, &p, of.row, component, n, false);
	}
	free(component);
	arena_free(arena);
}

void
title_stall_components(const struct state *state, struct str *title, struct str *info)
{
	const struct net_stall_row *row = state_stall_row(state);
	struct amount unit = tasktime_amount(state);
	char *owner;

	if (!row) {
		str_add(title, "Components");
		return;
	}
	owner = stall_owner(state, row, false);
	str_addf(title, "%s, %s", timeline_network(state->data.timeline)->kind[row->kind].name, owner);
	str_addf(info, "stalls, %s", unit.unit);
	free(owner);
}

/* One component in detail: its numbers, and the formula. */
static void
stall_components_write_component(const struct state *state, struct page *page, const struct net_stall_row *row,
	size_t module, const struct chart_part *part, const struct amount *unit)
{
	const struct aexpr *aexpr =
		timeline_network(state->data.timeline)->module[module].cell[row->kind].field[NET_STALL];
	struct draw_part one = {1, part->role, part->fill, part->key};
	char number[NUMBER_TEXT], share[NUMBER_TEXT];
	struct str text = {0};
	struct line l = page_line(page);
	bool known = aexpr && net_stalls_reported(state->answers.timeline.analysis->state, module, row->kind);

	draw_stack(&l.pen, page->r.x + 1, l.y, 3, &one, 1, 1);
	line_to(&l, 5);
	line_add(&l, known ? ROLE_TEXT : ROLE_DIM, known ? CELL_BOLD : 0, "%s", part->name);
	line_gap(&l, 2);
	if (known || row->from[module] > 0) {
		line_add(&l, ROLE_TEXT, 0, "%s %s, %s %%", amount_text(number, unit, row->from[module]), unit->unit,
			number_share(share, row->from[module] / row->stall));
	} else {
		enum role role = origin(state, module, row->kind, &text);

		line_add(&l, role, 0, "%s", str_text(&text));
		str_clear(&text);
	}
	if (aexpr) {
		aexpr_print(aexpr, &text);
		l = page_line(page);
		line_to(&l, 7);
		line_add(&l, ROLE_DIM, 0, "= %s", str_text(&text));
	}
	str_free(&text);
}

static void
write_lost(struct page *page, const struct net_stall_row *row, const struct amount *unit)
{
	struct str text = {0};
	char number[NUMBER_TEXT];

	if (row->hidden > 0) {
		str_addf(&text, "hidden %s %s: more than the stalls seen here; other work went on meanwhile",
			amount_text(number, unit, row->hidden), unit->unit);
		page_words(page, ROLE_TEXT, str_text(&text));
		str_clear(&text);
	}
	if (row->stuck > 0) {
		str_addf(&text, "stuck %s %s: the load of the modules that could take it is unknown",
			amount_text(number, unit, row->stuck), unit->unit);
		page_words(page, ROLE_BORDERLINE, str_text(&text));
	}
	str_free(&text);
}

int
stall_row_popup(const struct state *state, struct grid *grid, struct rect screen, int first)
{
	const struct net_stall_row *row = state_stall_row(state);
	struct amount unit = tasktime_amount(state);
	size_t n, *component = state_components(state, &n);
	struct arena *arena = arena_new();
	struct chart_part *part = row ? stall_parts(state, component, n, arena) : NULL;
	struct str title = {0}, info = {0};
	struct page p = {.s = state, .g = grid, .skip = first};

	title_stall_components(state, &title, &info);
	p.r = draw_popup(grid, screen, 100, screen.h - 6, str_text(&title), str_text(&info));
	for (size_t i = 0; row && i < n; i++)
		stall_components_write_component(state, &p, row, component[i], &part[n - 1 - i], &unit);
	if (row) {
		page_blank(&p);
		draw_balance(state, &p, &unit);
		write_lost(&p, row, &unit);
		page_blank(&p);
		page_words(&p, ROLE_DIM, passed_back);
		page_blank(&p);
		stall_components_write_counters(state, &p, row, component, n, true);
	}
	free(component);
	arena_free(arena);
	str_free(&title);
	str_free(&info);
	return page_rows(&p);
}
