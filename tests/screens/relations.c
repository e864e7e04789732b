/* A constraint that is cut must not read as another one. Every screen of views 1 to 4 and their popups is read back.
 * Whatever reads as a relation between counters must be a constraint of the model or of a verdict, continue in the row
 * below, or show by "…" that terms are left out. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/udd/model.h"
#include "draw/cell.h"
#include "draw/view/view_relation.h"
#include "stage.h"
#include "test.h"
#include "work/analysis/loss.h"

static bool
starts(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

static bool
is_sign(const char *word)
{
	return str_eq(word, "+") || str_eq(word, "−");
}

static bool
is_relation(const char *word)
{
	return str_eq(word, "≤") || str_eq(word, "=") || str_eq(word, "≥");
}

static bool
is_counter(const struct state *s, const char *word)
{
	for (size_t i = 0; i < s->question.model->n_counters; i++)
		if (str_eq(s->question.model->counter[i].name, word))
			return true;
	return false;
}

/* A word that can be part of a relation: a counter, a factor, a sign. */
static bool
is_term(const struct state *s, const char *word)
{
	return is_sign(word) || is_relation(word) || is_counter(s, word) ||
		(*word && strspn(word, "0123456789") == strlen(word));
}

/* "a + b ≤ c" of "a + b <= c". */
static bool
is_text(const char *text, const char *shown)
{
	struct str out = {0};
	bool same;

	for (const char *p = text; *p; p++)
		if (starts(p, "<="))
			str_add(&out, "≤"), p++;
		else if (starts(p, "- "))
			str_add(&out, "−");
		else
			str_addc(&out, *p);
	same = str_eq(str_text(&out), shown);
	str_free(&out);
	return same;
}

static bool
is_known(const struct state *s, const char *shown)
{
	const struct result *r = s->answers.result;

	for (size_t i = 0; i < r->n_constraints; i++)
		if (is_text(r->constraint[i].text, shown))
			return true;
	for (size_t i = 0; s->answers.constraints && i < s->answers.constraints->n; i++)
		if (is_text(s->answers.constraints->row[i].c->text, shown))
			return true;
	for (size_t k = 0; k < s->question.model->n_counters; k++) {
		const struct counter_loss *l = s->answers.loss ? s->answers.loss[k] : NULL;

		for (size_t i = 0; l && i < l->n_come; i++)
			if (is_text(l->come[i].text, shown))
				return true;
	}
	for (size_t k = 0; k < r->n_findings; k++) {
		const struct finding *f = &r->finding[k];

		for (size_t i = 0; i < f->proof.n_violated; i++)
			if (is_text(f->proof.violated[i].text, shown))
				return true;
		for (size_t i = 0; i < f->proof.n_parts; i++)
			if (is_text(f->proof.part[i].text, shown))
				return true;
		if (f->proof.n_certificates && is_text(f->proof.certificate->text, shown))
			return true;
	}
	return false;
}

/* The words of a row, split at blanks and at the lines between panes, each with its column. */
struct words {
	char *word[200];
	int x[200];
	size_t n;
};

static void
split(struct grid *g, int y, struct words *w)
{
	struct str one = {0};
	int from = 0;

	w->n = 0;
	for (int x = 0; x <= g->w && w->n < 199; x++) {
		uint32_t cp = x < g->w ? grid_at(g, x, y)->cp : ' ';
		char bytes[5] = {0};

		if (cp == ' ' || cp == 0x2502 || cp == 0x2577 || cp == 0x2575) {
			if (one.n) {
				w->word[w->n] = str_take(&one);
				w->x[w->n++] = from;
			}
			if (cp != ' ') {
				w->word[w->n] = mem_str("│");
				w->x[w->n++] = x;
			}
			continue;
		}
		if (!one.n)
			from = x;
		if (cp < 0x80)
			bytes[0] = (char)cp;
		else if (cp < 0x800)
			bytes[0] = (char)(0xc0 | cp >> 6), bytes[1] = (char)(0x80 | (cp & 63));
		else
			bytes[0] = (char)(0xe0 | cp >> 12), bytes[1] = (char)(0x80 | (cp >> 6 & 63)),
			bytes[2] = (char)(0x80 | (cp & 63));
		str_add(&one, bytes);
	}
	str_free(&one);
}

