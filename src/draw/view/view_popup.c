/* What lies over a view: help, doctor, the command's output, a witness, where numbers come from, prompts. */
#include "draw/view/view_constraint.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/live/live.h"
#include "app/profile/profile_names.h"
#include "base/str.h"
#include "base/utf8.h"
#include "core/obs/obs.h"
#include "core/udd/model.h"

enum { MODELS = 1 << VIEW_MODELS, CONSTRAINTS = 1 << VIEW_CONSTRAINTS, OBSERVATIONS = 1 << VIEW_OBSERVATIONS, STALLS = 1 << VIEW_STALLS, QUEUES = 1 << VIEW_QUEUES,
       JUDGING = MODELS | CONSTRAINTS | OBSERVATIONS | 1 << VIEW_GEOMETRY };

static const struct {
	const char *sign, *name, *means;
	int views; /* bit per view; 0: all */
} legend[] = {
	{"✓", "feasible", "some mix of µpaths gives these counts", JUDGING},
	{"✗", "infeasible", "no mix of µpaths does: the model is refuted", JUDGING},
	{"≈", "borderline", "too close to the cone's edge to tell", JUDGING},
	{"?", "undecided", "not enough data", JUDGING},
	{"[x]", "on", "[ ] off  [-] not to be had  [~] on its way", MODELS},
	{"■", "counter", "rises on this µpath, and is seen", JUDGING},
	{"○", "event", "happens, and no counter sees it", MODELS},
	{"◇", "decision", "a µop takes one of its cases", MODELS},
	{"●", "done", "the µpath ends", MODELS},
	{"▸", "folded", "Space or + opens it", JUDGING},
	{"▃█│▅", "slack", "each observation once: left of the line it breaks, right it keeps", CONSTRAINTS},
	{"├┼┤", "interval", "where the whole region lies; │ must not be crossed", CONSTRAINTS},
	{"worst", "or slack", "share of the size Σ|coef|·mean; exact totals: in counts", CONSTRAINTS},
	{"*", "marked", "view 2 counts only those, while there are some", OBSERVATIONS},
	{"d²", "distance", "of the cone in units of the noise; beyond the threshold: refuted", OBSERVATIONS},
	{"corr", "", "mean size of the correlations between the counters", OBSERVATIONS},
	{"▃▅█", "over time", "activity around its mean; of what is measured now: d²", OBSERVATIONS},
	{"u██", "part", "its key letter, then its fill", STALLS},
	{"R", "with parts", "drawn by the parts below it", STALLS},
	{"in 12", "compared", "the same in the snapshot that c chose", STALLS},
	{"≈", "does not", "fit: the lines below the table say why", STALLS},
	{"?", "not known", "a counter lacks; its line says which", STALLS},
	{"length", "", "requests there, on average", QUEUES},
	{"hot", "culprit", "the longest that somebody waits for", QUEUES},
	{"▂▄▆", "over time", "what does not move is half high", QUEUES},
	{"↑ 3×", "trend", "last third over first third; · none seen", QUEUES},
	{"0-7 ×8", "owners", "one line for all: the longest of them", QUEUES},
	{"λ W L", "formula", "arrivals, wait, length = λ × W", QUEUES},
	{"\"", "noted", "you wrote a note on it; L lists all", 0},
	{"dim", "off", "for the features that are on, or out of date", JUDGING},
	{"frees", "n", "observations that this feature alone makes feasible", MODELS},
	{"·", "", "not told; 0 is a measured zero", 0},
};

static int
help_scope(const struct session *s)
{
	return s->view == VIEW_START ? IN_START : 1 << s->shown;
}

/* One line of help; false when the row lies outside the room. */
static void
help_action(struct grid *g, struct rect r, int row, enum action a)
{
	const struct action_row *k = action_row(a);
	struct line l = line_on(g, r, row);

	if (row < 0 || row >= r.h)
		return;
	line_gap(&l, 1);
	line_add(&l, ROLE_ACCENT, CELL_BOLD, "%s", k->keys);
	line_to(&l, 12);
	line_add(&l, ROLE_TEXT, 0, "%s", k->help);
}

