/* One constraint in detail: the rule in words, the µpaths that make it tight, the features that would relax it, the
 * certificate, and what its counters are worth. */
#include "draw/view/constraints/constraints.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/trust/book.h"
#include "core/udd/model.h"
#include "draw/view/view_relation.h"
#include "draw/view/view_trust.h"
#include "explorer/state/state_events.h"
#include "explorer/state/state_relax.h"
#include "work/analysis/miscount.h"
#include "work/analysis/relax.h"
#include "work/analysis/touch.h"
#include "work/analysis/words.h"

#define NAME_COLUMNS 18 /* columns of features and counters */

static void
add_rule(struct page *p, const struct constraint_row *row)
{
	struct str text = {0};

	if (row->certificate)
		page_words(p, ROLE_DIM,
			"No single constraint of the model is broken, but several together are. This combination of "
			"them proves it:");
	else if (row->index == CONSTRAINT_NONE)
		page_words(p, ROLE_DIM, "The model's demand on observations that lack some of the counters:");
	words_rule(p->s->question.model, row->c, &text);
	page_words(p, ROLE_TEXT, str_text(&text));
	str_free(&text);
}

/* The observations that break it, in a few lines, for screens without the pane about them. */
static void
add_breakers(struct page *p, const struct constraint_row *row, int rows)
{
	const struct result *r = p->s->answers.result;
	struct line l = page_line(p);
	char number[NUMBER_TEXT];

	if (row->n_breaches == 0 && isnan(row->tightest)) {
		line_add(&l, ROLE_DIM, 0, "no observation can test it");
		return;
	}
	if (row->n_breaches == 0) {
		line_add(&l, ROLE_DIM, 0, "kept by all; nearest ");
		line_add(&l, ROLE_TEXT, 0, "%s", r->finding[row->tightest_finding].name);
		line_add(&l, ROLE_DIM, 0, " with %s %% to spare", number_share(number, row->tightest));
		return;
	}
	line_add(&l, ROLE_DIM, 0, "broken by ");
	for (size_t i = 0; i < row->n_breaches; i++) {
		const struct finding *f = &r->finding[row->breach[i].finding];
		char *off = violation_number(f, row->breach[i].violated), *one = str_format("%s %s", f->name, off);

		if (l.x + pen_columns(&l.pen, one) + (rows > 1 ? 3 : 12) > l.end && --rows > 0) {
			l = page_line(p);
			line_to(&l, 11);
		}
		if (rows <= 0) {
			line_add(&l, ROLE_DIM, 0, "… %zu more", row->n_breaches - i);
			i = row->n_breaches;
		} else {
			line_add(&l, page_role(p, ROLE_INFEASIBLE), 0, "%s ", f->name);
			line_add(&l, ROLE_TEXT, 0, "%s", off);
			line_gap(&l, 2);
		}
		free(one);
		free(off);
	}
}

/* Where to begin a path that is too long: as many decisions before its first counter as needed are left out. */
static const char *
path_from(const struct line *l, const char *words)
{
	static const char between[] = " · ";
	const char *from = words, *next;

	while (pen_columns(&l->pen, from) + (from == words ? 0 : 4) > l->end - l->x && (next = strstr(from, between))) {
		const char *counter = strstr(from, "■");

		if (counter && counter < next)
			break;
		from = next + strlen(between);
	}
	return from;
}

static void
add_path(struct page *p, const struct touch_path *k, bool whole)
{
	struct line l = page_line(p);
	struct pen right = l.pen;
	const char *words;
	int row;

	right.fg = ROLE_DIM;
	if (k->slack) {
		char *text = str_format("+%" PRId64, k->slack);

		pen_right(&right, l.end - 1, l.y, text);
		free(text);
	}
	l.end -= 7;
	line_gap(&l, 2);
	if (whole && pen_columns(&l.pen, k->words) > l.end - l.x) { /* over several lines */
		char *indented = str_format("  %s", k->words);

		p->row--;
		row = p->row;
		page_words(p, ROLE_TEXT, indented);
		accent_counters(p->g,
			rect_cut(p->r, (struct rect){p->r.x, p->r.y + row - p->skip, p->r.w, p->row - row}));
		free(indented);
		return;
	}
	words = path_from(&l, k->words);
	if (words != k->words)
		line_add(&l, ROLE_DIM, 0, "… · ");
	for (const char *at = words; *at;) { /* counters in the accent role */
		const char *sign = strstr(at, "■"), *end = sign ? strstr(sign, " · ") : NULL;

		if (!sign) {
			line_add(&l, ROLE_TEXT, 0, "%s", at);
			break;
		}
		line_add(&l, ROLE_TEXT, 0, "%.*s", (int)(sign - at), at);
		line_add(&l, ROLE_ACCENT, 0, "%.*s", end ? (int)(end - sign) : (int)strlen(sign), sign);
		at = end ? end : sign + strlen(sign);
	}
}

