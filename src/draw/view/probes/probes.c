/* View 9, Probes: the list of probes with what each one found, its curve, and what the curve means. */
#include "draw/view/probes/probes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/curve/knee.h"
#include "draw/view/view_list.h"
#include "explorer/state/state_probes.h"
#include "work/run/probe_run.h"

enum { FOUND_W = 9, KNOWN_W = 11, TRUST_W = 10, NAME_LEAST = 12, BAR_W = 10, KIB = 1024 };

static const struct pane_spec probes_wish[] = {
	{.priority = 0, .band = 0, .column = 0, .min_w = 50, .max_w = 52, .min_h = 5, .weight_w = 2, .weight_h = 1,
		.from_w = 110},
	{.priority = 0, .band = 0, .column = 0, .min_w = 31, .max_w = 32, .min_h = 5, .weight_w = 2, .weight_h = 1,
		.from_w = 60, .below_w = 110},
	{.priority = 0, .band = 0, .column = 0, .min_w = 20, .min_h = 5, .weight_w = 1, .weight_h = 1, .below_w = 60},
};
static const struct pane_spec curve_wish[] = {
	{.priority = 1, .band = 0, .column = 1, .min_w = 28, .min_h = 5, .weight_w = 5, .weight_h = 3, .from_w = 60},
	{.priority = 1, .band = 1, .column = 0, .min_w = 28, .min_h = 8, .weight_w = 1, .weight_h = 1, .from_h = 16,
		.below_w = 60},
};
static const struct pane_spec meaning_wish[] = {
	{.priority = 2, .band = 0, .column = 1, .min_w = 28, .min_h = 14, .max_h = 20, .weight_w = 5, .weight_h = 2,
		.from_w = 60, .from_h = 34},
	{.priority = 2, .band = 0, .column = 1, .min_w = 28, .min_h = 7, .max_h = 8, .weight_w = 5, .weight_h = 1,
		.from_w = 60, .from_h = 17, .below_h = 34},
};

/* --- words ------------------------------------------------------------------------------------------------------- */

const char *
probe_mark(enum probe_trust t)
{
	static const char *const mark[] = {[PROBE_NOT_RUN] = "·", [PROBE_CUT] = "…", [PROBE_SHARP] = "✓",
		[PROBE_SOFT] = "≈", [PROBE_AT_LEAST] = "≥", [PROBE_WANDERS] = "?", [PROBE_SILENT] = "∅"};

	static_assert(sizeof mark / sizeof *mark == PROBE_TRUSTS, "a mark for each");
	return mark[t];
}

enum role
probe_role(enum probe_trust t)
{
	static const enum role role[] = {[PROBE_NOT_RUN] = ROLE_DIM, [PROBE_CUT] = ROLE_DIM,
		[PROBE_SHARP] = ROLE_FEASIBLE, [PROBE_SOFT] = ROLE_BORDERLINE, [PROBE_AT_LEAST] = ROLE_BORDERLINE,
		[PROBE_WANDERS] = ROLE_UNDECIDED, [PROBE_SILENT] = ROLE_UNDECIDED};

	static_assert(sizeof role / sizeof *role == PROBE_TRUSTS, "a role for each");
	return role[t];
}

static char *
bytes_text(char out[PROBE_TEXT], double v)
{
	static const char *const unit[] = {"B", "KiB", "MiB", "GiB"};
	size_t i = 0;

	for (; i + 1 < sizeof unit / sizeof *unit && fabs(v) >= KIB; i++)
		v /= KIB;
	snprintf(out, PROBE_TEXT, fabs(v - round(v)) < 0.05 ? "%.0f %s" : "%.1f %s", v, unit[i]);
	return out;
}

char *
probe_value_text(char out[PROBE_TEXT], const struct probe *probe, double v)
{
	char number[NUMBER_TEXT];
	const char *unit = probe ? probe->unit : "";

	if (str_eq(unit, "bytes"))
		return bytes_text(out, v);
	if (str_eq(unit, "entries") || str_eq(unit, "branches") || str_eq(unit, "banks"))
		snprintf(out, PROBE_TEXT, "%s", number_digits(number, round(v), 5, false));
	else
		snprintf(out, PROBE_TEXT, "%s%s", number_digits(number, v, 3, false),
			str_eq(unit, "cycles") ? " cyc" : "");
	return out;
}

