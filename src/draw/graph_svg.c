#include "draw/graph_svg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "base/utf8.h"
#include "base/xml.h"
#include "core/search/search_graph.h"
#include "core/udd/model.h"
#include "draw/layered.h"
#include "draw/svg.h"
#include "draw/theme.h"

#define MARGIN 20.0
#define LINE_H 16.0
#define CHAR_W 7.3
#define TIP 6.0
#define SETS_SHOWN 4      /* columns of a box */
#define TEXT_MAX 44       /* columns of a set; longer ones end in "…" */
#define LEGEND_H 40.0
#define FONT SVG_FONT " font-size=\"12\""

/* One cone. */
struct box {
	size_t *model;
	size_t n;
	bool minimal, start;
};

struct painter {
	const struct search_graph *g;
	const struct udd_model *m;
	const struct theme *theme;
	struct str *out;
	struct box *box;
	size_t n_boxes, left_out;
	size_t *box_of;           /* per model; SIZE_MAX: not shown */
	struct layered lay;
	bool *discovery;          /* per edge of the drawing */
};

static unsigned
graph_svg_color(const struct painter *p, enum role r)
{
	return (unsigned)p->theme->role[r].rgb;
}

/* Collects equal cones in one box; sets that make no model get none. The smallest survivors are shown even beyond the
 * limit. */
static void
make_boxes(struct painter *painter)
{
	const struct search_graph *graph = painter->g;

	painter->box = mem_new_array(graph->n_models, sizeof *painter->box);
	painter->box_of = mem_new_array(graph->n_models, sizeof *painter->box_of);
	for (size_t i = 0; i < graph->n_models; i++) {
		size_t k = 0;

		painter->box_of[i] = SIZE_MAX;
		if (!graph->model[i].usable)
			continue;
		while (k < painter->n_boxes && graph->model[painter->box[k].model[0]].cone != graph->model[i].cone)
			k++;
		if (k == painter->n_boxes && k >= GRAPH_BOXES_MAX && !search_graph_is_minimal(graph, i)) {
			painter->left_out++;
			continue;
		}
		if (k == painter->n_boxes) {
			painter->box[k].model = mem_new_array(graph->n_models, sizeof *painter->box[k].model);
			painter->n_boxes++;
		}
		painter->box[k].model[painter->box[k].n++] = i;
		painter->box[k].minimal |= search_graph_is_minimal(graph, i);
		painter->box[k].start |= graph->model[i].step == GRAPH_START;
		painter->box_of[i] = k;
	}
}

/* "early_psc, merging"; the caller frees. */
static char *
set_text(const struct painter *painter, size_t model)
{
	struct str text = {0};
	size_t n = 0;

	for (size_t i = 0; i < painter->m->n_features; i++)
		if (fset_has(&painter->g->model[model].on, i))
			str_addf(&text, "%s%s", n++ ? ", " : "", painter->m->feature[i].name);
	if (!n)
		str_add(&text, "no features");
	if (utf8_width(str_text(&text)) > TEXT_MAX) {
		text.n = utf8_fit(text.s, TEXT_MAX - 1);
		str_add(&text, "…");
	}
	return str_take(&text);
}

/* The text of a box below its sets; the caller frees. */
static char *
verdict_text(const struct painter *p, const struct box *b)
{
	const struct search_graph_model *m = &p->g->model[b->model[0]];

	if (m->survives && search_graph_undecided(p->g))
		return mem_str("? nothing decided");
	if (m->survives)
		return mem_str(b->minimal ? "✓ smallest survivor" : "✓ survives");
	return str_format("✗ refuted by %zu of %zu", m->infeasible, p->g->n_observations);
}

static size_t
lines_of(const struct box *b)
{
	return (b->n < SETS_SHOWN ? b->n : SETS_SHOWN) + (b->n > SETS_SHOWN) + 1;
}

static void
size_boxes(struct painter *painter)
{
	painter->lay.node = mem_new_array(painter->n_boxes, sizeof *painter->lay.node);
	painter->lay.n_nodes = painter->n_boxes;
	for (size_t i = 0; i < painter->n_boxes; i++) {
		char *text = verdict_text(painter, &painter->box[i]);
		size_t w = utf8_width(text);

		free(text);
		for (size_t k = 0; k < painter->box[i].n && k < SETS_SHOWN; k++) {
			text = set_text(painter, painter->box[i].model[k]);
			w = utf8_width(text) > w ? utf8_width(text) : w;
			free(text);
		}
		painter->lay.node[i] = (struct layered_node){.w = (double)w * CHAR_W + 22,
			.h = (double)lines_of(&painter->box[i]) * LINE_H + 12,
			.spread = true};
	}
}

