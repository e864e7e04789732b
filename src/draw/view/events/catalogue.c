/* All events that this machine's sources know: a tree by PMU and topic, and everything known of one of them. */
#include "draw/view/events/events.h"

#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/str.h"
#include "core/doctor/health.h"
#include "core/trust/book.h"
#include "draw/view/view_list.h"
#include "draw/view/view_table.h"
#include "draw/view/view_trust.h"
#include "explorer/state/state_catalogue.h"
#include "explorer/state/state_views.h"
#include "work/catalogue.h"
#include "work/fit/fitting.h"
#include "work/trust/known.h"

enum { NAME_W = 30, CODE_FROM = 96, TEXT_LEAST = 16 };

static const struct pane_spec catalogue_wish[] = {
	{.priority = 0, .band = 0, .column = 0, .min_w = 20, .min_h = 5, .weight_w = 3, .weight_h = 3},
};

static bool
catalogue_fit(const struct state *s, struct rect body, struct pane_spec *wish)
{
	(void)body, (void)wish;
	return s->view.events.all;
}

static void
catalogue_title(const struct state *s, struct str *title, struct str *info)
{
	const struct catalogue *c = s->view.events.catalogue;
	const char *words = state_catalogue_words(s);
	size_t n;

	str_add(title, "All events");
	if (!c || catalogue_fd(c) >= 0)
		str_add(info, "loading");
	else if (words && state_catalogue_rows(s, &n))
		str_addf(info, "%zu of %zu · find: %s", n, c->table.n, words);
	else
		str_addf(info, "%zu", c->table.n);
	if (s->view.events.n_added)
		str_addf(info, *fitting_short(s->view.events.fitting) ? " · next run: +%zu, %s" : " · next run: +%zu",
			s->view.events.n_added, fitting_short(s->view.events.fitting));
}

/* --- the tree ---------------------------------------------------------------------------------------------------- */

enum { MARK, NAME, VERDICT, CODE, TEXT, COLUMNS };

static const struct column catalogue_columns[COLUMNS] = {
	[MARK] = {.gap = 1, .width = 2},
	[NAME] = {.head = "event", .width = NAME_W, .name = "event", .stays = true},
	[VERDICT] = {.head = "verdict", .gap = 1, .width = 12, .room = 66, .name = "verdict"},
	[CODE] = {.head = "code", .gap = 1, .width = 26, .room = CODE_FROM, .name = "code"},
	[TEXT] = {.head = "description", .gap = 1, .width = TEXT_LEAST, .rest = true, .name = "description"},
};

/* What a book says of the event on this machine; NULL: nothing. */
static const struct trust_entry *
catalogue_entry(const struct state *s, const struct event_row *row)
{
	const struct trust_known *known = s->data.known;
	const struct trust_page *page = !known ? NULL : known->given ? known->given : known->here;

	return page ? trust_page_entry(page, row->name) : NULL;
}

static void
catalogue_draw_group(struct list_row *list_row, const struct catalogue_node *node, size_t at)
{
	const struct state *s = list_row->list->state;
	struct pen p = list_row->pen;
	char number[NUMBER_TEXT];
	struct rect cell;

	list_row->action = ACTION_fold_node;
	if (!list_cell(list_row, NAME, ROLE_TEXT, &cell))
		return;
	p.attr = node->depth == 0 || list_row->here ? CELL_BOLD : 0;
	cell.x += pen_text(&p, cell.x + (int)node->depth, cell.y, s->view.events.folded[at] ? "▸ " : "▾ ") +
		(int)node->depth;
	cell.x += pen_text(&p, cell.x, cell.y, node->name) + 2;
	p.attr = 0;
	p.fg = ROLE_DIM;
	pen_text(&p, cell.x, cell.y, number_exact(number, (long long)node->events, false, false));
}

