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
#include "draw/view/view_counters.h"
#include "draw/view/view_relation.h"
#include "draw/view/view_table.h"
#include "draw/view/view_trust.h"
#include "explorer/state/state_events.h"
#include "explorer/state/state_relax.h"
#include "work/analysis/miscount.h"
#include "work/analysis/relax.h"
#include "work/analysis/sentence.h"
#include "work/analysis/touch.h"
#include "work/analysis/words.h"

#define NAME_COLUMNS 18 /* columns of features and counters */

static void
add_rule(struct page *page, const struct constraint_row *row)
{
	const struct constraint_breach *breach = constraint_shown_breach(page->s, row);
	struct str text = {0};

	if (breach) {
		str_addf(&text, "%s: ", page->s->answers.result->finding[breach->finding].name);
		sentence_refutation(page->s->question.model, breach->violated,
			&page->s->answers.result->finding[breach->finding], page->s->question.how.confidence, &text);
		page_words(page, page_role(page, ROLE_INFEASIBLE), str_text(&text));
		str_clear(&text);
	}
	if (row->certificate)
		page_words(page, ROLE_DIM,
			"No single constraint of the model is broken, but several together are. This combination of "
			"them proves it:");
	else if (row->index == CONSTRAINT_NONE)
		page_words(page, ROLE_DIM, "The model's demand on observations that lack some of the counters:");
	words_rule(page->s->question.model, row->c, &text);
	page_words(page, ROLE_TEXT, str_text(&text));
	str_free(&text);
}

/* The observations that break it, in a few lines, for screens without the pane about them. */
static void
add_breakers(struct page *page, const struct constraint_row *row, int rows)
{
	const struct result *result = page->s->answers.result;
	struct line l = page_line(page);
	char number[NUMBER_TEXT];

	if (row->n_breaches == 0 && isnan(row->tightest)) {
		line_add(&l, ROLE_DIM, 0, "no observation can test it");
		return;
	}
	if (row->n_breaches == 0) {
		line_add(&l, ROLE_DIM, 0, "kept by all; nearest ");
		line_add(&l, ROLE_TEXT, 0, "%s", result->finding[row->tightest_finding].name);
		line_add(&l, ROLE_DIM, 0, " with %s %% to spare", number_share(number, row->tightest));
		return;
	}
	line_add(&l, ROLE_DIM, 0, "broken by ");
	for (size_t i = 0; i < row->n_breaches; i++) {
		const struct finding *finding = &result->finding[row->breach[i].finding];
		char *off = violation_number(finding, row->breach[i].violated),
		     *one = str_format("%s %s", finding->name, off);

		if (l.x + pen_columns(&l.pen, one) + (rows > 1 ? 3 : 12) > l.end && --rows > 0) {
			l = page_line(page);
			line_to(&l, 11);
		}
		if (rows <= 0) {
			line_add(&l, ROLE_DIM, 0, "… %zu more", row->n_breaches - i);
			i = row->n_breaches;
		} else {
			line_add(&l, page_role(page, ROLE_INFEASIBLE), 0, "%s ", finding->name);
			line_add(&l, ROLE_TEXT, 0, "%s", off);
			line_gap(&l, 2);
		}
		free(one);
		free(off);
	}
}

/* Where to begin a path that is too long: as many decisions before its first counter as needed are left out. */
static const char *
path_from(const struct line *line, const char *words)
{
	static const char between[] = " · ";
	const char *from = words, *next;

	while (pen_columns(&line->pen, from) + (from == words ? 0 : 4) > line->end - line->x &&
		(next = strstr(from, between))) {
		const char *counter = strstr(from, "■");

		if (counter && counter < next)
			break;
		from = next + strlen(between);
	}
	return from;
}