/* Draws at most `most` µpaths that make it tight, and as many with slack. */
static void
add_paths(struct page *p, const struct constraint_row *row, const struct constraint_detail *t, size_t most)
{
	size_t shown[2] = {0};
	char *more = row->c->equality
		? str_format("%zu of %zu signatures", t->raising, p->s->answers.result->signatures)
		: str_format("%zu of %zu signatures that raise its counters", t->tight, t->raising);

	page_head(p, row->c->equality ? "µpaths that raise its counters" : "µpaths that make it tight", more);
	free(more);
	for (int loose = 0; loose < 2; loose++) {
		bool some = false;

		for (size_t i = 0; i < t->n_paths; i++) {
			if ((t->path[i].slack != 0) != loose || shown[loose] == most)
				continue;
			if (loose && !some)
				page_head(p, "µpaths with slack", "how much each adds to the right side");
			some = true;
			add_path(p, &t->path[i], most > 8);
			shown[loose]++;
		}
		if (!loose && t->tight == 0 && !row->c->equality) {
			struct line l = page_line(p);

			line_add(&l, ROLE_DIM, 0, "  none: every µpath that raises its counters has slack");
		}
		if (t->raising - t->tight == 0)
			break;
	}
}

/* Features that do not relax it, or cannot be switched, in one paragraph. */
static void
add_useless(struct page *p, const struct constraint_detail *t, bool legal, const char *head)
{
	struct str names = {0};

	for (size_t i = 0; i < t->relax->n; i++)
		if (t->relax->one[i].legal == legal && !t->relax->one[i].signatures) {
			str_add(&names, names.n ? ", " : head);
			words_features(p->s->question.model, &t->relax->one[i].added, &names);
		}
	if (names.n)
		page_words(p, ROLE_DIM, str_text(&names));
	str_free(&names);
}

static void
constraint_add_features(struct page *p, const struct constraint_detail *t)
{
	const struct relaxers *r = t->relax;
	char *head;

	if (p->s->question.model->n_features == 0) {
		page_head(p, "Features that relax it", "the model has none");
		return;
	}
	head = r->asked ? str_format("frees, of %zu: alone, together", r->asked)
			: mem_str("signatures that break it then");
	page_head(p, "Features that relax it", head);
	free(head);
	for (size_t i = 0; i < r->n && r->one[i].signatures; i++) {
		const struct relaxer *x = &r->one[i];
		struct str name = {0};
		const char *words;
		struct line l = page_line(p);
		struct pen right = l.pen;
		char *more =
			r->asked ? str_format("%zu, %zu", x->alone, x->together) : str_format("+%zu", x->signatures);

		words_features(p->s->question.model, &x->added, &name);
		right.fg = !r->asked || x->alone ? ROLE_FEASIBLE : ROLE_DIM;
		pen_right(&right, l.end - 1, l.y, more);
		l.end -= 3 + pen_columns(&l.pen, more);
		line_gap(&l, 2);
		line_add(&l, ROLE_TEXT, CELL_BOLD, "%s", str_text(&name));
		line_to(&l, 3 + NAME_COLUMNS);
		words = path_from(&l, x->words);
		line_add(&l, ROLE_DIM, 0, "%s%s", words == x->words ? "" : "… · ", words);
		free(more);
		str_free(&name);
	}
	if (r->n == 0 || !r->one[0].signatures)
		page_words(p, ROLE_DIM, "  no feature that is off relaxes it, nor do few together");
	add_useless(p, t, true, "not alone: ");
	add_useless(p, t, false, "cannot be switched now: ");
}