static void
forget(struct words *w)
{
	for (size_t i = 0; i < w->n; i++)
		free(w->word[i]);
}

/* True if a row below continues this one: it begins, in the same pane, with a sign. */
static bool
goes_on(struct grid *g, int y, int x)
{
	for (int below = y + 1; below <= y + 2 && below < g->h; below++)
		for (int at = x; at <= x + 4 && at < g->w; at++) {
			uint32_t cp = grid_at(g, at, below)->cp;

			if (cp == '+' || cp == 0x2212 || cp == 0x2264 || cp == '=')
				return true;
			if (cp != ' ')
				break;
		}
	return false;
}

/* Columns of a list are further apart than words of a relation. */
static bool
one_blank_between(struct grid *g, const struct words *w, size_t before)
{
	return w->x[before] + pen_columns(&(struct pen){.grid = g}, w->word[before]) + 1 == w->x[before + 1];
}

static void
read_row(const struct state *s, struct grid *g, int y)
{
	struct words w;

	split(g, y, &w);
	for (size_t i = 0; i < w.n; i++) {
		size_t from = i, end = i + 1, counters = 0;
		struct str shown = {0};
		bool cut;

		if (!is_relation(w.word[i]))
			continue;
		while (from > 0 && is_term(s, w.word[from - 1]) && !is_relation(w.word[from - 1]) &&
			one_blank_between(g, &w, from - 1))
			from--;
		while (end < w.n && is_term(s, w.word[end]) && !is_relation(w.word[end]) &&
			one_blank_between(g, &w, end - 1))
			end++;
		cut = (from > 0 && strstr(w.word[from - 1], "…")) || (end < w.n && strstr(w.word[end], "…"));
		for (size_t k = from; k < end; k++)
			counters += is_counter(s, w.word[k]);
		if (from == i || end == i + 1 || is_sign(w.word[from]) || is_sign(w.word[end - 1]) || cut || !counters)
			continue; /* not a complete relation */
		for (size_t k = from; k < end; k++)
			str_addf(&shown, "%s%s", k > from ? " " : "", w.word[k]);
		if (!is_known(s, str_text(&shown)) && !goes_on(g, y, w.x[from])) {
			test_label("view %d popup %d at %dx%d row %d: %s", (int)s->view.current,
				(int)s->view.popup.kind, g->w, g->h, y, str_text(&shown));
			test_check(false, __FILE__, __LINE__, "a cut constraint reads as another one");
		}
		str_free(&shown);
	}
	forget(&w);
}

static void
read_screen(struct state *s, int w, int h)
{
	struct grid *g = grid_new(w, h, false);
	static struct drawn kept;

	stage_look(s, g, &kept);
	for (int y = 0; y < h; y++)
		read_row(s, g, y);
	grid_free(g);
}

static const struct { int w, h; } size[] = {{80, 24}, {120, 40}, {200, 60}, {100, 30}, {60, 20}, {40, 10}, {38, 5}};

static void
at_every_size(struct state *s)
{
	for (size_t i = 0; i < sizeof size / sizeof *size; i++)
		read_screen(s, size[i].w, size[i].h);
}

/* A popup, scrolled to its end. */
static void
read_popup(struct state *s, enum action a)
{
	state_act(s, a);
	if (s->view.popup.kind == POPUP_NONE)
		return;
	for (size_t i = 0; i < sizeof size / sizeof *size; i++) {
		s->view.popup.cursor = 0;
		do
			read_screen(s, size[i].w, size[i].h);
		while (++s->view.popup.cursor < s->layout->popup_rows && s->view.popup.cursor < 60);
	}
	state_act(s, ACTION_back);
}