static int
help_keys(const struct session *s, struct grid *g, struct rect r, int row)
{
	int here = help_scope(s);

	for (int round = 0; round < 2; round++) {
		struct line l = line_on(g, r, row++);

		line_add(&l, ROLE_DIM, 0, "%s", round == 0 ? "here" : "everywhere");
		for (int a = 1; a < ACTION_COUNT; a++) {
			const struct action_row *k = action_row((enum action)a);
			bool general = k->scopes == IN_ANY || (k->scopes & (IN_START | IN_FEATURES)) == (IN_START | IN_FEATURES);

			if ((k->scopes & here) && general == (round == 1))
				help_action(g, r, row++, (enum action)a);
		}
	}
	return row;
}

static int
help_legend(const struct session *s, struct grid *g, struct rect r, int row)
{
	for (size_t i = 0; i < sizeof legend / sizeof *legend; i++) {
		struct line l;

		if (legend[i].views && !(legend[i].views & 1 << s->view))
			continue;
		l = line_on(g, r, row++);

		line_add(&l, ROLE_ACCENT, 0, "%s", legend[i].sign);
		line_to(&l, 7);
		line_add(&l, ROLE_TEXT, 0, "%s", legend[i].name);
		line_to(&l, 18);
		line_add(&l, ROLE_DIM, 0, "%s", legend[i].means);
	}
	return row;
}