/* Is there a path from one box to another already? */
static bool
leads(const struct painter *painter, size_t from, size_t to)
{
	bool *seen = mem_new_array(painter->n_boxes, sizeof *seen), found = false;
	size_t *stack = mem_new_array(painter->n_boxes, sizeof *stack), n = 0;

	seen[from] = true;
	stack[n++] = from;
	while (n && !found) {
		size_t at = stack[--n];

		found = at == to;
		for (size_t i = 0; i < painter->lay.n_edges; i++) {
			const struct layered_edge *edge = &painter->lay.edge[i];

			if (edge->from == at && !edge->soft && !seen[edge->to]) {
				seen[edge->to] = true;
				stack[n++] = edge->to;
			}
		}
	}
	free(seen);
	free(stack);
	return found;
}

static void
make_edges(struct painter *painter)
{
	painter->lay.edge = mem_new_array(painter->g->n_edges, sizeof *painter->lay.edge);
	painter->discovery = mem_new_array(painter->g->n_edges, sizeof *painter->discovery);
	for (size_t i = 0; i < painter->g->n_edges; i++) {
		const struct search_graph_edge *edge = &painter->g->edge[i];
		size_t from = painter->box_of[edge->from], to = painter->box_of[edge->to], k = 0;

		if (from == SIZE_MAX || to == SIZE_MAX || from == to)
			continue;
		while (k < painter->lay.n_edges &&
			!(painter->lay.edge[k].from == from && painter->lay.edge[k].to == to))
			k++;
		if (k < painter->lay.n_edges)
			continue;
		/* An edge that would close a cycle becomes soft, because layers cannot hold cycles. */
		painter->lay.edge[k] = (struct layered_edge){.from = from, .to = to, .soft = leads(painter, to, from)};
		painter->discovery[k] = edge->step != GRAPH_ELIMINATION;
		painter->lay.n_edges++;
	}
}

static void
paint_edge(const struct painter *painter, size_t number)
{
	const struct layered_edge *edge = &painter->lay.edge[number];
	const struct layered_point *point = edge->point;
	size_t n = edge->n_points;
	double dir;

	if (n < 2)
		return;
	dir = painter->lay.node[edge->to].y >= point[n - 1].y ? 1 : -1;
	str_addf(painter->out, "<path d=\"M%.1f %.1f", point[0].x, point[0].y);
	for (size_t i = 1; i < n; i++) {
		double bend = (point[i].y - point[i - 1].y) / 2,
		       y = i == n - 1 ? point[i].y - dir * (TIP - 1) : point[i].y;

		if (i % 2 == 0)
			str_addf(painter->out, "C%.1f %.1f %.1f %.1f %.1f %.1f", point[i - 1].x, point[i - 1].y + bend,
				point[i].x, point[i].y - bend, point[i].x, point[i].y);
		else
			str_addf(painter->out, "L%.1f %.1f", point[i].x, y);
	}
	str_addf(painter->out, "\" fill=\"none\" stroke=\"#%06x\" stroke-width=\"1.3\"%s/>\n",
		graph_svg_color(painter, painter->discovery[number] ? ROLE_TEXT : ROLE_DIM),
		painter->discovery[number] ? "" : " stroke-dasharray=\"5 4\"");
	str_addf(painter->out, "<path d=\"M%.1f %.1fl-3.4 %.1fh6.8z\" fill=\"#%06x\"/>\n", point[n - 1].x,
		point[n - 1].y, -dir * TIP,
		graph_svg_color(painter, painter->discovery[number] ? ROLE_TEXT : ROLE_DIM));
}

static void
paint_text(const struct painter *p, double x, double y, enum role role, const char *more, const char *text)
{
	str_addf(p->out, "<text x=\"%.1f\" y=\"%.1f\" fill=\"#%06x\"%s>", x, y, graph_svg_color(p, role), more);
	xml_add(p->out, text);
	str_add(p->out, "</text>\n");
}

static void
paint_frame(const struct painter *p, double x, double y, double w, double h, enum role role, bool strong)
{
	str_addf(p->out,
		"<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"#%06x\" stroke=\"#%06x\" "
		"stroke-width=\"%s\"/>\n",
		x, y, w, h, graph_svg_color(p, ROLE_BACKGROUND), graph_svg_color(p, role), strong ? "1.6" : "1.2");
	if (strong)
		str_addf(p->out,
			"<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"none\" stroke=\"#%06x\" "
			"stroke-width=\"1\"/>\n",
			x + 3, y + 3, w - 6, h - 6, graph_svg_color(p, role));
}

