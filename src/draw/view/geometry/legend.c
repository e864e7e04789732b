/* The legend of view 4: what is drawn in which colours, and what it means. */
#include "draw/view/geometry/geometry.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/number.h"
#include "base/str.h"
#include "core/cone/cone.h"
#include "core/udd/model.h"
#include "draw/view/view_page.h"
#include "draw/view/view_trust.h"
#include "explorer/state/state_relax.h"
#include "work/analysis/words.h"

bool
scene_open(const struct state *s, struct scene *c)
{
	*c = (struct scene){.g = state_geometry(s)};
	if (!c->g || !state_plane(s, &c->plane))
		return false;
	geometry_shadow(c->g, c->plane.x, c->plane.y, (enum region_kind)s->question.how.decides, &c->shadow);
	return true;
}

void
scene_close(struct scene *c)
{
	plane_clear(&c->plane);
	shadow_clear(&c->shadow);
}

void
scene_roles(const struct state *state, enum role role[PLOT_LAYERS])
{
	static const enum role fresh[PLOT_LAYERS] = {[PLOT_FILL] = ROLE_FEASIBLE,
		[PLOT_EDGE] = ROLE_FEASIBLE,
		[PLOT_INDEPENDENT] = ROLE_BORDERLINE,
		[PLOT_ROTATED] = ROLE_PATH3,
		[PLOT_SAMPLE] = ROLE_TEXT};
	enum role verdict = verdict_role(
		state_finding(state)
			->own.region[state->question.how.decides == REGION_CONE ? REGION_CONE : REGION_ELLIPSOID]);

	for (int k = 0; k < PLOT_LAYERS; k++)
		role[k] = state_stale(state) ? ROLE_DIM
			: k == PLOT_ELLIPSE || k == PLOT_POINT || k == PLOT_GAP ? verdict : fresh[k];
}

bool
scene_boxes(const struct state *s, enum region_kind kind)
{
	bool decides = (int)kind == s->question.how.decides;

	return kind == REGION_ELLIPSOID || decides ||
		(kind == REGION_INDEPENDENT && s->view.plot.boxes != BOXES_NONE) || s->view.plot.boxes == BOXES_BOTH;
}

static const char *
brief_name(const char *name)
{
	const char *dot = strrchr(name, '.');

	return dot && dot[1] ? dot + 1 : name;
}

/* `brief`: only what follows the last dot, unless another counter of the axes ends in the same. */
static const char *
counter_name(const struct state *s, const struct scene *c, size_t i, bool brief)
{
	const struct udd_counter *counter = s->question.model->counter;
	const char *name = counter[c->g->counter[i]].name;

	for (size_t k = 0; brief && k < c->g->n; k++)
		if (k != i && (c->plane.x[k] || c->plane.y[k]) &&
			str_eq(brief_name(name), brief_name(counter[c->g->counter[k]].name)))
			return name;
	return brief ? brief_name(name) : name;
}

char *
axis_name(const struct state *state, const struct scene *scene, const int64_t *coef)
{
	struct str out = {0};

	for (size_t i = 0; i < scene->g->n; i++) {
		char letters[LETTERS_TEXT];

		if (!coef[i])
			continue;
		str_add(&out, out.n ? " + " : "");
		if (coef[i] != 1)
			str_addf(&out, "%lld ", (long long)coef[i]);
		counter_letters(state, scene->g->counter[i], letters);
		str_addf(&out, "%s%s%s", counter_name(state, scene, i, false), *letters ? " " : "", letters);
	}
	return str_take(&out);
}

/* The edge's normal in the smallest integers; false if they are too large. */
static bool
whole_normal(const struct scene *scene, int64_t *nx, int64_t *ny)
{
	const double most = 1L << 31;
	struct geometry_point n = scene->shadow.normal;
	int64_t a, b;

	if (fabs(n.x) > most || fabs(n.y) > most)
		return false;
	*nx = a = (int64_t)n.x;
	*ny = b = (int64_t)n.y;
	while (b) {
		int64_t rest = a % b;

		a = b;
		b = rest;
	}
	a = a < 0 ? -a : a;
	if (a > 1) {
		*nx /= a;
		*ny /= a;
	}
	return true;
}

