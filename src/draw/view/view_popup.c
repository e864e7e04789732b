/* What lies over a view: doctor, the command's output, a witness, notes, prompts; help and the others have files of
 * their own. */
#include "draw/view/view_constraint.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/run/live.h"
#include "app/timeline/timeline_names.h"
#include "base/str.h"
#include "base/utf8.h"
#include "core/obs/obs.h"
#include "core/udd/model.h"
#include "draw/view/view_relation.h"

void
accent_counters(struct grid *g, struct rect r)
{
	enum { OUTSIDE, BEFORE_NAME, IN_NAME } at = OUTSIDE;
	uint32_t sign;

	utf8_decode(glyph_text(GLYPH_COUNTER, g->ascii), 4, &sign);
	r = rect_cut(r, (struct rect){0, 0, g->w, g->h});
	for (int y = r.y; y < r.y + r.h; y++) {
		uint32_t before = ' ';

		at = at == IN_NAME ? OUTSIDE : at;
		for (int x = r.x; x < r.x + r.w; x++) {
			struct cell *c = grid_at(g, x, y), *after = grid_at(g, x + 1, y);

			if (c->cp == sign && before == ' ' && (!after || after->cp == ' '))
				at = BEFORE_NAME;
			else if (at == BEFORE_NAME && before == ' ' && c->cp != ' ')
				at = IN_NAME;
			else if (at == IN_NAME && c->cp == ' ')
				at = OUTSIDE;
			if (at != OUTSIDE && c->cp != ' ' && c->fg == ROLE_TEXT)
				c->fg = ROLE_ACCENT;
			before = c->cp;
		}
	}
}

int
draw_text(struct grid *g, struct rect r, const char *text, int first)
{
	char **line = str_split(text, '\n', NULL);
	int n = 0, row = 0, i;

	while (line[n])
		n++;
	if (n && !*line[n - 1])
		n--;
	if (first > n - 1)
		first = n > 0 ? n - 1 : 0;
	for (i = first; row < r.h && i < n; i++) {
		struct pen p = pen_on(g, (struct rect){r.x, r.y + row, r.w, r.h - row}, ROLE_TEXT);

		/* Only what is too long is broken, so that carets stay under what they point at. */
		if (pen_columns(&p, line[i]) > r.w - 2) {
			row += draw_wrapped(&p, r.x + 1, r.y + row, r.w - 2, line[i]);
		} else {
			pen_text(&p, r.x + 1, r.y + row, line[i]);
			row++;
		}
	}
	str_split_free(line);
	return first + 1 + n - i; /* so that the last line can come to the bottom */
}

static int
draw_output(const struct state *s, struct grid *g, struct rect screen)
{
	char *info = str_format("%zu bytes%s", s->data.output_total,
		s->data.output_total > s->data.output.n ? ", the last of them" : "");
	struct rect in = draw_popup(g, screen, screen.w - 8, screen.h - 6,
		s->question.subject.spec && !s->question.subject.argv ? "Output of the programs"
								      : "Output of the command",
		info);
	struct str text = {0};
	int rows;

	if (s->data.timeline && s->data.run_notes.n) /* a model's pane of reasons has them */
		str_addf(&text, "%s\n", str_text(&s->data.run_notes));
	str_add(&text,
		s->data.output.n                   ? str_text(&s->data.output)
			: s->question.subject.spec && !s->question.subject.argv ? "They have printed nothing here."
					      : "It has printed nothing.");
	rows = draw_text(g, in, str_text(&text), s->view.popup.cursor);
	str_free(&text);
	free(info);
	return rows;
}

static void
draw_variants(const struct state *s, struct grid *g, struct rect screen, struct drawn *d)
{
	int n = (int)s->question.model->n_variants;
	struct rect in = draw_popup(g, screen, 60, n + 4, "Variants", "Enter chooses");
	int first = list_scroll(0, s->view.popup.cursor, n, in.h);

	for (int i = 0; i < in.h && first + i < n; i++) {
		const struct udd_variant *v = &s->question.model->variant[first + i];
		struct rect row = {in.x, in.y + i, in.w, 1};
		struct line l = line_on(g, in, i);

		line_add(&l, ROLE_TEXT, 0, "%s", v->name);
		line_to(&l, 14);
		for (size_t k = 0; k < s->question.model->n_features; k++)
			if (fset_has(&v->on, k))
				line_add(&l, ROLE_DIM, 0, "+%s ", s->question.model->feature[k].name);
		if (first + i == s->view.popup.cursor)
			draw_cursor(g, row, true);
		hit_add(d, row, HIT_ROW, -1, first + i, ACTION_none);
	}
}