/* Counters whose miscount would explain the same violations, though nothing proves it. `leaks`: only those whose counts
 * show a sign of a leak; else only the others. */
static void
add_miscounts(struct page *p, const struct constraint_row *row, size_t most, bool leaks)
{
	const struct constraint_detail *t = p->s->answers.touch[p->s->view.constraint];
	char *head = t && !t->failed ? str_format("explains, of %zu", t->relax->asked) : NULL;
	size_t shown = 0;

	for (size_t i = 0; head && i < t->n_miscounts && shown < most; i++) {
		struct str words = {0};
		struct line l;
		struct pen right;
		char *more;

		if (!miscount_is_likely(&t->miscount[i]) || !*t->miscount[i].leak == leaks)
			continue;
		if (!shown++) {
			page_blank(p);
			page_head(p, "Or a counter is wrong", head);
		}
		l = page_line(p);
		more = str_format("%zu", t->miscount[i].enough);
		miscount_words(p->s->question.model, &t->miscount[i], row->c->equality, &words);
		right = l.pen;
		right.fg = ROLE_DIM;
		pen_right(&right, l.end - 1, l.y, more);
		l.end -= 3 + pen_columns(&l.pen, more);
		line_gap(&l, 2);
		line_add(&l, ROLE_TEXT, 0, "%s", str_text(&words));
		str_free(&words);
		free(more);
	}
	free(head);
}

static void
add_touch(struct page *p, const struct constraint_row *row, size_t most)
{
	const struct constraint_detail *t = p->s->answers.touch[p->s->view.constraint];

	if (!t) {
		page_words(p, ROLE_DIM,
			state_stale(p->s) ? "The features have changed; µpaths come with the new cone."
				: "µpaths and features: looking …");
		return;
	}
	if (t->failed) {
		page_words(p, ROLE_DIM,
			"µpaths and features are unknown: the computation was stopped. Any switch in 1 repeats it.");
		return;
	}
	add_paths(p, row, t, most);
	page_blank(p);
	constraint_add_features(p, t);
}

static void
constraint_add_certificate(struct page *p, const struct constraint_row *row)
{
	const struct constraint_breach *b = constraint_shown_breach(p->s, row);
	const struct finding *f;
	struct str text = {0};
	char *relation = NULL, *more = NULL;
	bool fits = true;

	if (!b)
		return;
	f = &p->s->answers.result->finding[b->finding];
	if (words_is_proof(b->violated, f)) {
		page_head(p, "Certificate", "verified exactly");
	} else {
		relation = relation_pretty(f->proof.n_certificates ? f->proof.certificate->text : "");
		more = str_format("the verified proof of %s is %s", f->name, relation);
		fits = pen_columns(&(struct pen){.grid = p->g}, more) + (int)strlen("In the data") + 4 <= p->r.w;
		page_head(p, "In the data", f->proof.n_certificates && fits ? more : "");
	}
	words_data(p->s->question.model, b->violated, f, &text);
	if (text.n)
		page_words(p, page_role(p, ROLE_INFEASIBLE), str_text(&text));
	str_free(&text);
	if (!fits && f->proof.n_certificates) {
		struct line l = page_line(p);

		line_add(&l, ROLE_DIM, 0, "the verified proof of %s is", f->name);
		page_relation(p, ROLE_DIM, 0, 2, relation);
	}
	free(relation);
	free(more);
}

static void
add_losses(struct page *p, const struct constraint_row *row)
{
	int columns = 0;

	for (size_t i = 0; i < row->c->n; i++) {
		int w = row->c->coef[i]
			? pen_columns(&(struct pen){.grid = p->g}, p->s->question.model->counter[i].name) : 0;

		columns = w > columns ? w : columns;
	}
	page_head(p, "Without a counter", "x shows more");
	for (size_t i = 0; i < row->c->n; i++)
		if (row->c->coef[i])
			page_loss(p, i, columns);
}