/* The edge over the model's counters; NULL if it has none. */
static int64_t *
edge_row(const struct scene *c)
{
	int64_t nx, ny, *row;

	if (!whole_normal(c, &nx, &ny))
		return NULL;
	row = mem_new_array(c->g->n, sizeof *row);
	for (size_t i = 0; i < c->g->n; i++)
		row[i] = nx * c->plane.x[i] + ny * c->plane.y[i];
	return row;
}

char *
edge_text(const struct state *state, const struct scene *scene)
{
	bool line = scene->shadow.cone &&
		scene->shadow.lo.x * scene->shadow.hi.y == scene->shadow.lo.y * scene->shadow.hi.x;
	const char **name = mem_new_array(scene->g->n, sizeof *name);
	int64_t *row = edge_row(scene);
	struct str out = {0};

	for (size_t i = 0; i < scene->g->n; i++)
		name[i] = counter_name(state, scene, i, true);
	if (row && scene->shadow.normal.x != 0 && scene->shadow.normal.y != 0)
		cone_row_text(row, name, scene->g->n, line, false, &out);
	free(row);
	free(name);
	return out.n ? str_take(&out) : NULL;
}

/* "load.causes_walk - load.pde$_miss": the expression that is below 0. */
static void
add_direction(const struct state *state, const struct scene *scene, bool brief, struct str *out)
{
	int64_t *row = edge_row(scene);

	for (int sign = 1; row && sign >= -1; sign -= 2)
		for (size_t i = 0; i < scene->g->n; i++) {
			int64_t times = row[i] * sign;

			if (times <= 0)
				continue;
			str_add(out, out->n ? sign > 0 ? " + " : " − " : sign > 0 ? "" : "−");
			if (times > 1)
				str_addf(out, "%lld ", (long long)times);
			str_add(out, counter_name(state, scene, i, brief));
		}
	free(row);
}

static void
write_gap(const struct state *state, const struct scene *scene, struct line *line)
{
	struct str direction = {0};
	char number[NUMBER_TEXT];
	int64_t nx, ny;

	add_direction(state, scene, line->end - line->x < 90, &direction);
	line_add(line, ROLE_INFEASIBLE, 0, "%s misses the cone", scene->g->point ? "point" : "region");
	if (scene->g->point && whole_normal(scene, &nx, &ny))
		line_add(line, ROLE_TEXT, 0, ": off by %s",
			number_off(
				number, (double)nx * scene->shadow.mean.x + (double)ny * scene->shadow.mean.y, false));
	else
		line_add(line, ROLE_TEXT, 0, ": margin %s", number_digits(number, scene->shadow.margin, 2, false));
	line_add(line, ROLE_TEXT, 0, " along ");
	line_add(line, ROLE_TEXT, CELL_BOLD, "%s", str_text(&direction));
	str_free(&direction);
}

static size_t
axis_counters(const struct scene *c)
{
	size_t n = 0;

	for (size_t i = 0; i < c->g->n; i++)
		n += c->plane.x[i] || c->plane.y[i];
	return n;
}

bool
geometry_sentence(const struct state *state, struct line *line)
{
	const struct finding *finding = state_finding(state);
	struct scene c;

	if (state->answers.progress.busy || *state->view.message.text || !scene_open(state, &c))
		return false;
	if (c.plane.sides && c.g->showing == 0 && finding->verdict == VERDICT_INFEASIBLE && c.shadow.margin > 0) {
		line_add(line, ROLE_INFEASIBLE, 0, "No pair of counters shows this violation");
		line_add(line, ROLE_TEXT, 0, ": it takes %zu", axis_counters(&c));
		if (line->end - line->x > 60)
			line_add(line, ROLE_TEXT, 0, ". The axes are the two sides of what is violated");
	} else if (c.shadow.margin > 0) {
		write_gap(state, &c, line);
	} else if (finding->verdict == VERDICT_INFEASIBLE && c.g->showing) {
		line_add(line, ROLE_TEXT, 0,
			"This pair does not show the violation: f finds the pair that shows it best");
	} else if (finding->verdict == VERDICT_INFEASIBLE) {
		line_add(line, ROLE_TEXT, 0,
			c.plane.sides || !state->view.plot.chosen
				? "No two axes show this violation: it takes all counters together"
				: "No pair of counters shows the violation: f shows its two sides");
	} else {
		line_add(line, verdict_role(finding->verdict), 0, "%s meets the cone's shadow",
			c.g->point ? "point" : "region");
		line_add(line, ROLE_TEXT, 0, ": %s is %s", finding->name, verdict_name(finding->verdict));
	}
	scene_close(&c);
	return true;
}