static void
catalogue_draw_row(struct list_row *list_row)
{
	const struct state *s = list_row->list->state;
	const struct catalogue *c = s->view.events.catalogue;
	const struct catalogue_node *node = &c->node[list_row->item];
	bool flat = state_catalogue_words(s) != NULL;
	const struct health_entry *health;
	const struct trust_entry *entry;
	const struct event_row *row;
	struct rect cell;
	struct line l;

	if (node->row == CATALOGUE_GROUP) {
		catalogue_draw_group(list_row, node, list_row->item);
		return;
	}
	row = &c->table.row[node->row];
	entry = catalogue_entry(s, row);
	l = list_line(list_row, MARK);
	if (state_event_is_added(s, row))
		line_add(&l, ROLE_ACCENT, CELL_BOLD, "+");
	else if (entry)
		line_add(&l, trust_role(entry->verdict), 0, "%s", trust_mark(entry->verdict));
	list_row->pen.attr = list_row->here ? CELL_BOLD : 0;
	if (list_cell(list_row, NAME, row->deprecated ? ROLE_DIM : ROLE_TEXT, &cell)) {
		int in = flat ? 0 : 4;

		pen_fit(&list_row->pen, cell.x + in, cell.y, cell.w - in, row->name);
	}
	list_row->pen.attr = 0;
	health = catalogue_health(c, row);
	if (health && health->health >= HEALTH_ZERO) /* whatever books say of it */
		list_text(list_row, VERDICT, health->health == HEALTH_ZERO ? ROLE_BORDERLINE : ROLE_INFEASIBLE,
			health_word(health->health));
	else if (entry)
		list_text(list_row, VERDICT, trust_role(entry->verdict), trust_verdict_brief(entry->verdict));
	else if (health)
		list_text(list_row, VERDICT, ROLE_DIM, health_word(health->health));
	list_text(list_row, CODE, ROLE_DIM, row->code);
	list_text(list_row, TEXT, ROLE_DIM, row->text);
}

static void
catalogue_draw_nothing(const struct state *s, struct page *p)
{
	const struct catalogue *c = s->view.events.catalogue;

	if (c && catalogue_fd(c) >= 0) {
		page_words(p, ROLE_DIM, "The events of this machine are being listed. The first time, perf is asked.");
	} else if (state_catalogue_words(s)) {
		page_words(p, ROLE_DIM, "No event has these letters in its name or these words in its description.");
	} else {
		page_words(p, ROLE_TEXT, c && c->failed ? c->failed : "No source knows an event of this machine.");
		page_blank(p);
		page_words(p, ROLE_DIM, "hecate events says which sources there are.");
	}
}

/* The widest name that is shown decides, up to half of the list. */
static int
catalogue_name_width(const struct state *s, const size_t *order, size_t n, size_t first, int rows, int w)
{
	const struct catalogue *c = s->view.events.catalogue;
	int widest = NAME_W;

	for (size_t i = first; i < n && i < first + (size_t)rows; i++) {
		int width = (int)strlen(c->node[order[i]].name) + 4;

		widest = width > widest ? width : widest;
	}
	return widest < w / 2 ? widest : w / 2 > NAME_W ? w / 2 : w - 6 < NAME_W ? w - 6 : NAME_W;
}

static void
catalogue_draw_list(const struct state *state, struct grid *grid, struct rect r, bool focus, struct drawn *drawn)
{
	struct column column[COLUMNS];
	size_t n, cursor = (size_t)state->view.cursor[PANE_CATALOGUE];
	const size_t *order = state_catalogue_rows(state, &n);
	struct list l = {.state = state, .column = column, .n_columns = COLUMNS, .order = order, .n = n, .room = r.w,
		.cursor = cursor < n ? cursor : n - 1, .draw = catalogue_draw_row, .pane = PANE_CATALOGUE,
		.action = ACTION_event};

	if (n == 0) {
		catalogue_draw_nothing(state, &(struct page){.s = state, .g = grid, .r = r});
		return;
	}
	memcpy(column, catalogue_columns, sizeof column);
	column[NAME].width = catalogue_name_width(state, order, n, l.cursor > (size_t)r.h ? l.cursor - (size_t)r.h : 0,
		2 * r.h, r.w);
	list_draw(&l, grid, r, focus, drawn);
}

/* --- one event --------------------------------------------------------------------------------------------------- */

