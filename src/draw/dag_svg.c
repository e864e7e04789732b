#include "draw/dag_svg.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/str.h"
#include "base/utf8.h"
#include "base/xml.h"
#include "core/udd/diagram.h"
#include "core/udd/model.h"
#include "draw/svg.h"
#include "draw/theme.h"

#define MARGIN 20.0
#define LEGEND_H 34.0
#define FONT SVG_FONT " font-size=\"12\""
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
paint_edge(const struct painter *painter, const struct layered_edge *e)
{
	const struct layered_point *point = e->point;
	size_t n = e->n_points;
	bool tip = !ends_in_label(painter, e), level = n == 4 && point[1].y == point[2].y;
	double dir = point[n - 1].y >= point[n - 2].y && !level ? 1 : -1,
	       end = point[n - 1].y - (tip ? dir * (TIP - 1) : 0);
	enum role role = e->soft ? ROLE_TEXT : ROLE_DIM;

	str_addf(painter->out, "<path d=\"M%.1f %.1f", point[0].x, point[0].y);
	for (size_t i = 1; i < n; i++) {
		double bend = level ? 0 : (point[i].y - point[i - 1].y) / 2, low = level && i == 2 ? 8 : 0;
		double y = i == n - 1 ? end : point[i].y;

		if (i % 2 == 0)
			str_addf(painter->out, "C%.1f %.1f %.1f %.1f %.1f %.1f", point[i - 1].x,
				point[i - 1].y + bend + low, point[i].x, point[i].y - bend + low, point[i].x,
				point[i].y);
		else if (fabs(y - point[i - 1].y) > 0.05)
			str_addf(painter->out, "V%.1f", y);
	}
	str_addf(painter->out, "\" fill=\"none\" stroke=\"#%06x\" stroke-width=\"%s\"%s/>\n",
		dag_svg_color(painter, role), e->soft ? "1.3" : "1.2", e->soft ? " stroke-dasharray=\"5 4\"" : "");
	if (tip)
		str_addf(painter->out, "<path d=\"M%.1f %.1fl-3.2 %.1fh6.4z\" fill=\"#%06x\"/>\n", point[n - 1].x,
			point[n - 1].y, -dir * TIP, dag_svg_color(painter, role));
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
paint_box(const struct painter *painter, const struct layered_node *node, double round, enum role stroke,
	const char *opacity)
{
	double x = node->x - node->w / 2, y = node->y - node->h / 2;

	/* fills the background first, so that no edge shines through a tint */
	str_addf(painter->out,
		"<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"%.1f\" fill=\"#%06x\"/>\n", x, y,
		node->w, node->h, round, dag_svg_color(painter, ROLE_BACKGROUND));
	str_addf(painter->out,
		"<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"%.1f\" fill=\"#%06x\" "
		"fill-opacity=\"%s\" stroke=\"#%06x\" "
		"stroke-width=\"1.3\"/>\n",
		x, y, node->w, node->h, round, dag_svg_color(painter, stroke), opacity, dag_svg_color(painter, stroke));
}

static void
paint_decision(const struct painter *painter, const struct layered_node *node, const char *text)
{
	/* a diamond, or a hexagon with slanted ends */
	double a = node->w / 2, b = node->h / 2, flat = b >= 18 || !*text ? a : b;

	str_addf(painter->out,
		"<path d=\"M%.1f %.1fL%.1f %.1fH%.1fL%.1f %.1fL%.1f %.1fH%.1fz\" fill=\"#%06x\" stroke=\"#%06x\" "
		"stroke-width=\"1.3\"/>\n",
		node->x - a, node->y, node->x - a + flat, node->y - b, node->x + a - flat, node->x + a, node->y,
		node->x + a - flat, node->y + b, node->x - a + flat, dag_svg_color(painter, ROLE_BACKGROUND),
		dag_svg_color(painter, ROLE_TEXT));
	if (*text)
		paint_text(painter, node->x, node->y, ROLE_TEXT, "", text);
}

static void
paint_node(const struct painter *painter, const struct dag_node *node, const struct layered_node *layered_node)
{
	double square = *node->text ? layered_node->x - layered_node->w / 2 + 10
				    : layered_node->x - 3.5; /* without text: the legend's pill */

	switch (node->kind) {
	case DAG_ROOT:
		paint_text(painter, layered_node->x, layered_node->y, ROLE_TEXT, " font-weight=\"bold\"", node->text);
		break;
	case DAG_EVENT:
		paint_box(painter, layered_node, 2, ROLE_DIM, "0");
		paint_text(painter, layered_node->x, layered_node->y, ROLE_TEXT, "", node->text);
		break;
	case DAG_COUNT:
		paint_box(painter, layered_node, layered_node->h / 2, ROLE_ACCENT, ".16");
		str_addf(painter->out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"7\" height=\"7\" fill=\"#%06x\"/>\n",
			square, layered_node->y - 3.5, dag_svg_color(painter, ROLE_ACCENT));
		paint_text(painter, layered_node->x + 6, layered_node->y, ROLE_TEXT, "", node->text);
		break;
	case DAG_DECISION:
		paint_decision(painter, layered_node, node->text);
		break;
	case DAG_LABEL:
		str_addf(painter->out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"#%06x\"/>\n",
			layered_node->x - layered_node->w / 2, layered_node->y - layered_node->h / 2, layered_node->w,
			layered_node->h, dag_svg_color(painter, ROLE_BACKGROUND));
		paint_text(painter, layered_node->x, layered_node->y, ROLE_DIM, " font-style=\"italic\"", node->text);
		break;
	case DAG_BAR:
		str_addf(painter->out,
			"<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"1.5\" fill=\"#%06x\"/>\n",
			layered_node->x - layered_node->w / 2, layered_node->y - layered_node->h / 2, layered_node->w,
			layered_node->h, dag_svg_color(painter, ROLE_TEXT));
		break;
	case DAG_DONE:
		str_addf(painter->out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"6\" fill=\"#%06x\"/>\n", layered_node->x,
			layered_node->y, dag_svg_color(painter, ROLE_TEXT));
		break;
	case DAG_IMPOSSIBLE:
		str_addf(painter->out,
			"<circle cx=\"%.1f\" cy=\"%.1f\" r=\"6\" fill=\"#%06x\" stroke=\"#%06x\" stroke-width=\"1.3\"/>"
			"<path d=\"M%.1f %.1fl6 6m0 -6l-6 6\" stroke=\"#%06x\" stroke-width=\"1.3\"/>\n",
			layered_node->x, layered_node->y, dag_svg_color(painter, ROLE_BACKGROUND),
			dag_svg_color(painter, ROLE_INFEASIBLE), layered_node->x - 3, layered_node->y - 3,
			dag_svg_color(painter, ROLE_INFEASIBLE));
		break;
	}
}

/* The legend of the shapes that occur. Returns its width; draws it only if `paint` is set. */
static double
legend(const struct painter *painter, double y, bool paint)
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

		for (size_t k = 0; k < painter->dag->layered.n_nodes; k++)
			any |= painter->dag->node[k].kind == row[i].kind;
		if (!any)
			continue;
		n.text = none;
		if (paint) {
			paint_node(painter, &n, &v);
			str_addf(painter->out, "<text x=\"%.1f\" y=\"%.1f\" fill=\"#%06x\">%s</text>\n", x + 28,
				y + 4.2, dag_svg_color(painter, ROLE_DIM), row[i].name);
		}
		x += 28 + 7.3 * (double)utf8_width(row[i].name) + 18;
	}
	for (size_t i = 0; i < painter->dag->layered.n_edges; i++)
		soft |= painter->dag->layered.edge[i].soft;
	if (soft && paint)
		str_addf(painter->out,
		         "<path d=\"M%.1f %.1fh28\" stroke=\"#%06x\" stroke-width=\"1.3\" stroke-dasharray=\"5 4\"/>"
		         "<text x=\"%.1f\" y=\"%.1f\" fill=\"#%06x\">happens before</text>\n",
		         x, y, dag_svg_color(painter, ROLE_TEXT), x + 34, y + 4.2, dag_svg_color(painter, ROLE_DIM));
	return soft ? x + 34 + 7.3 * 14 : x - 18;
}