static void
read_all(struct state *s)
{
	size_t n = s->answers.constraints->n < 40 ? s->answers.constraints->n : 40;

	state_act(s, ACTION_models);
	for (size_t i = 0; i < s->answers.result->n_findings && i < 12; i++) {
		state_act(s, ACTION_observe_next);
		stage_answer(s);
		at_every_size(s);
		s->view.focus = PANE_WHY;
		for (s->view.cursor[PANE_WHY] = 0; s->view.cursor[PANE_WHY] < 12; s->view.cursor[PANE_WHY]++)
			at_every_size(s);
		s->view.cursor[PANE_WHY] = 0;
		read_popup(s, ACTION_certificate);
		read_popup(s, ACTION_whence);
	}
	state_act(s, ACTION_constraints);
	for (size_t i = 0; i < n; i++) {
		state_choose(s, PANE_CONSTRAINTS, (int)i);
		stage_answer(s);
		at_every_size(s);
		if (i % 5)
			continue;
		read_popup(s, ACTION_details);
		read_popup(s, ACTION_certificate);
		read_popup(s, ACTION_whence);
	}
	state_act(s, ACTION_lose);
	at_every_size(s);
	state_act(s, ACTION_back);
	state_act(s, ACTION_observations);
	for (size_t i = 0; i < s->answers.result->n_findings && i < 12; i++) {
		state_choose(s, PANE_LIST, (int)i);
		at_every_size(s);
		read_popup(s, ACTION_samples);
		read_popup(s, ACTION_certificate);
	}
	state_act(s, ACTION_geometry);
	at_every_size(s);
}

static void
long_constraints(void)
{
	struct state s;

	stage_open(&s, "haswell-mmu", NULL, "walks.csv", false);
	stage_compute(&s);
	stage_answer(&s);
	read_all(&s);
	stage_close(&s);
}

static void
exact_totals(void)
{
	struct state s;

	stage_open(&s, "haswell-mmu", "merging", "leak.csv", true);
	stage_compute(&s);
	stage_answer(&s);
	read_all(&s);
	stage_close(&s);
}

static void
page_faults(void)
{
	struct state s;

	stage_open(&s, "linux-page-faults", NULL, "programs.csv", true);
	stage_compute(&s);
	stage_search(&s, SEARCH_DISCOVER);
	stage_answer(&s);
	read_all(&s);
	stage_close(&s);
}

static void
without_data(void)
{
	struct state s;

	stage_open(&s, "haswell-mmu", NULL, NULL, false);
	stage_compute(&s);
	at_every_size(&s);
	s.view.focus = PANE_WHY;
	for (; s.view.cursor[PANE_WHY] < 20; s.view.cursor[PANE_WHY]++)
		at_every_size(&s);
	state_act(&s, ACTION_constraints);
	at_every_size(&s);
	stage_close(&s);
}

/* The terms of a side: those shown, and those that "…" counts. */
static int
terms(char **word, size_t from, size_t end)
{
	int n = 0;

	for (size_t i = from; i < end; i++) {
		const char *more = strstr(word[i], "…");

		if (is_sign(word[i]) ||
			(*word[i] && strspn(word[i], "0123456789") == strlen(word[i]) && i + 1 < end &&
				!is_sign(word[i + 1])))
			continue; /* a factor belongs to the counter after it */
		n += more && more[3] >= '0' && more[3] <= '9' && more == word[i] ? atoi(more + 3) : 1;
	}
	return n;
}

static void
count_sides(const char *text, int *left, int *right)
{
	char **word = str_split(text, ' ', NULL);
	size_t n = 0, at = 0;

	while (word[n])
		n++;
	while (at < n && !is_relation(word[at]))
		at++;
	*left = terms(word, 0, at);
	*right = at < n ? terms(word, at + 1, n) : -1;
	str_split_free(word);
}