static int
draw_help(const struct session *s, struct grid *g, struct rect screen)
{
	struct rect body = {0, 0, screen.w, screen.h - 1}, keys = body, in;
	bool both = body.w >= 100;
	static const char *const names[VIEW_COUNT] = {"Start", "1 Models", "2 Constraints", "3 Observations", "4 Geometry", "5 Paths", "6 Stalls", "7 Queues"};
	const char *where = names[s->view];
	char *title = str_format("Help · %s", where);
	int row = -s->popup_cursor;

	grid_clear(g);
	if (both)
		keys.w = body.w / 2;
	in = draw_title(g, keys, title, "keys", true);
	row = help_keys(s, g, in, row);
	if (both) {
		struct rect r = draw_title(g, (struct rect){keys.w, 0, body.w - keys.w, body.h}, "What is on this screen", "legend", false);

		int legend_end = help_legend(s, g, r, -s->popup_cursor);

		row = legend_end > row ? legend_end : row;
	} else {
		struct line l = line_on(g, in, row + 1);

		line_add(&l, ROLE_DIM, 0, "what is on this screen");
		row = help_legend(s, g, in, row + 2);
	}
	free(title);
	return scroll_rows(s->popup_cursor, row, in.h);
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
draw_output(const struct session *s, struct grid *g, struct rect screen)
{
	char *info = str_format("%zu bytes%s", s->output_total, s->output_total > s->output.n ? ", the last of them" : "");
	struct rect in = draw_popup(g, screen, screen.w - 8, screen.h - 6, s->spec && !s->argv ? "Output of the programs" : "Output of the command", info);
	struct str text = {0};
	int rows;

	if (s->run.data && s->run_notes.n) /* a model's pane of reasons has them */
		str_addf(&text, "%s\n", str_text(&s->run_notes));
	str_add(&text, s->output.n ? str_text(&s->output) : s->spec && !s->argv ? "They have printed nothing here." : "It has printed nothing.");
	rows = draw_text(g, in, str_text(&text), s->popup_cursor);
	str_free(&text);
	free(info);
	return rows;
}

/* A mean or total as it stands; "·" where there is none. */
static const char *
value_text(char out[NUMBER_TEXT], double v)
{
	if (!isfinite(v))
		return "·";
	if (v == rint(v) && fabs(v) < 9e15)
		return number_exact(out, llrint(v), false, true);
	snprintf(out, NUMBER_TEXT, "%.6g", v);
	return out;
}

static void
whence_counters(const struct session *s, const struct finding *f, struct str *out)
{
	const struct source_status *status = s->live ? live_status(s->live) : NULL;
	size_t name_width = 0, value_width = 0;
	char number[NUMBER_TEXT];

	for (size_t i = 0; i < s->model->n_counters; i++) {
		size_t w = utf8_width(s->model->counter[i].name), v = utf8_width(value_text(number, f->value[i]));

		name_width = w > name_width ? w : name_width;
		value_width = v > value_width ? v : value_width;
	}
	for (size_t i = 0; i < s->model->n_counters; i++) {
		const struct udd_counter *c = &s->model->counter[i];
		const char *value = value_text(number, f->value[i]);

		str_addf(out, "%s%*s  %s  ", c->name, (int)(name_width - utf8_width(c->name) + value_width - utf8_width(value)), "", value);
		if (f->dead[i])
			str_add(out, "dead: never live, in no verdict  ");
		for (size_t k = 0; k < c->n_events; k++) {
			str_addf(out, "%s%s", k ? " + " : "", c->event[k].name);
			if (c->event[k].filter)
				str_addf(out, " if %s", c->event[k].filter);
		}
		if (status && status[i].health == OBS_UNSUPPORTED)
			str_addf(out, "  not counted: %s", status[i].why);
		else if (status && status[i].user_only)
			str_add(out, "  (:u added)");
		str_addc(out, '\n');
	}
}

/* How the numbers of view 3 are made. */
static void
whence_region(const struct session *s, const struct finding *f, struct str *out)
{
	char number[NUMBER_TEXT];
	size_t n = 0;

	for (size_t i = 0; i < f->n_values; i++)
		n += isfinite(f->value[i]) != 0;
	if (f->exact) {
		str_add(out, "excess: the left side minus the right side of the worst constraint, in counts; exact, so anything but 0 refutes an equality\n\n");
		return;
	}
	if (!isfinite(f->measure.distance2))
		return;
	str_addf(out, "d² %.6g: squared distance of the mean from the cone, in units of its covariance\n", f->measure.distance2);
	if (f->peeked) {
		str_addf(out, "threshold %.6g: what a mean on the cone passes at no look, with %g %% confidence, however often one looks\n", f->measure.threshold2,
			 s->how.confidence * 100);
		str_addf(out, "p %s: of this look, and valid whenever one looks\n", number_p(number, f->measure.p));
	} else if (f->test.dimensions && s->how.decides == REGION_CONE) {
		str_addf(out, "threshold %.6g: %g %% quantile of Hotelling's T² in %zu of %zu dimensions: so many constraints meet where the cone is nearest\n",
			 f->measure.threshold2, s->how.confidence * 100, f->test.dimensions, n);
		str_addf(out, "p %s: chance of such a distance or more, were the mean on the cone%s\n", number_p(number, f->measure.p),
			 isnan(f->doubt) ? "" : ", with the noise in time that explains it best");
	} else {
		str_addf(out, "threshold %.6g: %g %% quantile of χ² with %zu degrees of freedom, one per counter\n", f->measure.threshold2, s->how.confidence * 100, n);
		str_addf(out, "p %s: chance of such a distance or more, were the mean on the cone\n", number_p(number, f->measure.p));
	}
	str_addf(out, "corr %.3f: mean size of the correlations between the means; closest pair %.4f\n", f->correlation_mean, f->correlation);
	str_add(out, "over time: each counter over its mean, averaged over the counters\n\n");
}

static int
draw_whence(const struct session *s, struct grid *g, struct rect screen)
{
	const struct finding *f = session_finding(s);
	struct rect in = draw_popup(g, screen, screen.w - 8, screen.h - 6, f ? f->name : "", "where the numbers come from");
	struct str text = {0};
	char *relation;
	int rows;

	if (!f)
		return 1;
	str_addf(&text, "%s\n%s, %zu sample%s, verdict %s\n\n", f->source, f->exact ? "exact totals" : "noisy samples", f->samples, f->samples == 1 ? "" : "s",
		 verdict_name(f->verdict));
	if (s->view == VIEW_CONSTRAINTS)
		whence_constraint(s, f, &text);
	else if (s->view == VIEW_OBSERVATIONS || s->view == VIEW_GEOMETRY)
		whence_region(s, f, &text);
	whence_counters(s, f, &text);
	for (size_t i = 0; i < f->n_violated; i++) {
		char *size = violation_size(f, &f->violated[i]);

		relation = relation_text(f->violated[i].text);
		str_addf(&text, "%sviolates  %s   %s\n", i ? "" : "\n", relation, size);
		free(relation);
		free(size);
	}
	if (f->n_certificates) {
		relation = relation_text(f->certificate->text);
		str_addf(&text, "\ncertificate  %s\nEvery signature of the model satisfies it and the whole region violates it; %s.\n", relation,
			 f->verified ? "checked in exact arithmetic, without the solvers" : "not checked");
		free(relation);
	}
	rows = draw_text(g, in, str_text(&text), s->popup_cursor);
	str_free(&text);
	return rows;
}

static void
draw_variants(const struct session *s, struct grid *g, struct rect screen, struct drawn *d)
{
	int n = (int)s->model->n_variants;
	struct rect in = draw_popup(g, screen, 60, n + 4, "Variants", "Enter chooses");
	int first = list_scroll(0, s->popup_cursor, n, in.h);

	for (int i = 0; i < in.h && first + i < n; i++) {
		const struct udd_variant *v = &s->model->variant[first + i];
		struct rect row = {in.x, in.y + i, in.w, 1};
		struct line l = line_on(g, in, i);

		line_add(&l, ROLE_TEXT, 0, "%s", v->name);
		line_to(&l, 14);
		for (size_t k = 0; k < s->model->n_features; k++)
			if (fset_has(&v->on, k))
				line_add(&l, ROLE_DIM, 0, "+%s ", s->model->feature[k].name);
		if (first + i == s->popup_cursor)
			draw_cursor(g, row, true);
		hit_add(d, row, HIT_ROW, -1, first + i, ACTION_none);
	}
}

/* What a note is on: "gcc-28", "early_psc, merging". The caller frees. */
static char *
note_subject(const struct session *s, enum remark_on on, const char *what)
{
	struct str text = {0};

	switch (on) {
	case REMARK_SESSION:
		str_add(&text, "the session");
		break;
	case REMARK_FEATURES:
		str_addf(&text, "%s: ", s->model ? s->model->name : "model");
		features_words(what, &text);
		break;
	case REMARK_MODULE:
		str_addf(&text, "module %s", what);
		break;
	case REMARK_SNAPSHOT:
		profile_moment_words(what, &text);
		break;
	case REMARK_OBSERVATION:
	case REMARK_CONSTRAINT:
	case REMARK_KINDS:
		str_add(&text, what);
		break;
	}
	return str_take(&text);
}

static char *
note_title(const struct session *s)
{
	char *subject = note_subject(s, s->noting, s->noting_what ? s->noting_what : ""), *title = str_format("Note on %s", subject);

	free(subject);
	return title;
}

/* Two rows each: what it is on, and the note. */
static void
draw_notes(const struct session *s, struct grid *g, struct rect screen, struct drawn *d)
{
	int n = (int)s->remarks.n, room, first;
	struct rect in = draw_popup(g, screen, screen.w > 120 ? 110 : screen.w - 8, 2 * n + 4, "Notes", "Enter changes  d deletes");

	room = in.h / 2 > 0 ? in.h / 2 : 1;
	first = list_scroll(0, s->popup_cursor, n, room);
	for (int i = 0; i < room && first + i < n; i++) {
		const struct remark *r = &s->remarks.remark[first + i];
		struct rect row = {in.x, in.y + 2 * i, in.w, 2};
		struct line l = line_on(g, in, 2 * i);
		char *subject = note_subject(s, r->on, r->what);

		line_add(&l, ROLE_DIM, 0, "%s ", remark_on_name(r->on));
		line_add(&l, ROLE_ACCENT, 0, "%s", subject);
		line_add(&l, ROLE_DIM, 0, "  %s", r->written);
		free(subject);
		if (2 * i + 1 < in.h) {
			l = line_on(g, in, 2 * i + 1);
			line_gap(&l, 1);
			line_add(&l, ROLE_TEXT, 0, "%s", r->text);
		}
		if (first + i == s->popup_cursor)
			draw_cursor(g, (struct rect){row.x, row.y, row.w, 1}, true);
		hit_add(d, row, HIT_ROW, -1, first + i, ACTION_none);
	}
}

static void
draw_write(const struct session *s, struct grid *g, struct rect screen, struct drawn *d)
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
		if (i == s->popup_cursor)
			draw_cursor(g, row, true);
		hit_add(d, row, HIT_ROW, -1, i, ACTION_none);
	}
	if (WRITE_ITEMS < in.h) {
		struct line l = line_on(g, in, WRITE_ITEMS);

		if (s->kept_in)
			line_add(&l, ROLE_DIM, 0, "this session is kept in %s", s->kept_in);
		else
			line_add(&l, ROLE_DIM, 0, "%s", "this session is in no file yet");
	}
}