bool
dag_svg(const struct udd_diagram *diagram, const struct theme *theme, struct str *out, struct err *e)
{
	struct dag *dag = dag_new(diagram, e);
	struct painter p = {dag, theme, out};
	double w, h, inner;
	char *title;

	if (!dag)
		return false;
	inner = fmax(dag->layered.w, legend(&p, 0, false));
	w = ceil(inner + 2 * MARGIN);
	h = ceil(dag->layered.h + 2 * MARGIN + LEGEND_H);
	title = str_format("Diagram of the model %s", diagram->model->name);
	svg_begin(out, w, h, theme, title);
	free(title);
	str_addf(out, "<g " FONT " transform=\"translate(%.1f %.1f)\">\n", MARGIN + (inner - dag->layered.w) / 2,
		MARGIN);
	for (size_t i = 0; i < dag->layered.n_edges; i++)
		paint_edge(&p, &dag->layered.edge[i]);
	for (size_t i = 0; i < dag->layered.n_nodes; i++)
		paint_node(&p, &dag->node[i], &dag->layered.node[i]);
	str_add(out, "</g>\n");
	str_addf(out, "<g " FONT " transform=\"translate(%.1f %.1f)\">\n", MARGIN, MARGIN);
	legend(&p, dag->layered.h + LEGEND_H - 6, true);
	str_add(out, "</g>\n");
	svg_end(out);
	dag_free(dag);
	return true;
}
