#include "draw/dag_svg.h"

#include <math.h>
#include <stdio.h>

#include "base/str.h"
#include "base/utf8.h"
#include "base/xml.h"
#include "draw/theme.h"

#define MARGIN 20.0
#define LEGEND_H 34.0
#define FONT "font-family=\"DejaVu Sans Mono,Liberation Mono,Menlo,Consolas,monospace\" font-size=\"12\""
#define TIP 6.0 /* length of an arrow's tip */

struct painter {
	const struct dag *dag;
	const struct theme *theme;
	struct str *out;
};

static unsigned
dag_svg_color(const struct painter *p, enum role r)
{
	return (unsigned)p->theme->role[r].rgb;
}

static bool
ends_in_label(const struct painter *p, const struct layered_edge *e)
{
	return p->dag->node[e->to].kind == DAG_LABEL;
}

/* A straight line within a layer, a curve with upright ends between layers. It ends before the arrow's tip. */
static void
paint_edge(const struct painter *p, const struct layered_edge *e)
{
	const struct layered_point *q = e->point;
	size_t n = e->n_points;
	bool tip = !ends_in_label(p, e), level = n == 4 && q[1].y == q[2].y;
	double dir = q[n - 1].y >= q[n - 2].y && !level ? 1 : -1, end = q[n - 1].y - (tip ? dir * (TIP - 1) : 0);
	enum role role = e->soft ? ROLE_TEXT : ROLE_DIM;

	str_addf(p->out, "<path d=\"M%.1f %.1f", q[0].x, q[0].y);
	for (size_t i = 1; i < n; i++) {
		double bend = level ? 0 : (q[i].y - q[i - 1].y) / 2, low = level && i == 2 ? 8 : 0;
		double y = i == n - 1 ? end : q[i].y;

		if (i % 2 == 0)
			str_addf(p->out, "C%.1f %.1f %.1f %.1f %.1f %.1f", q[i - 1].x, q[i - 1].y + bend + low, q[i].x,
				q[i].y - bend + low, q[i].x, q[i].y);
		else if (fabs(y - q[i - 1].y) > 0.05)
			str_addf(p->out, "V%.1f", y);
	}
	str_addf(p->out, "\" fill=\"none\" stroke=\"#%06x\" stroke-width=\"%s\"%s/>\n", dag_svg_color(p, role),
		e->soft ? "1.3" : "1.2", e->soft ? " stroke-dasharray=\"5 4\"" : "");
	if (tip)
		str_addf(p->out, "<path d=\"M%.1f %.1fl-3.2 %.1fh6.4z\" fill=\"#%06x\"/>\n", q[n - 1].x, q[n - 1].y,
			-dir * TIP, dag_svg_color(p, role));
}

static void
paint_text(const struct painter *p, double x, double y, enum role role, const char *more, const char *text)
{
	str_addf(p->out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\" fill=\"#%06x\"%s>", x, y + 4.2,
		dag_svg_color(p, role), more);
	xml_add(p->out, text);
	str_add(p->out, "</text>\n");
}

static void
paint_box(const struct painter *p, const struct layered_node *v, double round, enum role stroke, const char *opacity)
{
	double x = v->x - v->w / 2, y = v->y - v->h / 2;

	/* fills the background first, so that no edge shines through a tint */
	str_addf(p->out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"%.1f\" fill=\"#%06x\"/>\n", x,
		y, v->w, v->h, round, dag_svg_color(p, ROLE_BACKGROUND));
	str_addf(p->out,
		"<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"%.1f\" fill=\"#%06x\" "
		"fill-opacity=\"%s\" stroke=\"#%06x\" "
		"stroke-width=\"1.3\"/>\n",
		x, y, v->w, v->h, round, dag_svg_color(p, stroke), opacity, dag_svg_color(p, stroke));
}

static void
paint_decision(const struct painter *p, const struct layered_node *v, const char *text)
{
	/* a diamond, or a hexagon with slanted ends */
	double a = v->w / 2, b = v->h / 2, flat = b >= 18 || !*text ? a : b;

	str_addf(p->out,
		"<path d=\"M%.1f %.1fL%.1f %.1fH%.1fL%.1f %.1fL%.1f %.1fH%.1fz\" fill=\"#%06x\" stroke=\"#%06x\" "
		"stroke-width=\"1.3\"/>\n",
		v->x - a, v->y, v->x - a + flat, v->y - b, v->x + a - flat, v->x + a, v->y, v->x + a - flat, v->y + b,
		v->x - a + flat, dag_svg_color(p, ROLE_BACKGROUND), dag_svg_color(p, ROLE_TEXT));
	if (*text)
		paint_text(p, v->x, v->y, ROLE_TEXT, "", text);
}