/* A hyphen of an option in a message is not a minus. */
static char *
shown_text(const char *text, const char *want)
{
	char *shown = relation_pretty(text);

	CHECK_STR(shown, want);
	return shown;
}

/* At every width: complete, or with "…" and as many terms as fit; or "…" alone. */
static void
every_width(void)
{
	static const char *const text[] = {
		"a ≤ b",
		"a + b ≤ c",
		"PGF = Fu + Fk",
		"0 ≤ load.walk_done_1g",
		"2 a + 3 b + c ≤ 4 d + e + f + g + 12 h",
		("load.walk_done_4k + load.walk_done_1g + load.pde$_miss + store.pde$_miss + x ≤ walk_ref.l1 + "
		 "walk_ref.l2 + walk_ref.l3 + walk_ref.mem"),
	};
	struct grid *g = grid_new(220, 1, false);
	struct pen p = pen_on(g, (struct rect){0, 0, 220, 1}, ROLE_TEXT);

	free(shown_text("see --flows and -v; a <= b - c", "see --flows and -v; a ≤ b − c"));
	for (size_t i = 0; i < sizeof text / sizeof *text; i++)
		for (int w = 1; w <= 200; w++) {
			struct str shown = {0};
			int left, right, want_left, want_right;

			grid_clear(g);
			CHECK(pen_relation(&p, 0, 0, w, text[i]) <= w);
			grid_text(g, &shown);
			while (shown.n && (shown.s[shown.n - 1] == '\n' || shown.s[shown.n - 1] == ' '))
				shown.s[--shown.n] = '\0';
			test_label("%s at %d: %s", text[i], w, str_text(&shown));
			count_sides(text[i], &want_left, &want_right);
			count_sides(str_text(&shown), &left, &right);
			if (pen_columns(&p, text[i]) <= w) {
				CHECK_STR(str_text(&shown), text[i]);
			} else if (!str_eq(str_text(&shown), "…")) {
				CHECK(strstr(str_text(&shown), "…"));
				CHECK_INT(left, want_left);
				CHECK_INT(right, want_right);
			}
			str_free(&shown);
		}
	grid_free(g);
}

/* True if the screen shows these words. */
static bool
shows(struct state *s, int w, int h, const char *words)
{
	struct grid *g = grid_new(w, h, false);
	struct drawn d;
	struct str text = {0};
	bool there;

	draw_screen(s, g, &d);
	grid_text(g, &text);
	there = strstr(str_text(&text), words) != NULL;
	str_free(&text);
	grid_free(g);
	return there;
}

/* The observation whose worst constraint has most terms. */
static size_t
longest_of(const struct state *s)
{
	size_t longest = 0, most = 0;

	for (size_t i = 0; i < s->answers.result->n_findings; i++) {
		const struct finding *f = &s->answers.result->finding[i];
		size_t n = 0;

		for (size_t k = 0; f->proof.n_violated && k < f->proof.violated->n; k++)
			n += f->proof.violated->coef[k] != 0;
		if (n > most) {
			most = n;
			longest = i;
		}
	}
	CHECK(most >= 8);
	return longest;
}