char *
probe_found_text(char out[PROBE_TEXT], const struct probe *p, const struct probe_answer *a)
{
	char value[PROBE_TEXT];

	snprintf(out, PROBE_TEXT, "%s%.34s", probe_answer_at_least(a) ? "≥ " : "",
		probe_value_text(value, p, a->value));
	return out;
}

char *
probe_known_text(char out[PROBE_TEXT], const struct probe_entry *entry)
{
	char low[PROBE_TEXT], high[PROBE_TEXT];
	size_t number;

	probe_value_text(low, entry->probe, entry->known.low);
	probe_value_text(high, entry->probe, entry->known.high);
	number = strcspn(low, " ");
	if (str_eq(low, high))
		snprintf(out, PROBE_TEXT, "%s", high);
	else if (str_eq(low + number, high + strcspn(high, " "))) /* "4..5 cyc" */
		snprintf(out, PROBE_TEXT, "%.*s..%.18s", (int)number, low, high);
	else
		snprintf(out, PROBE_TEXT, "%.18s..%.18s", low, high);
	return out;
}

char *
probe_x_text(char out[PROBE_TEXT], const struct probe *p, double x)
{
	char number[NUMBER_TEXT];

	if (p && p->footprint)
		return bytes_text(out, x);
	snprintf(out, PROBE_TEXT, "%s", number_full(number, x, false));
	return out;
}

const char *
probe_y_words(const struct probe *p)
{
	if (p && probe_is_pair(p))
		return p->value == PROBE_RATIO || p->value == PROBE_KNEE ? "times as long as the other"
									 : "cycles more than the other";
	return !p ? "" : p->of_code ? "cycles a line" : p->footprint ? "cycles a load" : "cycles a pass";
}

/* --- the list ---------------------------------------------------------------------------------------------------- */

/* A row of the list: an entry, or the head of a group, or a blank before it. */
struct listed {
	size_t entry;
	const char *head; /* NULL: the entry; "": blank */
};

static const char *
probes_group_of(const struct probe_entry *e)
{
	return e->probe && *e->probe->group ? e->probe->group : "others";
}

/* The rows of the list; the caller frees. Without `roomy` there are no blanks. *at: the row of the chosen entry. */
static struct listed *
probes_rows_of(const struct probe_book *book, size_t chosen, bool roomy, size_t *n, size_t *at)
{
	struct listed *row = mem_new_array(3 * book->n, sizeof *row);

	*n = *at = 0;
	for (size_t i = 0; i < book->n; i++) {
		bool first = i == 0 || !str_eq(probes_group_of(&book->entry[i]), probes_group_of(&book->entry[i - 1]));

		if (first && i && roomy)
			row[(*n)++] = (struct listed){.entry = i, .head = ""};
		if (first)
			row[(*n)++] = (struct listed){.entry = i, .head = probes_group_of(&book->entry[i])};
		if (i == chosen)
			*at = *n;
		row[(*n)++] = (struct listed){.entry = i};
	}
	return row;
}

enum { NAME, FOUND, KNOWN, TRUST, COLUMNS };

static const struct column probe_columns[COLUMNS] = {
	[NAME] = {.head = "probe", .gap = 1, .rest = true, .name = "probe", .stays = true},
	[FOUND] = {.head = "found", .width = FOUND_W, .right = true, .name = "found"},
	[KNOWN] = {.head = "known", .width = KNOWN_W, .room = NAME_LEAST + 8 + FOUND_W + KNOWN_W, .right = true,
		.name = "known"},
	[TRUST] = {.gap = 2, .width = 2, .name = "trust"},
};

static void
probes_fit_columns(struct list *list, int w)
{
	struct column *column = list->column;

	list->room = w;
	if (w >= NAME_LEAST + 2 + FOUND_W + KNOWN_W + TRUST_W) { /* for the words of trust */
		column[TRUST].head = "trust";
		column[TRUST].width = TRUST_W - 1;
	}
	if (w < column[KNOWN].room)
		column[TRUST].gap = 1;
	list_place(list, w);
}

/* The probe that is measured now, on the machine of the list. */
static bool
is_measured(const struct state *s, const char *name, struct probe_progress *now)
{
	*now = probe_run_progress(s->data.probing);
	return now->running && now->probe && str_eq(now->probe, name) && s->data.probes->machine &&
		str_eq(now->machine, s->data.probes->machine);
}