/* What a note is on, in about so many columns: "gcc-28", "early_psc, merging". The caller frees. */
static char *
note_subject(const struct state *s, enum remark_on on, const char *what, const struct pen *pen, int columns)
{
	struct str text = {0};
	char *relation, *shown;

	switch (on) {
	case REMARK_SESSION:
		str_add(&text, "the session");
		break;
	case REMARK_FEATURES:
		str_addf(&text, "%s: ", s->question.model ? s->question.model->name : "model");
		features_words(what, &text);
		break;
	case REMARK_MODULE:
		str_addf(&text, "module %s", what);
		break;
	case REMARK_SNAPSHOT:
		timeline_snapshot_words(what, &text);
		break;
	case REMARK_CONSTRAINT:
		relation = relation_text(what);
		shown = relation_fit(pen, columns, relation);
		str_add(&text, shown);
		free(shown);
		free(relation);
		break;
	case REMARK_OBSERVATION:
	case REMARK_KINDS:
		str_add(&text, what);
		break;
	}
	return str_take(&text);
}

static char *
note_title(const struct state *s, struct grid *g, int columns)
{
	struct pen pen = {.grid = g};
	char *subject = note_subject(s, s->view.prompt.noting,
		     s->view.prompt.noting_what ? s->view.prompt.noting_what : "", &pen, columns - 14),
	     *title = str_format("Note on %s", subject);

	free(subject);
	return title;
}

/* Two rows each: what it is on, and the note. */
static void
draw_notes(const struct state *s, struct grid *g, struct rect screen, struct drawn *d)
{
	int n = (int)s->question.remarks.n, room, first;
	struct rect in = draw_popup(
		g, screen, screen.w > 120 ? 110 : screen.w - 8, 2 * n + 4, "Notes", "Enter changes  d deletes");

	room = in.h / 2 > 0 ? in.h / 2 : 1;
	first = list_scroll(0, s->view.popup.cursor, n, room);
	for (int i = 0; i < room && first + i < n; i++) {
		const struct remark *r = &s->question.remarks.remark[first + i];
		struct rect row = {in.x, in.y + 2 * i, in.w, 2};
		struct line l = line_on(g, in, 2 * i);
		char *subject = note_subject(s, r->on, r->what, &l.pen, in.w - 24);

		line_add(&l, ROLE_DIM, 0, "%s ", remark_on_name(r->on));
		line_add(&l, ROLE_ACCENT, 0, "%s", subject);
		line_add(&l, ROLE_DIM, 0, "  %s", r->written);
		free(subject);
		if (2 * i + 1 < in.h) {
			l = line_on(g, in, 2 * i + 1);
			line_gap(&l, 1);
			line_add(&l, ROLE_TEXT, 0, "%s", r->text);
		}
		if (first + i == s->view.popup.cursor)
			draw_cursor(g, (struct rect){row.x, row.y, row.w, 1}, true);
		hit_add(d, row, HIT_ROW, -1, first + i, ACTION_none);
	}
}

static void
draw_write(const struct state *s, struct grid *g, struct rect screen, struct drawn *d)
{
	static const char *const line[WRITE_ITEMS][3] = {
		{"s", "screen", "what is on it now, as text and SVG"},
		{"r", "report", "verdicts, search and notes as Markdown with SVG pictures"},
		{"f", "session", "data, model, notes and all that was found, in a new file"},
	};
	struct rect in = draw_popup(g, screen, 78, WRITE_ITEMS + 5, "Write", "Enter or its letter");

	for (int i = 0; i < WRITE_ITEMS && i < in.h; i++) {
		struct rect row = {in.x, in.y + i, in.w, 1};
		struct line l = line_on(g, in, i);

		line_add(&l, ROLE_ACCENT, CELL_BOLD, "%s", line[i][0]);
		line_gap(&l, 2);
		line_add(&l, ROLE_TEXT, 0, "%s", line[i][1]);
		line_to(&l, 14);
		line_add(&l, ROLE_DIM, 0, "%s", line[i][2]);
		if (i == s->view.popup.cursor)
			draw_cursor(g, row, true);
		hit_add(d, row, HIT_ROW, -1, i, ACTION_none);
	}
	if (WRITE_ITEMS < in.h) {
		struct line l = line_on(g, in, WRITE_ITEMS);

		if (s->data.saved.in)
			line_add(&l, ROLE_DIM, 0, "this session is kept in %s", s->data.saved.in);
		else
			line_add(&l, ROLE_DIM, 0, "%s", "this session is in no file yet");
	}
}