static void
paint_node(const struct painter *p, const struct dag_node *n, const struct layered_node *v)
{
	double square = *n->text ? v->x - v->w / 2 + 10 : v->x - 3.5; /* without text: the legend's pill */

	switch (n->kind) {
	case DAG_ROOT:
		paint_text(p, v->x, v->y, ROLE_TEXT, " font-weight=\"bold\"", n->text);
		break;
	case DAG_EVENT:
		paint_box(p, v, 2, ROLE_DIM, "0");
		paint_text(p, v->x, v->y, ROLE_TEXT, "", n->text);
		break;
	case DAG_COUNT:
		paint_box(p, v, v->h / 2, ROLE_ACCENT, ".16");
		str_addf(p->out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"7\" height=\"7\" fill=\"#%06x\"/>\n", square,
			v->y - 3.5, dag_svg_color(p, ROLE_ACCENT));
		paint_text(p, v->x + 6, v->y, ROLE_TEXT, "", n->text);
		break;
	case DAG_DECISION:
		paint_decision(p, v, n->text);
		break;
	case DAG_LABEL:
		str_addf(p->out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"#%06x\"/>\n",
			v->x - v->w / 2, v->y - v->h / 2, v->w, v->h, dag_svg_color(p, ROLE_BACKGROUND));
		paint_text(p, v->x, v->y, ROLE_DIM, " font-style=\"italic\"", n->text);
		break;
	case DAG_BAR:
		str_addf(p->out,
			"<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"1.5\" fill=\"#%06x\"/>\n",
			v->x - v->w / 2, v->y - v->h / 2, v->w, v->h, dag_svg_color(p, ROLE_TEXT));
		break;
	case DAG_DONE:
		str_addf(p->out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"6\" fill=\"#%06x\"/>\n", v->x, v->y,
			dag_svg_color(p, ROLE_TEXT));
		break;
	case DAG_IMPOSSIBLE:
		str_addf(p->out,
			"<circle cx=\"%.1f\" cy=\"%.1f\" r=\"6\" fill=\"#%06x\" stroke=\"#%06x\" stroke-width=\"1.3\"/>"
			"<path d=\"M%.1f %.1fl6 6m0 -6l-6 6\" stroke=\"#%06x\" stroke-width=\"1.3\"/>\n",
			v->x, v->y, dag_svg_color(p, ROLE_BACKGROUND), dag_svg_color(p, ROLE_INFEASIBLE), v->x - 3,
			v->y - 3, dag_svg_color(p, ROLE_INFEASIBLE));
		break;
	}
}

/* The legend of the shapes that occur. Returns its width; draws it only if `paint` is set. */
static double
legend(const struct painter *p, double y, bool paint)
{
	static const struct {
		enum dag_kind kind;
		const char *name;
	} row[] = {{DAG_DECISION, "decision"}, {DAG_COUNT, "counter"}, {DAG_EVENT, "event"}, {DAG_BAR, "both"},
		{DAG_DONE, "µpath ends"}, {DAG_IMPOSSIBLE, "impossible"}};
	double x = 0;
	bool soft = false;

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct layered_node v = {.w = row[i].kind == DAG_BAR ? 18 : 22, .h = row[i].kind == DAG_BAR ? 5 : 12,
			.x = x + 11, .y = y};
		struct dag_node n = {.kind = row[i].kind, .text = NULL};
		char none[] = "";
		bool any = false;

		for (size_t k = 0; k < p->dag->layered.n_nodes; k++)
			any |= p->dag->node[k].kind == row[i].kind;
		if (!any)
			continue;
		n.text = none;
		if (paint) {
			paint_node(p, &n, &v);
			str_addf(p->out, "<text x=\"%.1f\" y=\"%.1f\" fill=\"#%06x\">%s</text>\n", x + 28, y + 4.2,
				dag_svg_color(p, ROLE_DIM), row[i].name);
		}
		x += 28 + 7.3 * (double)utf8_width(row[i].name) + 18;
	}
	for (size_t i = 0; i < p->dag->layered.n_edges; i++)
		soft |= p->dag->layered.edge[i].soft;
	if (soft && paint)
		str_addf(p->out,
		         "<path d=\"M%.1f %.1fh28\" stroke=\"#%06x\" stroke-width=\"1.3\" stroke-dasharray=\"5 4\"/>"
		         "<text x=\"%.1f\" y=\"%.1f\" fill=\"#%06x\">happens before</text>\n",
		         x, y, dag_svg_color(p, ROLE_TEXT), x + 34, y + 4.2, dag_svg_color(p, ROLE_DIM));
	return soft ? x + 34 + 7.3 * 14 : x - 18;
}

bool
dag_svg(const struct udd_diagram *d, const struct theme *theme, struct str *out, struct err *e)
{
	struct dag *dag = dag_new(d, e);
	struct painter p = {dag, theme, out};
	double w, h, inner;

	if (!dag)
		return false;
	inner = fmax(dag->layered.w, legend(&p, 0, false));
	w = ceil(inner + 2 * MARGIN);
	h = ceil(dag->layered.h + 2 * MARGIN + LEGEND_H);
	str_addf(out,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\">\n",
		w, h, w, h);
	str_addf(out, "<rect width=\"%.0f\" height=\"%.0f\" fill=\"#%06x\"/>\n", w, h,
		dag_svg_color(&p, ROLE_BACKGROUND));
	str_addf(out, "<g " FONT " transform=\"translate(%.1f %.1f)\">\n", MARGIN + (inner - dag->layered.w) / 2,
		MARGIN);
	for (size_t i = 0; i < dag->layered.n_edges; i++)
		paint_edge(&p, &dag->layered.edge[i]);
	for (size_t i = 0; i < dag->layered.n_nodes; i++)
		paint_node(&p, &dag->node[i], &dag->layered.node[i]);
	str_add(out, "</g>\n");
	str_addf(out, "<g " FONT " transform=\"translate(%.1f %.1f)\">\n", MARGIN, MARGIN);
	legend(&p, dag->layered.h + LEGEND_H - 6, true);
	str_add(out, "</g>\n</svg>\n");
	dag_free(dag);
	return true;
}