void
catalogue_group_page(struct page *page, const struct catalogue_node *group)
{
	const struct catalogue *c = page->s->view.events.catalogue;
	char number[NUMBER_TEXT];

	page_words(page, ROLE_DIM, "Enter shows or hides the events below; / finds one by letters or words.");
	page_blank(page);
	for (const struct catalogue_node *node = group + 1; node <= group + group->below; node++) {
		struct line l;

		if (node->depth != group->depth + 1)
			continue;
		l = page_line(page);
		if (node->row == CATALOGUE_GROUP) {
			line_add(&l, ROLE_TEXT, 0, "%s ", node->name);
			line_add(&l, ROLE_DIM, 0, "%s", number_exact(number, (long long)node->events, false, false));
		} else {
			line_add(&l, ROLE_TEXT, 0, "%s ", node->name);
			line_add(&l, ROLE_DIM, 0, "%s", c->table.row[node->row].text);
		}
	}
}

static void
catalogue_line(struct page *p, const char *what, const char *text)
{
	struct line l;

	if (!*text)
		return;
	l = page_line(p);
	line_add(&l, ROLE_DIM, 0, "%s", what);
	page_hanging(p, 14, ROLE_TEXT, text);
}

/* Other rows of the same name: another source, or another PMU. */
static void
catalogue_others(struct page *p, const struct catalogue *c, const struct event_row *row)
{
	for (size_t i = 0; i < c->table.n; i++) {
		const struct event_row *other = &c->table.row[i];
		struct str text = {0};

		if (other == row || strcasecmp(other->name, row->name) != 0)
			continue;
		str_addf(&text, "%s: %s/%s/", event_source_name(other->source), other->pmu, other->code);
		if (str_eq(other->pmu, row->pmu) && *other->code && *row->code && !str_eq(other->code, row->code))
			str_add(&text, "; the codes differ");
		catalogue_line(p, "also", str_text(&text));
		str_free(&text);
	}
}

void
catalogue_page(struct page *p, const struct event_row *row)
{
	const struct catalogue *c = p->s->view.events.catalogue;
	const struct health_entry *health = catalogue_health(c, row);
	const struct trust_entry *entry = catalogue_entry(p->s, row);
	struct str text = {0};

	page_words(p, ROLE_TEXT, *row->text ? row->text : "Its source describes it by its name alone.");
	page_blank(p);
	catalogue_event(row, &text);
	catalogue_line(p, "opened as", str_text(&text));
	str_clear(&text);
	event_sources_list(row, &text);
	str_add(&text, row->deprecated ? "; deprecated" : "");
	catalogue_line(p, "source", str_text(&text));
	catalogue_line(p, "topic", row->topic);
	str_clear(&text);
	if (*row->unit)
		str_addf(&text, "%s, %g a count", row->unit, row->scale);
	catalogue_line(p, "unit", str_text(&text));
	str_clear(&text);
	str_add(&text, row->counters);
	if (row->taken_alone)
		str_addf(&text, "%salone in its set", text.n ? "; " : "");
	catalogue_line(p, "counters", str_text(&text));
	catalogue_line(p, "errata", row->errata);
	str_clear(&text);
	catalogue_same_code(c, row, &text);
	catalogue_line(p, "same code", str_text(&text));
	str_clear(&text);
	if (health)
		health_write_entry(health, &text);
	catalogue_line(p, "here", str_text(&text));
	str_free(&text);
	catalogue_others(p, c, row);
	if (state_event_is_added(p->s, row)) {
		catalogue_line(p, "next run", "counts it; Space takes it back");
		catalogue_line(p, "fit of all", fitting_line(p->s->view.events.fitting));
	}
	if (entry) {
		page_blank(p);
		page_head(p, "What books say of it", "");
		page_entry(p, entry);
	}
}

const struct pane_draw pane_draw_catalogue = {.title = catalogue_title, .draw = catalogue_draw_list,
	PANE_WISHES(catalogue_wish), .fit = catalogue_fit, PANE_COLUMNS(catalogue_columns)};