/* Scrolling shows every term; so does `y`. */
static void
scrolled_to_be_seen_whole(void)
{
	struct state s;
	size_t longest;
	const struct constraint *c;

	stage_open(&s, "haswell-mmu", NULL, "refs.csv", true);
	stage_compute(&s);
	longest = longest_of(&s);
	for (int i = 0; i < 20 && s.view.selected != longest; i++)
		state_act(&s, ACTION_observe_next);
	c = s.answers.result->finding[longest].proof.violated;
	s.view.focus = PANE_WHY;
	stage_compare(&s, "long-why", 80, 24, false);
	stage_compare(&s, "long-why", 120, 40, false);
	stage_compare(&s, "long-why", 200, 60, false);
	for (int round = 0; round < 2; round++)
		for (size_t k = 0; k < c->n; k++) {
			int *at = round ? &s.view.popup.cursor : &s.view.cursor[PANE_WHY];
			bool seen = false;

			if (!c->coef[k])
				continue;
			if (round)
				state_act(&s, action_for_key("y", state_scope(&s)));
			for (*at = 0; *at < 30 && !seen; ++*at)
				seen = shows(&s, 40, 10, s.question.model->counter[k].name);
			test_label("%s %s", round ? "y" : "scrolled", s.question.model->counter[k].name);
			CHECK(seen);
			*at = 0;
			if (round)
				state_act(&s, ACTION_back);
		}
	stage_close(&s);
}

/* 101 000 is not 99 558 + 1 202 + 0, but 101 k would hide that. refs.csv has totals worked out by hand. */
static void
equality_in_full(void)
{
	struct state s;

	stage_open(&s, "haswell-mmu", NULL, "refs.csv", true);
	stage_compute(&s);
	state_act(&s, ACTION_observe_next);
	CHECK_STR(s.answers.result->finding[s.view.selected].name, "sum-off");
	CHECK(shows(&s, 120, 40, "101\u2009000"));
	CHECK(shows(&s, 120, 40, "99\u2009558"));
	CHECK(shows(&s, 120, 40, "1\u2009202"));
	CHECK(!shows(&s, 120, 40, "101 k"));
	state_act(&s, ACTION_certificate);
	CHECK(shows(&s, 120, 40, "101\u2009000 against"));
	stage_close(&s);
}

/* A long name and a long number next to it keep a blank between them, in views 2 and 3. */
static void
columns_do_not_touch(void)
{
	struct state s;

	stage_open(&s, "haswell-mmu", "merging", "leak.csv", true);
	stage_compute(&s);
	state_act(&s, ACTION_observations);
	for (size_t i = 0; i < sizeof size / sizeof *size && size[i].h > 5; i++) {
		test_label("%dx%d", size[i].w, size[i].h);
		CHECK(shows(&s, size[i].w, size[i].h, " +14\u2009059"));
	}
	state_act(&s, ACTION_constraints);
	CHECK(shows(&s, 80, 24, " 4 +14\u2009059"));
	stage_close(&s);
}

/* Names that end alike stay apart where their heads are cut. */
static void
names_that_end_alike(void)
{
	static const char *const name[][2] = {
		{"l2_rqsts.miss", "longest_lat_cache.miss"},
		{"load.walk_done", "store.walk_done"},
		{"a.very_long_name_of_a_counter", "b.very_long_name_of_a_counter"},
	};
	struct grid *g = grid_new(80, 1, false);
	struct pen pen = pen_on(g, (struct rect){0, 0, 80, 1}, ROLE_TEXT);

	for (size_t i = 0; i < sizeof name / sizeof *name; i++)
		for (int columns = 4; columns < 60; columns++) {
			char *text = str_format("%s = %s", name[i][0], name[i][1]);
			char *shown = relation_fit(&pen, columns, text), *sign = strstr(shown, " = ");

			CHECK(pen_columns(&pen, shown) <= columns);
			if (sign && shown[0] != '0' && !strstr(shown, "…1"))
				test_check((size_t)(sign - shown) != strlen(sign + 3) ||
						strncmp(shown, sign + 3, strlen(sign + 3)), __FILE__, __LINE__,
					"%d columns: %s", columns, shown);
			free(text);
			free(shown);
		}
	grid_free(g);
}

TEST_MAIN(CASE(names_that_end_alike),
	CASE(columns_do_not_touch), CASE(equality_in_full), CASE(scrolled_to_be_seen_whole), CASE(every_width),
	CASE(long_constraints), CASE(exact_totals), CASE(page_faults), CASE(without_data))