static void
draw_prompt(const struct state *s, struct grid *g, struct rect screen)
{
	static const char *const titles[] = {
		"Run a command under this model", "Open a file, or an installed name", "Find",
		"Show only rows that hold", "", "Keep the session in a new file"
	};
	int columns = screen.w > 100 ? 92 : screen.w - 8;
	char *about = s->view.prompt.kind == PROMPT_NOTE ? note_title(s, g, columns) : NULL;
	const char *title = about                          ? about
		: s->view.prompt.kind == PROMPT_COMMAND && !s->question.model ? "Run a command and count it"
							   : titles[s->view.prompt.kind];
	struct rect in = draw_popup(g, screen, columns, 6, title, NULL);
	struct pen p = pen_on(g, in, ROLE_TEXT);
	const char *text = str_text(&s->view.prompt.input);
	int room = in.w - 4, used;

	p.fg = ROLE_ACCENT;
	pen_text(&p, in.x + 1, in.y, ">");
	p.fg = ROLE_TEXT;
	used = pen_fit_head(&p, in.x + 3, in.y, room, text);
	p.attr = CELL_REVERSE;
	pen_text(&p, in.x + 3 + used, in.y, " ");
	p.attr = 0;
	p.fg = ROLE_DIM;
	if (s->view.prompt.kind == PROMPT_COMMAND && in.h > 1)
		pen_fit(&p, in.x + 1, in.y + 1, in.w - 2,
			"Split at blanks; quotes keep words together; there is no shell.");
	if (s->view.prompt.kind == PROMPT_NOTE && in.h > 1)
		pen_fit(&p, in.x + 1, in.y + 1, in.w - 2,
			"Enter writes it; an empty one is deleted. C-u empties the line.");
	if (s->view.prompt.kind == PROMPT_KEEP && in.h > 1)
		pen_fit(&p, in.x + 1, in.y + 1, in.w - 2,
			"Data, model, notes and all that was found; it is brought up to date while you go on.");
	free(about);
}

static void
draw_tracefs(struct grid *g, struct rect screen)
{
	struct rect in = draw_popup(g, screen, 72, 12, "Mount tracefs?", NULL);
	struct pen p = pen_on(g, in, ROLE_TEXT);
	int y = in.y;

	y += draw_wrapped(&p, in.x + 1, y, in.w - 2,
		"Most counters of this model are tracepoints, and tracefs, which names them, is not mounted. You may "
		"mount it:");
	p.attr = CELL_BOLD;
	pen_text(&p, in.x + 3, y, DOCTOR_MOUNT_COMMAND);
	p.attr = 0;
	p.clip.h -= 1;
	y += 2;
	p.clip = in;
	pen_text(&p, in.x + 1, y++, "Enter  mount it now, with this command");
	pen_text(&p, in.x + 1, y++, "Esc    go on with page-faults, minor-faults and major-faults");
	p.fg = ROLE_DIM;
	pen_text(&p, in.x + 1, y, "It stays mounted until the machine restarts. Asked once.");
}

void
draw_popups(const struct state *s, struct grid *g, struct rect screen, struct drawn *d)
{
	struct rect in;

	switch (s->view.popup.kind) {
	case POPUP_NONE:
		break;
	case POPUP_HELP:
		d->layout.popup_rows = draw_help(s, g, screen);
		break;
	case POPUP_DOCTOR:
		in = draw_popup(g, screen, 100, screen.h - 6, "Doctor", s->data.machine.machine);
		d->layout.popup_rows =
			scroll_rows(s->view.popup.cursor, doctor_lines(s, g, in, s->view.popup.cursor), in.h);
		break;
	case POPUP_OUTPUT:
		d->layout.popup_rows = draw_output(s, g, screen);
		break;
	case POPUP_WHENCE:
		d->layout.popup_rows = draw_whence(s, g, screen);
		break;
	case POPUP_VARIANT:
		draw_variants(s, g, screen, d);
		break;
	case POPUP_SIMULATED:
		draw_simulated(s, g, screen, d);
		break;
	case POPUP_NOTES:
		draw_notes(s, g, screen, d);
		break;
	case POPUP_WRITE:
		draw_write(s, g, screen, d);
		break;
	case POPUP_PROMPT:
		draw_prompt(s, g, screen);
		break;
	case POPUP_TRACEFS:
		draw_tracefs(g, screen);
		break;
	case POPUP_CONSTRAINT:
		d->layout.popup_rows = draw_constraint_popup(s, g, screen);
		break;
	case POPUP_CERTIFICATE:
		d->layout.popup_rows = draw_certificate_popup(s, g, screen);
		break;
	case POPUP_LOSS:
		draw_loss_popup(s, g, screen, d);
		break;
	case POPUP_OBSERVATION:
		d->layout.popup_rows = draw_observation_popup(s, g, screen);
		break;
	case POPUP_COMPARE:
		d->layout.popup_rows = draw_compare_popup(s, g, screen);
		break;
	case POPUP_NODE:
		d->layout.popup_rows = draw_node_popup(s, g, screen);
		break;
	case POPUP_BAR:
		d->layout.popup_rows = draw_bar_popup(s, g, screen);
		break;
	case POPUP_QUEUE:
		d->layout.popup_rows = draw_queue_popup(s, g, screen);
		break;
	case POPUP_WITNESS:
		in = draw_popup(g, screen, 90, screen.h - 6, s->view.popup.title, NULL);
		d->layout.popup_rows = draw_text(g, in, str_text(&s->view.popup.text), s->view.popup.cursor);
		accent_counters(g, in);
		break;
	case POPUP_TEXT:
		in = draw_popup(g, screen, 90, screen.h - 6, s->view.popup.title, NULL);
		d->layout.popup_rows = draw_text(g, in, str_text(&s->view.popup.text), s->view.popup.cursor);
		break;
	}
}