static void
paint_box(const struct painter *painter, size_t i)
{
	const struct box *box = &painter->box[i];
	const struct layered_node *node = &painter->lay.node[i];
	bool undecided = search_graph_undecided(painter->g),
	     survives = painter->g->model[box->model[0]].survives && !undecided;
	enum role role = survives ? ROLE_FEASIBLE : undecided ? ROLE_UNDECIDED : ROLE_INFEASIBLE;
	double x = node->x - node->w / 2, y = node->y - node->h / 2, at = y + LINE_H + 3;
	char *text;

	paint_frame(painter, x, y, node->w, node->h, role, survives);
	for (size_t k = 0; k < box->n && k < SETS_SHOWN; k++, at += LINE_H) {
		text = set_text(painter, box->model[k]);
		paint_text(painter, x + 11, at, ROLE_TEXT,
			search_graph_is_minimal(painter->g, box->model[k]) ? " font-weight=\"bold\"" : "", text);
		free(text);
	}
	if (box->n > SETS_SHOWN) {
		text = str_format("and %zu more sets", box->n - SETS_SHOWN);
		paint_text(painter, x + 11, at, ROLE_DIM, "", text);
		at += LINE_H;
		free(text);
	}
	text = verdict_text(painter, box);
	paint_text(painter, x + 11, at, role, box->start ? " font-style=\"italic\"" : "", text);
	free(text);
}

#define LEGEND "boxes: cones, with the features that make them · double border: survives · bold: smallest survivor"

static void
paint_legend(const struct painter *p, double y)
{
	paint_text(p, 0, y, ROLE_DIM, "", LEGEND);
	str_addf(p->out, "<path d=\"M0 %.1fh28\" stroke=\"#%06x\" stroke-width=\"1.3\"/>\n", y + 14,
		graph_svg_color(p, ROLE_TEXT));
	paint_text(p, 34, y + 18, ROLE_DIM, "", "discovery, or by hand");
	str_addf(p->out, "<path d=\"M210 %.1fh28\" stroke=\"#%06x\" stroke-width=\"1.3\" stroke-dasharray=\"5 4\"/>\n",
		y + 14, graph_svg_color(p, ROLE_DIM));
	paint_text(p, 244, y + 18, ROLE_DIM, "", "elimination");
	if (p->left_out) {
		char *more = str_format("%zu more models are not shown", p->left_out);

		paint_text(p, 350, y + 18, ROLE_DIM, "", more);
		free(more);
	}
}

static void
paint(struct painter *painter)
{
	double inner = fmax(painter->lay.w, CHAR_W * (double)utf8_width(LEGEND)), w = ceil(inner + 2 * MARGIN),
	       h = ceil(painter->lay.h + 2 * MARGIN + LEGEND_H);
	char *title = str_format("Search over models of %s", painter->m->name);

	svg_begin(painter->out, w, h, painter->theme, title);
	free(title);
	str_addf(painter->out, "<g " FONT " transform=\"translate(%.1f %.1f)\">\n",
		MARGIN + (inner - painter->lay.w) / 2, MARGIN);
	for (size_t i = 0; i < painter->lay.n_edges; i++)
		paint_edge(painter, i);
	for (size_t i = 0; i < painter->n_boxes; i++)
		paint_box(painter, i);
	str_addf(painter->out, "</g>\n<g " FONT " transform=\"translate(%.1f %.1f)\">\n", MARGIN, MARGIN);
	if (painter->n_boxes)
		paint_legend(painter, painter->lay.h + 28);
	else
		paint_text(painter, 0, LINE_H, ROLE_DIM, "", "no model was tested");
	str_add(painter->out, "</g>\n");
	svg_end(painter->out);
}

void
graph_svg(const struct search_graph *graph, const struct udd_model *model, const struct theme *theme, struct str *out)
{
	struct painter p = {.g = graph, .m = model, .theme = theme, .out = out, .lay = {.gap_x = 24, .gap_y = 44}};

	make_boxes(&p);
	size_boxes(&p);
	make_edges(&p);
	if (p.n_boxes)
		layered_lay(&p.lay);
	paint(&p);
	layered_free(&p.lay);
	for (size_t i = 0; i < p.n_boxes; i++)
		free(p.box[i].model);
	free(p.box);
	free(p.box_of);
	free(p.discovery);
	free(p.lay.node);
	free(p.lay.edge);
}