static void
add_path(struct page *page, const struct touch_path *k, bool whole)
{
	struct line l = page_line(page);
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

		page->row--;
		row = page->row;
		page_words(page, ROLE_TEXT, indented);
		accent_counters(page->g,
			rect_cut(page->r,
				(struct rect){page->r.x, page->r.y + row - page->skip, page->r.w, page->row - row}));
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
add_paths(struct page *page, const struct constraint_row *row, const struct constraint_detail *t, size_t most)
{
	size_t shown[2] = {0};
	char *more = row->c->equality
		? str_format("%zu of %zu signatures", t->raising, page->s->answers.result->signatures)
		: str_format("%zu of %zu signatures that raise its counters", t->tight, t->raising);

	page_head(page, row->c->equality ? "µpaths that raise its counters" : "µpaths that make it tight", more);
	free(more);
	for (int loose = 0; loose < 2; loose++) {
		bool some = false;

		for (size_t i = 0; i < t->n_paths; i++) {
			if ((t->path[i].slack != 0) != loose || shown[loose] == most)
				continue;
			if (loose && !some)
				page_head(page, "µpaths with slack", "how much each adds to the right side");
			some = true;
			add_path(page, &t->path[i], most > 8);
			shown[loose]++;
		}
		if (!loose && t->tight == 0 && !row->c->equality) {
			struct line l = page_line(page);

			line_add(&l, ROLE_DIM, 0, "  none: every µpath that raises its counters has slack");
		}
		if (t->raising - t->tight == 0)
			break;
	}
}

/* Features that do not relax it, or cannot be switched, in one paragraph. */
static void
add_useless(struct page *page, const struct constraint_detail *detail, bool legal, const char *head)
{
	struct str names = {0};

	for (size_t i = 0; i < detail->relax->n; i++)
		if (detail->relax->one[i].legal == legal && !detail->relax->one[i].signatures) {
			str_add(&names, names.n ? ", " : head);
			words_features(page->s->question.model, &detail->relax->one[i].added, &names);
		}
	if (names.n)
		page_words(page, ROLE_DIM, str_text(&names));
	str_free(&names);
}

static void
constraint_add_features(struct page *page, const struct constraint_detail *detail)
{
	const struct relaxers *relaxers = detail->relax;
	char *head;

	if (page->s->question.model->n_features == 0) {
		page_head(page, "Features that relax it", "the model has none");
		return;
	}
	head = relaxers->asked ? str_format("frees, of %zu: alone, together", relaxers->asked)
			: mem_str("signatures that break it then");
	page_head(page, "Features that relax it", head);
	free(head);
	for (size_t i = 0; i < relaxers->n && relaxers->one[i].signatures; i++) {
		const struct relaxer *relaxer = &relaxers->one[i];
		struct str name = {0};
		const char *words;
		struct line l = page_line(page);
		struct pen right = l.pen;
		char *more = relaxers->asked ? str_format("%zu, %zu", relaxer->alone, relaxer->together)
					     : str_format("+%zu", relaxer->signatures);

		words_features(page->s->question.model, &relaxer->added, &name);
		right.fg = !relaxers->asked || relaxer->alone ? ROLE_FEASIBLE : ROLE_DIM;
		pen_right(&right, l.end - 1, l.y, more);
		l.end -= 3 + pen_columns(&l.pen, more);
		line_gap(&l, 2);
		line_add(&l, ROLE_TEXT, CELL_BOLD, "%s", str_text(&name));
		line_to(&l, 3 + NAME_COLUMNS);
		words = path_from(&l, relaxer->words);
		line_add(&l, ROLE_DIM, 0, "%s%s", words == relaxer->words ? "" : "… · ", words);
		free(more);
		str_free(&name);
	}
	if (relaxers->n == 0 || !relaxers->one[0].signatures)
		page_words(page, ROLE_DIM, "  no feature that is off relaxes it, nor do few together");
	else
		add_useless(page, detail, true, "not alone: ");
	add_useless(page, detail, false, "cannot be switched now: ");
}

/* Counters whose miscount would explain the same violations, though nothing proves it. `leaks`: only those whose counts
 * show a sign of a leak; else only the others. */
static void
add_miscounts(struct page *page, const struct constraint_row *row, size_t most, bool leaks)
{
	const struct constraint_detail *t = page->s->answers.touch[page->s->view.constraint];
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
			page_blank(page);
			page_head(page, "Or a counter is wrong", head);
		}
		l = page_line(page);
		more = str_format("%zu", t->miscount[i].enough);
		miscount_words(page->s->question.model, &t->miscount[i], row->c->equality, &words);
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
add_touch(struct page *page, const struct constraint_row *row, size_t most)
{
	const struct constraint_detail *detail = page->s->answers.touch[page->s->view.constraint];

	if (!detail) {
		page_words(page, ROLE_DIM,
			state_stale(page->s) ? "The features have changed; µpaths come with the new cone."
				: "µpaths and features: looking …");
		return;
	}
	if (detail->failed) {
		page_words(page, ROLE_DIM,
			"µpaths and features are unknown: the computation was stopped. Any switch in 1 repeats it.");
		return;
	}
	add_paths(page, row, detail, most);
	page_blank(page);
	constraint_add_features(page, detail);
}

static void
constraint_add_certificate(struct page *page, const struct constraint_row *row)
{
	const struct constraint_breach *breach = constraint_shown_breach(page->s, row);
	const struct finding *finding;
	char *relation = NULL, *more = NULL;
	bool fits = true;

	if (!breach)
		return;
	finding = &page->s->answers.result->finding[breach->finding];
	if (words_is_proof(breach->violated, finding)) {
		page_head(page, "Certificate", "verified exactly");
	} else {
		relation = relation_pretty(finding->proof.n_certificates ? finding->proof.certificate->text : "");
		more = str_format("the verified proof of %s is %s", finding->name, relation);
		fits = pen_columns(&(struct pen){.grid = page->g}, more) + (int)strlen("Certificate") + 4 <= page->r.w;
		page_head(page, "Certificate", finding->proof.n_certificates && fits ? more : "");
	}
	if (!fits && finding->proof.n_certificates) {
		struct line l = page_line(page);

		line_add(&l, ROLE_DIM, 0, "the verified proof of %s is", finding->name);
		page_relation(page, ROLE_DIM, 0, 2, relation);
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
constraint_add_trust(struct page *page, const struct constraint_row *row)
{
	size_t some = 0;

	for (size_t i = 0; i < row->c->n; i++) {
		const struct trust_entry *entry = row->c->coef[i] ? state_counter_entry(page->s, i) : NULL;
		char letters[LETTERS_TEXT];
		struct line l;

		if (!entry)
			continue;
		if (!some++)
			page_head(page, "Counters to distrust", "i explains");
		l = page_line(page);
		line_gap(&l, 2);
		line_add(&l, ROLE_TEXT, 0, "%s ", page->s->question.model->counter[i].name);
		line_add(&l, ROLE_BORDERLINE, CELL_BOLD, "%s ", counter_letters(page->s, i, letters));
		line_add(&l, trust_role(entry->verdict), 0, "%s", trust_verdict_name(entry->verdict));
	}
	if (some)
		page_blank(page);
}

/* `most`: rows of each list; the popup shows all. `titled`: the title shows the constraint. */
static void
constraint_add_contents(struct page *page, bool side_by_side, bool titled, size_t most)
{
	const struct constraint_row *row = state_constraint(page->s);

	if (!row) {
		page_words(page, ROLE_DIM, "No constraint is selected.");
		return;
	}
	if (!titled) {
		char *relation = relation_pretty(row->c->text);

		page_relation(page, ROLE_TEXT, CELL_BOLD, 0, relation);
		free(relation);
	}
	add_rule(page, row);
	if (page->r.h >= (row->n_breaches ? 24 : 12))
		page_constraint_texts(page, row->c);
	if (!side_by_side)
		add_breakers(page, row, most > 8 ? 4 : 1);
	if (row->n_breaches) {
		page_blank(page);
		constraint_add_certificate(page, row);
	}
	page_blank(page);
	constraint_add_trust(page, row);
	add_touch(page, row, most);
	add_miscounts(page, row, most, true);
	page_blank(page);
	add_losses(page, row);
	add_miscounts(page, row, most, false);
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

static int
draw_constraint_popup(const struct state *s, struct grid *grid, struct rect screen, int first)
{
	const struct constraint_row *row = state_constraint(s);
	char *text = relation_pretty(row ? row->c->text : "");
	const struct constraint_breach *breach = row ? constraint_shown_breach(s, row) : NULL;
	const struct relaxers *relaxers = state_relaxers(s, s->view.constraint);
	bool paths = relaxers && relaxers->n && relaxers->one[0].signatures;
	char *info = paths ? mem_str("Enter: µpaths that would relax it")
		: breach ? str_format("Enter: %s", s->answers.result->finding[breach->finding].name) : NULL;
	struct pen measure = {.grid = grid};
	bool titled = pen_columns(&measure, text) + pen_columns(&measure, info ? info : "") + 18 <=
		(screen.w < 128 ? screen.w : 128);
	struct rect in = draw_popup(grid, screen, 120, screen.h - 6, titled ? text : "Constraint", info);
	struct page p = {.s = s, .g = grid, .r = in, .skip = first};

	constraint_add_contents(&p, false, titled, TOUCH_PATHS);
	free(text);
	free(info);
	return page_rows(&p);
}

const struct popup_draw popup_draw_constraint = {.text = draw_constraint_popup};