static void
draw_prompt(const struct session *s, struct grid *g, struct rect screen)
{
	static const char *const titles[] = {"Run a command under this model", "Open a model: a file, or an installed name", "Find", "Show only rows that hold", "", "Keep the session in a new file"};
	char *about = s->prompt == PROMPT_NOTE ? note_title(s) : NULL;
	const char *title = about ? about : s->prompt == PROMPT_COMMAND && !s->model ? "Run a command and count it" : titles[s->prompt];
	struct rect in = draw_popup(g, screen, screen.w > 100 ? 92 : screen.w - 8, 6, title, NULL);
	struct pen p = pen_on(g, in, ROLE_TEXT);
	const char *text = str_text(&s->input);
	int room = in.w - 4, used;

	p.fg = ROLE_ACCENT;
	pen_text(&p, in.x + 1, in.y, ">");
	p.fg = ROLE_TEXT;
	used = pen_fit_head(&p, in.x + 3, in.y, room, text);
	p.attr = CELL_REVERSE;
	pen_text(&p, in.x + 3 + used, in.y, " ");
	p.attr = 0;
	p.fg = ROLE_DIM;
	if (s->prompt == PROMPT_COMMAND && in.h > 1)
		pen_fit(&p, in.x + 1, in.y + 1, in.w - 2, "Split at blanks; quotes keep words together; there is no shell.");
	if (s->prompt == PROMPT_NOTE && in.h > 1)
		pen_fit(&p, in.x + 1, in.y + 1, in.w - 2, "Enter writes it; an empty one is deleted. C-u empties the line.");
	if (s->prompt == PROMPT_KEEP && in.h > 1)
		pen_fit(&p, in.x + 1, in.y + 1, in.w - 2, "Data, model, notes and all that was found; it is brought up to date while you go on.");
	free(about);
}

