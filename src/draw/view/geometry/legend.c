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
scene_roles(const struct state *s, enum role role[PLOT_LAYERS])
{
	static const enum role fresh[PLOT_LAYERS] = {[PLOT_FILL] = ROLE_FEASIBLE,
		[PLOT_EDGE] = ROLE_FEASIBLE,
		[PLOT_INDEPENDENT] = ROLE_BORDERLINE,
		[PLOT_ROTATED] = ROLE_PATH3,
		[PLOT_SAMPLE] = ROLE_TEXT};
	enum role verdict = verdict_role(
		state_finding(s)->own.region[s->question.how.decides == REGION_CONE ? REGION_CONE : REGION_ELLIPSOID]);

	for (int k = 0; k < PLOT_LAYERS; k++)
		role[k] = state_stale(s) ? ROLE_DIM
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

static const char *
counter_name(const struct state *s, const struct scene *c, size_t i, bool brief)
{
	const char *name = s->question.model->counter[c->g->counter[i]].name;

	return brief ? brief_name(name) : name;
}

char *
axis_name(const struct state *s, const struct scene *c, const int64_t *coef)
{
	struct str out = {0};

	for (size_t i = 0; i < c->g->n; i++) {
		char letters[LETTERS_TEXT];

		if (!coef[i])
			continue;
		str_add(&out, out.n ? " + " : "");
		if (coef[i] != 1)
			str_addf(&out, "%lld ", (long long)coef[i]);
		counter_letters(s, c->g->counter[i], letters);
		str_addf(&out, "%s%s%s", counter_name(s, c, i, false), *letters ? " " : "", letters);
	}
	return str_take(&out);
}

/* The edge's normal in the smallest integers; false if they are too large. */
static bool
whole_normal(const struct scene *c, int64_t *nx, int64_t *ny)
{
	const double most = 1L << 31;
	struct geometry_point n = c->shadow.normal;
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
edge_text(const struct state *s, const struct scene *c)
{
	bool line = c->shadow.cone && c->shadow.lo.x * c->shadow.hi.y == c->shadow.lo.y * c->shadow.hi.x;
	const char **name = mem_new_array(c->g->n, sizeof *name);
	int64_t *row = edge_row(c);
	struct str out = {0};

	for (size_t i = 0; i < c->g->n; i++)
		name[i] = counter_name(s, c, i, true);
	if (row && c->shadow.normal.x != 0 && c->shadow.normal.y != 0)
		cone_row_text(row, name, c->g->n, line, false, &out);
	free(row);
	free(name);
	return out.n ? str_take(&out) : NULL;
}

/* "load.causes_walk - load.pde$_miss": the expression that is below 0. */
static void
add_direction(const struct state *s, const struct scene *c, bool brief, struct str *out)
{
	int64_t *row = edge_row(c);

	for (int sign = 1; row && sign >= -1; sign -= 2)
		for (size_t i = 0; i < c->g->n; i++) {
			int64_t times = row[i] * sign;

			if (times <= 0)
				continue;
			str_add(out, out->n ? sign > 0 ? " + " : " − " : sign > 0 ? "" : "−");
			if (times > 1)
				str_addf(out, "%lld ", (long long)times);
			str_add(out, counter_name(s, c, i, brief));
		}
	free(row);
}

static void
write_gap(const struct state *s, const struct scene *c, struct line *l)
{
	struct str direction = {0};
	char number[NUMBER_TEXT];
	int64_t nx, ny;

	add_direction(s, c, l->end - l->x < 90, &direction);
	line_add(l, ROLE_INFEASIBLE, 0, "%s misses the cone", c->g->point ? "point" : "region");
	if (c->g->point && whole_normal(c, &nx, &ny))
		line_add(l, ROLE_TEXT, 0, ": off by %s",
			number_off(number, (double)nx * c->shadow.mean.x + (double)ny * c->shadow.mean.y, false));
	else
		line_add(l, ROLE_TEXT, 0, ": margin %s", number_digits(number, c->shadow.margin, 2, false));
	line_add(l, ROLE_TEXT, 0, " along ");
	line_add(l, ROLE_TEXT, CELL_BOLD, "%s", str_text(&direction));
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
geometry_sentence(const struct state *s, struct line *l)
{
	const struct finding *f = state_finding(s);
	struct scene c;

	if (s->answers.progress.busy || *s->view.message.text || !scene_open(s, &c))
		return false;
	if (c.plane.sides && c.g->showing == 0 && f->verdict == VERDICT_INFEASIBLE && c.shadow.margin > 0) {
		line_add(l, ROLE_INFEASIBLE, 0, "No pair of counters shows this violation");
		line_add(l, ROLE_TEXT, 0, ": it takes %zu", axis_counters(&c));
		if (l->end - l->x > 60)
			line_add(l, ROLE_TEXT, 0, ". The axes are the two sides of what is violated");
	} else if (c.shadow.margin > 0) {
		write_gap(s, &c, l);
	} else if (f->verdict == VERDICT_INFEASIBLE && c.g->showing) {
		line_add(l, ROLE_TEXT, 0, "This pair does not show the violation: f finds the pair that shows it best");
	} else if (f->verdict == VERDICT_INFEASIBLE) {
		line_add(l, ROLE_TEXT, 0, "No pair of counters shows the violation: f shows its two sides");
	} else {
		line_add(l, verdict_role(f->verdict), 0, "%s meets the cone's shadow", c.g->point ? "point" : "region");
		line_add(l, ROLE_TEXT, 0, ": %s is %s", f->name, verdict_name(f->verdict));
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
add_signs(struct page *p, const struct scene *c)
{
	const struct state *s = p->s;
	enum role role[PLOT_LAYERS];
	char *words;

	scene_roles(s, role);
	legend_add_sign(p, role, PLOT_EDGE, "⡇⢸", "cone, its shadow");
	if (c->g->point) {
		legend_add_sign(p, role, PLOT_POINT, "⣎⣱", "an exact point");
		if (c->shadow.margin > 0)
			legend_add_sign(p, role, PLOT_GAP, "⠒⠒", "what is missing");
		return;
	}
	if (c->g->spread) {
		words = str_format("ellipse %g %%", s->question.how.confidence * 100);
		legend_add_sign(p, role, PLOT_ELLIPSE, "⣎⣱", words);
		free(words);
		if (scene_boxes(s, REGION_INDEPENDENT))
			legend_add_sign(p, role, PLOT_INDEPENDENT, "⣏⣹", "independent box");
		if (scene_boxes(s, REGION_BOX))
			legend_add_sign(p, role, PLOT_ROTATED, "⣏⣹", "rotated box");
	}
	words = c->g->rows > c->g->n_samples
		? str_format("%zu of %zu samples", c->g->n_samples, c->g->rows) : str_format("samples %zu", c->g->rows);
	legend_add_sign(p, role, PLOT_SAMPLE, "⠂⠐", words);
	free(words);
}

static void
add_verdicts(struct page *p, const struct scene *c)
{
	const struct finding *f = state_finding(p->s);
	struct line l;

	if (c->g->point) {
		page_words(p, ROLE_DIM, "an exact total has no spread, so no regions");
		return;
	}
	page_words(p, ROLE_DIM, "verdict by region");
	for (size_t k = 0; k < REGION_KINDS; k++) {
		static const char *const name[REGION_KINDS] = {[REGION_ELLIPSOID] = "ellipsoid",
			[REGION_BOX] = "rotated box",
			[REGION_INDEPENDENT] = "independent",
			[REGION_CONE] = "test of the cone"};

		l = page_line(p);
		line_add(&l, page_role(p, verdict_role(f->own.region[k])), 0, "%s ", verdict_mark(f->own.region[k]));
		line_add(&l, ROLE_TEXT, 0, "%s", name[k]);
	}
	page_blank(p);
	if (!isnan(c->shadow.correlation)) {
		l = page_line(p);
		line_add(&l, ROLE_DIM, 0, "correlation");
		line_add(&l, ROLE_TEXT, 0, "  %.2f", c->shadow.correlation);
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
add_pairs(struct page *p, const struct scene *c)
{
	size_t here = plane_pair(c->g, &c->plane), shown = 0, up = here < c->g->n_pairs ? c->g->pair[here].y : c->g->n;
	bool wide = p->r.w >= 36;

	page_words(p, ROLE_DIM, "pairs that show it");
	for (size_t k = 0; k < c->g->n_pairs && k < c->g->showing && shown < (wide ? 6 : 3); k++) {
		const struct geometry_pair *pair = &c->g->pair[k];
		struct line l;
		char number[NUMBER_TEXT];

		if (!wide && pair->y != up && c->g->showing > 3)
			continue;
		l = page_line(p);
		line_add(&l, ROLE_ACCENT, 0, "%s", k == here ? "▸ " : "  ");
		l.end -= 5;
		legend_add_counter(&l, p->s, c, !wide && pair->y == up ? pair->x : pair->y);
		if (wide) {
			line_add(&l, ROLE_TEXT, 0, " / ");
			legend_add_counter(&l, p->s, c, pair->x);
		}
		l.end += 5;
		line_to(&l, p->r.w - 6);
		line_add(&l, ROLE_TEXT, 0, "%s", number_digits(number, pair->margin, 2, false));
		shown++;
	}
}

void
draw_legend(const struct state *s, struct grid *g, struct rect r, bool focus, struct drawn *d)
{
	struct page p = {.s = s, .g = g, .r = r};
	struct scene c;
	char *words;

	(void)focus;
	(void)d;
	if (!scene_open(s, &c)) {
		page_words(&p, ROLE_DIM, "nothing is drawn yet");
		return;
	}
	add_signs(&p, &c);
	page_blank(&p);
	add_verdicts(&p, &c);
	if (c.g->showing) {
		add_pairs(&p, &c);
		words = str_format("%zu of %zu pairs%s", c.g->showing, c.g->all_pairs,
			c.g->showing > 1 ? "; f: the next" : "");
	} else if (state_finding(s)->verdict == VERDICT_INFEASIBLE) {
		page_blank(&p);
		words = str_format("every one of %zu pairs of counters lies inside its shadow of the cone",
			c.g->all_pairs);
	} else {
		words = str_format("none of %zu pairs shows a violation", c.g->all_pairs);
	}
	page_words(&p, ROLE_DIM, words);
	free(words);
	scene_close(&c);
}