/* The counters that count too much or too little, as far as books know. */
static void
constraint_add_trust(struct page *p, const struct constraint_row *row)
{
	size_t some = 0;

	for (size_t i = 0; i < row->c->n; i++) {
		const struct trust_entry *e = row->c->coef[i] ? state_counter_entry(p->s, i) : NULL;
		char letters[LETTERS_TEXT];
		struct line l;

		if (!e)
			continue;
		if (!some++)
			page_head(p, "Counters to distrust", "i explains");
		l = page_line(p);
		line_gap(&l, 2);
		line_add(&l, ROLE_TEXT, 0, "%s ", p->s->question.model->counter[i].name);
		line_add(&l, ROLE_BORDERLINE, CELL_BOLD, "%s ", counter_letters(p->s, i, letters));
		line_add(&l, trust_role(e->verdict), 0, "%s", trust_verdict_name(e->verdict));
	}
	if (some)
		page_blank(p);
}

/* `most`: rows of each list; the popup shows all. `titled`: the title shows the constraint. */
static void
constraint_add_contents(struct page *p, bool side_by_side, bool titled, size_t most)
{
	const struct constraint_row *row = state_constraint(p->s);

	if (!row) {
		page_words(p, ROLE_DIM, "No constraint is selected.");
		return;
	}
	if (!titled) {
		char *relation = relation_pretty(row->c->text);

		page_relation(p, ROLE_TEXT, CELL_BOLD, 0, relation);
		free(relation);
	}
	add_rule(p, row);
	if (!side_by_side)
		add_breakers(p, row, most > 8 ? 4 : 1);
	if (row->n_breaches) {
		page_blank(p);
		constraint_add_certificate(p, row);
	}
	page_blank(p);
	constraint_add_trust(p, row);
	add_touch(p, row, most);
	add_miscounts(p, row, most, true);
	page_blank(p);
	add_losses(p, row);
	add_miscounts(p, row, most, false);
}

#define TOUCHED_TITLE "Touched by"

/* A title's right part is shown in full or left out: see draw_title(). */
static bool
touched_title_fits(struct grid *g, int columns, const char *constraint)
{
	char *text = relation_pretty(constraint);
	bool fits = pen_columns(&(struct pen){.grid = g}, text) + (int)strlen(TOUCHED_TITLE) + 7 <= columns;

	free(text);
	return fits;
}

void
title_touched(const struct state *s, struct str *title, struct str *info)
{
	const struct constraint_row *row = state_constraint(s);
	char *text = row ? relation_pretty(row->c->text) : NULL;

	str_add(title, TOUCHED_TITLE);
	str_add(info, text ? text : "");
	free(text);
}

void
draw_touched(const struct state *s, struct grid *g, struct rect r, bool focus, struct drawn *d)
{
	struct page p = {.s = s, .g = g, .r = r, .skip = s->view.cursor[PANE_TOUCHED]};
	const struct constraint_row *row = state_constraint(s);

	(void)focus;
	constraint_add_contents(&p, g->w >= 120, !row || touched_title_fits(g, r.w, row->c->text),
		r.h < 20 ? 1 : r.h < 30 ? 2 : 4);
	d->layout.rows[PANE_TOUCHED] = page_rows(&p);
}

int
draw_constraint_popup(const struct state *s, struct grid *g, struct rect screen, int first)
{
	const struct constraint_row *row = state_constraint(s);
	char *text = relation_pretty(row ? row->c->text : "");
	const struct constraint_breach *b = row ? constraint_shown_breach(s, row) : NULL;
	const struct relaxers *r = state_relaxers(s, s->view.constraint);
	bool paths = r && r->n && r->one[0].signatures;
	char *info = paths ? mem_str("Enter: µpaths that would relax it")
		: b ? str_format("Enter: %s", s->answers.result->finding[b->finding].name) : NULL;
	struct pen measure = {.grid = g};
	bool titled = pen_columns(&measure, text) + pen_columns(&measure, info ? info : "") + 18 <=
		(screen.w < 128 ? screen.w : 128);
	struct rect in = draw_popup(g, screen, 120, screen.h - 6, titled ? text : "Constraint", info);
	struct page p = {.s = s, .g = g, .r = in, .skip = first};

	constraint_add_contents(&p, false, titled, TOUCH_PATHS);
	free(text);
	free(info);
	return page_rows(&p);
}