static void
draw_tracefs(struct grid *g, struct rect screen)
{
	struct rect in = draw_popup(g, screen, 72, 12, "Mount tracefs?", NULL);
	struct pen p = pen_on(g, in, ROLE_TEXT);
	int y = in.y;

	y += draw_wrapped(&p, in.x + 1, y, in.w - 2,
			  "Most counters of this model are tracepoints, and tracefs, which names them, is not mounted. You may mount it:");
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
draw_popups(const struct session *s, struct grid *g, struct rect screen, struct drawn *d)
{
	struct rect in;

	switch (s->popup) {
	case POPUP_NONE:
		break;
	case POPUP_HELP:
		d->popup_rows = draw_help(s, g, screen);
		break;
	case POPUP_DOCTOR:
		in = draw_popup(g, screen, 100, screen.h - 6, "Doctor", s->doctor.machine);
		d->popup_rows = scroll_rows(s->popup_cursor, doctor_lines(s, g, in, s->popup_cursor), in.h);
		break;
	case POPUP_OUTPUT:
		d->popup_rows = draw_output(s, g, screen);
		break;
	case POPUP_WHENCE:
		d->popup_rows = draw_whence(s, g, screen);
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
		d->popup_rows = draw_constraint_popup(s, g, screen);
		break;
	case POPUP_CERTIFICATE:
		d->popup_rows = draw_certificate_popup(s, g, screen);
		break;
	case POPUP_LOSS:
		draw_loss_popup(s, g, screen, d);
		break;
	case POPUP_OBSERVATION:
		d->popup_rows = draw_observation_popup(s, g, screen);
		break;
	case POPUP_COMPARE:
		d->popup_rows = draw_compare_popup(s, g, screen);
		break;
	case POPUP_NODE:
		d->popup_rows = draw_node_popup(s, g, screen);
		break;
	case POPUP_BAR:
		d->popup_rows = draw_bar_popup(s, g, screen);
		break;
	case POPUP_QUEUE:
		d->popup_rows = draw_queue_popup(s, g, screen);
		break;
	case POPUP_WITNESS:
	case POPUP_TEXT:
		in = draw_popup(g, screen, 90, screen.h - 6, s->title, NULL);
		d->popup_rows = draw_text(g, in, str_text(&s->text), s->popup_cursor);
		break;
	}
}