static void
legend_add_sign(
	struct page *p, const enum role role[PLOT_LAYERS], enum plot_layer layer, const char *sign, const char *words)
{
	struct line l = page_line(p);

	if (p->g->ascii)
		line_add(&l, role[layer], 0, "%c%c", plot_sign(layer), plot_sign(layer));
	else
		line_add(&l, role[layer], 0, "%s", sign);
	line_gap(&l, 1);
	line_add(&l, ROLE_TEXT, 0, "%s", words);
}

static void
add_signs(struct page *page, const struct scene *scene)
{
	const struct state *state = page->s;
	enum role role[PLOT_LAYERS];
	char *words;

	scene_roles(state, role);
	legend_add_sign(page, role, PLOT_EDGE, "⡇⢸", "cone, its shadow");
	if (scene->g->point) {
		legend_add_sign(page, role, PLOT_POINT, "⣎⣱", "an exact point");
		if (scene->shadow.margin > 0)
			legend_add_sign(page, role, PLOT_GAP, "⠒⠒", "what is missing");
		return;
	}
	if (scene->g->spread) {
		words = str_format("ellipse %g %%", state->question.how.confidence * 100);
		legend_add_sign(page, role, PLOT_ELLIPSE, "⣎⣱", words);
		free(words);
		if (scene_boxes(state, REGION_INDEPENDENT))
			legend_add_sign(page, role, PLOT_INDEPENDENT, "⣏⣹", "independent box");
		if (scene_boxes(state, REGION_BOX))
			legend_add_sign(page, role, PLOT_ROTATED, "⣏⣹", "rotated box");
	}
	words = scene->g->rows > scene->g->n_samples
		? str_format("%zu of %zu samples", scene->g->n_samples, scene->g->rows)
		: str_format("samples %zu", scene->g->rows);
	legend_add_sign(page, role, PLOT_SAMPLE, "⠂⠐", words);
	free(words);
}

/* What would make a refuted observation feasible: Space switches it on. */
static void
add_repair(struct page *page)
{
	const struct state *state = page->s;
	const struct finding *finding = state_finding(state);
	struct str words = {0}, names = {0};
	struct repair repair;

	if (finding->verdict != VERDICT_INFEASIBLE || !state->question.model->n_features || state_stale(state))
		return;
	if (state_repair(state, &repair)) {
		words_features(state->question.model, &repair.added, &names);
		str_addf(&words, "Space switches %s on: frees ", str_text(&names));
		if (repair.frees && repair.freed > 1)
			str_addf(&words, "this one and %zu more", repair.freed - 1);
		else if (repair.frees)
			str_add(&words, "this one");
		else
			str_addf(&words, "%zu of %zu, not this one", repair.freed, repair.asked);
	} else if (!state_relaxers(state, state_why_row(state))) {
		str_add(&words, "looking for the feature that frees it");
	} else {
		str_add(&words, "no feature that is off frees it");
	}
	page_words(page, names.n ? ROLE_ACCENT : ROLE_DIM, str_text(&words));
	page_blank(page);
	str_free(&words);
	str_free(&names);
}

static void
add_verdicts(struct page *page, const struct scene *scene)
{
	const struct finding *finding = state_finding(page->s);
	struct line l;

	if (scene->g->point) {
		page_words(page, ROLE_DIM, "an exact total has no spread, so no regions");
		return;
	}
	page_words(page, ROLE_DIM, "verdict by region");
	for (size_t k = 0; k < REGION_KINDS; k++) {
		static const char *const name[REGION_KINDS] = {[REGION_ELLIPSOID] = "ellipsoid",
			[REGION_BOX] = "rotated box",
			[REGION_INDEPENDENT] = "independent",
			[REGION_CONE] = "test of the cone"};

		l = page_line(page);
		line_add(&l, page_role(page, verdict_role(finding->own.region[k])), 0, "%s ",
			verdict_mark(finding->own.region[k]));
		line_add(&l, ROLE_TEXT, 0, "%s", name[k]);
	}
	page_blank(page);
	if (!isnan(scene->shadow.correlation)) {
		l = page_line(page);
		line_add(&l, ROLE_DIM, 0, "correlation");
		line_add(&l, ROLE_TEXT, 0, "  %.2f", scene->shadow.correlation);
	}
}