/* A range that is too long for the list is its upper end there. */
static char *
known_in_list(const struct pen *p, char out[PROBE_TEXT], const struct probe_entry *e)
{
	char high[PROBE_TEXT];

	if (pen_columns(p, probe_known_text(out, e)) < KNOWN_W)
		return out;
	snprintf(out, PROBE_TEXT, "≤ %.30s", probe_value_text(high, e->probe, e->known.high));
	return out;
}

static void
probes_draw_row(struct list_row *row)
{
	const struct state *state = row->list->state;
	const struct probe_entry *entry = &state->data.probes->entry[row->item];
	const struct probe_measured *measured = probe_book_curve(
		state->data.probes, state->data.probes->machine, entry->name);
	enum probe_trust trust = measured ? measured->trust : PROBE_NOT_RUN;
	bool found = measured && measured->answer.found;
	struct probe_progress now;
	char text[PROBE_TEXT];
	struct rect at;

	list_cell(row, NAME, ROLE_TEXT, &at);
	row->pen.attr = row->here ? CELL_BOLD : 0;
	pen_fit(&row->pen, at.x + 1, at.y, at.w - 1, entry->name);
	row->pen.attr = 0;
	if (is_measured(state, entry->name, &now)) {
		snprintf(text, sizeof text, "%zu %%", now.all_points ? 100 * now.points / now.all_points : 0);
		list_text(row, FOUND, ROLE_ACCENT, text);
		list_text(row, TRUST, ROLE_ACCENT,
			glyph_spinner(state->view.frame.motion ? (unsigned)(state->view.frame.now * 10) : 0,
				row->pen.grid->ascii));
		return;
	}
	list_text(row, FOUND, found ? ROLE_TEXT : ROLE_DIM,
		found ? probe_found_text(text, entry->probe, &measured->answer) : entry->fault ? "wrong" : "·");
	if (!isnan(entry->known.low))
		list_text(row, KNOWN, ROLE_DIM, known_in_list(&row->pen, text, entry));
	if (!list_cell(row, TRUST, probe_role(trust), &at))
		return;
	at.x += pen_text(&row->pen, at.x, at.y, probe_mark(trust));
	if (row->list->column[TRUST].head && trust != PROBE_SHARP && trust != PROBE_NOT_RUN)
		pen_text(&row->pen, at.x + 1, at.y, probe_trust_name(trust));
}

static void
probes_draw_list(const struct state *state, struct grid *grid, struct rect r, bool focus, struct drawn *drawn)
{
	const struct probe_book *book = state->data.probes;
	struct column column[COLUMNS];
	struct list l = {.state = state, .column = column, .n_columns = COLUMNS, .draw = probes_draw_row,
		.pane = PANE_PROBES};
	size_t n, at;
	struct listed *row;
	int first;

	if (!book || book->n == 0) {
		page_words(&(struct page){.s = state, .g = grid, .r = r}, ROLE_DIM,
			book ? "No probe is installed. hecate doctor says where files are looked for." : "");
		return;
	}
	row = probes_rows_of(book, state->view.probes.chosen, false, &n, &at);
	if ((int)n + 8 < r.h) {
		free(row);
		row = probes_rows_of(book, state->view.probes.chosen, true, &n, &at);
	}
	memcpy(column, probe_columns, sizeof column);
	probes_fit_columns(&l, r.w);
	list_heads(&l, grid, r);
	r.y++;
	r.h--;
	first = list_scroll(0, (int)at, (int)n, r.h);
	for (int k = 0; k < r.h && first + k < (int)n; k++) {
		const struct listed *shown = &row[first + k];
		struct rect line = {r.x, r.y + k, r.w, 1};
		bool here = (size_t)(first + k) == at;

		if (shown->head)
			pen_fit(&(struct pen){.grid = grid, .clip = line, .fg = ROLE_DIM}, r.x + 1, line.y, r.w - 1,
				shown->head);
		else
			list_row(&l, grid, line, shown->entry, here);
		if (here)
			draw_cursor(grid, line, focus);
		if (!shown->head)
			hit_add(drawn, line, HIT_ROW, PANE_PROBES, (int)shown->entry, ACTION_probe_run);
	}
	free(row);
}

static void
probes_title_list(const struct state *s, struct str *title, struct str *info)
{
	str_add(title, "Probes");
	if (s->data.probes && s->data.probes->machine)
		str_addf(info, "on %s", s->data.probes->machine);
}

/* --- header and status ------------------------------------------------------------------------------------------- */

static void
probes_draw_header(const struct state *state, struct grid *grid)
{
	const struct probe_book *b = state->data.probes;
	struct pen right = pen_on(grid, (struct rect){0, 0, grid->w, 1}, ROLE_TEXT);
	struct line l = line_on(grid, right.clip, 0);
	char *done = str_format("%zu of %zu done", b ? probe_book_done(b, b->machine) : 0,
		b ? probe_book_count(b, b->machine) : 0);

	pen_right(&right, grid->w - 1, 0, done);
	l.end = grid->w - 2 - pen_columns(&right, done);
	free(done);
	if (grid->w >= 60) {
		line_add(&l, ROLE_ACCENT, 0, "hecate");
		line_gap(&l, 2);
	}
	line_add(&l, ROLE_TEXT, CELL_BOLD, "probes");
	line_gap(&l, 2);
	if (b && b->machine)
		line_add(&l, ROLE_TEXT, 0, "%s", str_eq(b->machine, "native") ? "this machine" : b->machine);
	if (b && b->other && state->view.probes.beside &&
		l.x + (int)strlen(" beside ") + pen_columns(&l.pen, b->other) <= l.end)
		line_add(&l, ROLE_DIM, 0, " beside %s", b->other);
}

static bool
probes_sentence(const struct state *state, struct line *line)
{
	struct probe_progress now = probe_run_progress(state->data.probing);
	const struct probe_entry *entry = state_probe(state);
	const struct probe_measured *measured = state_probe_curve(state, false);
	char value[PROBE_TEXT];

	if (now.running) {
		double share = now.all_points ? (double)now.points / (double)now.all_points : 0;

		line->pen.fg = ROLE_ACCENT;
		line->pen.attr = 0;
		draw_bar(&line->pen, line->x, line->y, BAR_W, ((double)now.done + share) / (double)now.of);
		line_gap(line, BAR_W + 1);
		line_add(line, ROLE_TEXT, 0, "%s", now.probe ? now.probe : "");
		line_add(line, ROLE_DIM, 0, " · %s · %zu of %zu points", now.machine, now.points, now.all_points);
		if (now.of > 1)
			line_add(line, ROLE_DIM, 0, " · probe %zu of %zu", now.done + 1, now.of);
		return true;
	}
	if (!entry)
		return false;
	line_add(line, ROLE_TEXT, CELL_BOLD, "%s", entry->name);
	if (measured && measured->answer.found)
		line_add(line, ROLE_TEXT, 0, ": %s", probe_found_text(value, entry->probe, &measured->answer));
	if (entry->probe)
		line_add(line, ROLE_DIM, 0, "%s%s", measured && measured->answer.found ? ", " : ": ",
			entry->probe->text);
	return true;
}

static void
probes_draw_tiny(const struct state *state, struct grid *grid)
{
	const struct probe_entry *entry = state_probe(state);
	const struct probe_measured *measured = state_probe_curve(state, false);
	struct rect screen = {-1, 0, grid->w + 1, grid->h};
	struct line l = line_on(grid, screen, 0);
	char value[PROBE_TEXT];

	if (grid->w >= 20 && grid->h >= 3 && entry) {
		line_add(&l, ROLE_TEXT, CELL_BOLD, "%s", entry->name);
		l = line_on(grid, screen, 1);
	}
	line_add(&l, probe_role(measured ? measured->trust : PROBE_NOT_RUN), CELL_BOLD, "%s ",
		probe_mark(measured ? measured->trust : PROBE_NOT_RUN));
	line_add(&l, ROLE_TEXT, CELL_BOLD, "%s",
		measured && measured->answer.found ? probe_value_text(value, entry->probe, measured->answer.value)
				     : probe_trust_name(measured ? measured->trust : PROBE_NOT_RUN));
	if (grid->w >= 20 && grid->h > 3) {
		l = line_on(grid, screen, grid->h - 1);
		line_add(&l, ROLE_DIM, 0, "? help  q quit  40x10 shows more");
	}
}

const struct pane_draw pane_draw_probes = {
	.title = probes_title_list, .draw = probes_draw_list, PANE_WISHES(probes_wish),
	PANE_COLUMNS(probe_columns)};
const struct pane_draw pane_draw_curve = {.title = title_curve, .draw = draw_curve, PANE_WISHES(curve_wish)};
const struct pane_draw pane_draw_meaning = {.title = title_meaning, .draw = draw_meaning, PANE_WISHES(meaning_wish)};
const struct view_draw view_draw_probes = {
	.header = probes_draw_header, .tiny = probes_draw_tiny, .sentence = probes_sentence};