/* "causes_walk hp": of a name that is too long, its end is left out, and the letters stay. */
static void
legend_add_counter(struct line *l, const struct state *s, const struct scene *c, size_t i)
{
	char letters[LETTERS_TEXT];
	int width = pen_columns(&l->pen, counter_letters(s, c->g->counter[i], letters));

	width += width ? 1 : 0;
	l->end -= width;
	line_add(l, ROLE_TEXT, 0, "%s", counter_name(s, c, i, true));
	l->end += width;
	line_add(l, ROLE_BORDERLINE, 0, "%s%s", width ? " " : "", letters);
}

/* "▸ causes_walk 0.41": pairs with the counter on the y axis, or, with enough room, all pairs by both names. */
static void
add_pairs(struct page *page, const struct scene *scene)
{
	size_t here = plane_pair(scene->g, &scene->plane), shown = 0,
	       up = here < scene->g->n_pairs ? scene->g->pair[here].y : scene->g->n;
	bool wide = page->r.w >= 36;

	page_words(page, ROLE_DIM, "pairs that show it");
	for (size_t k = 0; k < scene->g->n_pairs && k < scene->g->showing && shown < (wide ? 6 : 3); k++) {
		const struct geometry_pair *pair = &scene->g->pair[k];
		struct line l;
		char number[NUMBER_TEXT];

		if (!wide && pair->y != up && scene->g->showing > 3)
			continue;
		l = page_line(page);
		line_add(&l, ROLE_ACCENT, 0, "%s", k == here ? "▸ " : "  ");
		l.end -= 5;
		legend_add_counter(&l, page->s, scene, !wide && pair->y == up ? pair->x : pair->y);
		if (wide) {
			line_add(&l, ROLE_TEXT, 0, " / ");
			legend_add_counter(&l, page->s, scene, pair->x);
		}
		l.end += 5;
		line_to(&l, page->r.w - 6);
		line_add(&l, ROLE_TEXT, 0, "%s", number_digits(number, pair->margin, 2, false));
		shown++;
	}
}

/* What the counters on the axes are. */
static void
add_axes(struct page *page, const struct scene *scene)
{
	const struct udd_model *model = page->s->question.model;

	page_blank(page);
	for (size_t i = 0; i < scene->g->n && !page_full(page); i++) {
		const struct udd_counter *counter = &model->counter[scene->g->counter[i]];
		char *text = str_format("%s: %s", counter_name(page->s, scene, i, true), counter->text);

		if ((scene->plane.x[i] || scene->plane.y[i]) && *counter->text)
			page_words(page, ROLE_DIM, text);
		free(text);
	}
}

void
draw_legend(const struct state *state, struct grid *grid, struct rect r, bool focus, struct drawn *drawn)
{
	struct page p = {.s = state, .g = grid, .r = r};
	struct scene c;
	char *words;

	(void)focus;
	(void)drawn;
	if (!scene_open(state, &c)) {
		page_words(&p, ROLE_DIM, "nothing is drawn yet");
		return;
	}
	add_signs(&p, &c);
	page_blank(&p);
	add_repair(&p);
	add_verdicts(&p, &c);
	if (c.g->showing) {
		add_pairs(&p, &c);
		words = str_format("%zu of %zu pairs%s", c.g->showing, c.g->all_pairs,
			c.g->showing > 1 ? "; f: the next" : "");
	} else if (state_finding(state)->verdict == VERDICT_INFEASIBLE) {
		page_blank(&p);
		words = str_format("every one of %zu pairs of counters lies inside its shadow of the cone",
			c.g->all_pairs);
	} else {
		words = str_format("none of %zu pairs shows a violation", c.g->all_pairs);
	}
	page_words(&p, ROLE_DIM, words);
	free(words);
	add_axes(&p, &c);
	scene_close(&c);
}
