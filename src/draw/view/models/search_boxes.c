/* Contents of the drawn search graph: a box for each cone, named by its models, and the lines between boxes. */
#include "draw/view/models/search_boxes.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"
#include "base/utf8.h"
#include "core/udd/model.h"

#define NONE SIZE_MAX
#define STAR_NAME 20      /* least columns of the best survivor's name */
#define LINES_MOST 24     /* most lines in addition to the tree's; more would hide the tree */

static size_t
box_with_cone(const struct search_drawing *d, size_t row)
{
	const struct search_list *l = d->list;
	uint64_t cone = l->g->model[l->row[row].model].cone;

	for (size_t i = 0; cone && i < d->at.n; i++)
		if (l->row[d->box[i].row].kind == SEARCH_ROW_MODEL &&
			l->g->model[l->row[d->box[i].row].model].cone == cone)
			return i;
	return NONE;
}

static void
search_boxes_add_name(const struct search_list *l, size_t row, int columns, struct str *out)
{
	const struct fset *on = &l->g->model[l->row[row].model].on;
	struct str all = {0};

	search_name(l->s->question.model, on, &all);
	if (search_variant(l->s->question.model, on) || utf8_width(str_text(&all)) <= (size_t)columns)
		str_add(out, str_text(&all));
	else
		str_addf(out, "%zu features", fset_count(on));
	str_free(&all);
}

/* "m5 = m9 ✗ 5", the model under the cursor first. With less room: how many share the cone, or only that some do. */
static void
name_box(struct search_drawing *d, size_t i, const struct box_words *size)
{
	const struct search_list *l = d->list;
	size_t cursor = (size_t)l->s->view.cursor[PANE_SEARCH], first = d->box[i].row, others = 0, other = 0;
	const struct search_graph_model *m;
	struct str text = {0};
	enum role role;

	if (l->row[first].kind == SEARCH_ROW_FOLDED) {
		str_add(&text, "▸ ");
		if (l->row[first].refuted)
			str_addf(&text, "%zu more refuted", l->row[first].refuted);
		if (l->row[first].surviving)
			str_addf(&text, "%s%zu survive%s", l->row[first].refuted ? ", " : "", l->row[first].surviving,
				l->row[first].surviving == 1 ? "s" : "");
		free(d->box[i].text);
		d->box[i].text = str_take(&text);
		d->box[i].role = ROLE_DIM;
		d->box[i].folded = true;
		return;
	}
	first = cursor < l->n && d->of_row[cursor] == i ? cursor : first;
	for (size_t k = 0; k < l->n; k++)
		if (d->of_row[k] == i && k != first) {
			others++;
			other = k;
		}
	m = &l->g->model[l->row[first].model];
	search_boxes_add_name(l, first, d->box[i].star && size->name < STAR_NAME ? STAR_NAME : size->name, &text);
	if (others)
		str_add(&text, " =");
	if (size->others && others > 1)
		str_addf(&text, " %zu more", others);
	else if (size->others && others)
		str_add(&text, " ");
	if (size->others && others == 1)
		search_boxes_add_name(l, other, size->name, &text);
	str_addf(&text, " %s %*zu", search_mark(l, m, &role), l->digits, m->infeasible);
	if (d->box[i].star)
		str_add(&text, " ★");
	free(d->box[i].text);
	d->box[i].text = str_take(&text);
	d->box[i].role = role;
}

/* The look of the line to a box. */
static void
style_line(const struct search_list *l, const struct search_graph_edge *e, enum role *role, bool *dashed)
{
	*dashed = e->step == GRAPH_ELIMINATION;
	*role = e->step == GRAPH_DISCOVERY ? ROLE_PATH1 : e->step == GRAPH_ELIMINATION ? ROLE_PATH2 : ROLE_TEXT;
	if (e->step != GRAPH_CHOSEN && l->g->model[e->from].infeasible == l->g->model[e->to].infeasible)
		*role = ROLE_DIM;
	*role = search_role(l, *role);
}

static void
make_boxes(struct search_drawing *d)
{
	const struct search_list *l = d->list;

	for (size_t r = 0; r < l->n; r++) {
		const struct search_row *row = &l->row[r];
		const struct search_graph_edge *e = row->edge == NONE ? NULL : &l->g->edge[row->edge];
		struct search_box *b = &d->box[d->at.n];
		size_t same;

		d->of_row[r] = NONE;
		if (row->kind == SEARCH_ROW_PROPOSAL)
			continue;
		same = row->kind == SEARCH_ROW_MODEL ? box_with_cone(d, r) : NONE;
		if (same == NONE) {
			*b = (struct search_box){.row = r, .line = ROLE_DIM, .dashed = true};
			d->at.box[d->at.n].parent = row->parent == NONE ? NONE : d->of_row[row->parent];
			if (e) {
				struct str label = {0};

				search_change(l->s->question.model, &l->g->model[e->from].on, &l->g->model[e->to].on,
					&label);
				b->label = str_take(&label);
				style_line(l, e, &b->line, &b->dashed);
			}
			same = d->at.n++;
		}
		d->of_row[r] = same;
		d->box[same].star |= row->kind == SEARCH_ROW_MODEL && row->model == l->best;
		d->box[same].here |= row->kind == SEARCH_ROW_MODEL && row->model == l->here;
	}
}

/* Edges of the graph between boxes that are not in the tree. */
static void
make_lines(struct search_drawing *d)
{
	const struct search_list *l = d->list;
	size_t *of_model = mem_new_array(l->g->n_models, sizeof *of_model);

	for (size_t i = 0; i < l->g->n_models; i++)
		of_model[i] = NONE;
	for (size_t r = 0; r < l->n; r++)
		if (l->row[r].kind == SEARCH_ROW_MODEL)
			of_model[l->row[r].model] = d->of_row[r];
	for (size_t i = 0; i < l->g->n_edges && d->at.n_lines < LINES_MOST; i++) {
		const struct search_graph_edge *e = &l->g->edge[i];
		struct layout_line line = {of_model[e->from], of_model[e->to]};
		bool dashed,
			there = line.from == NONE || line.to == NONE || line.from == line.to ||
			d->at.box[line.to].parent == line.from;

		for (size_t k = 0; k < d->at.n_lines; k++)
			there |= d->line[k].from == line.from && d->line[k].to == line.to;
		if (there)
			continue;
		style_line(l, e, &d->line_role[d->at.n_lines], &dashed);
		d->line[d->at.n_lines++] = line;
	}
	free(of_model);
}

struct search_drawing
search_drawing_new(const struct search_list *list)
{
	struct search_drawing d = {.list = list};

	d.box = mem_new_array(list->n, sizeof *d.box);
	d.of_row = mem_new_array(list->n, sizeof *d.of_row);
	d.line = mem_new_array(LINES_MOST, sizeof *d.line);
	d.line_role = mem_new_array(LINES_MOST, sizeof *d.line_role);
	d.at.box = mem_new_array(list->n, sizeof *d.at.box);
	make_boxes(&d);
	make_lines(&d);
	d.at.line = d.line;
	return d;
}

void
search_drawing_free(struct search_drawing *d)
{
	for (size_t i = 0; i < d->at.n; i++) {
		free(d->box[i].text);
		free(d->box[i].label);
	}
	free(d->box);
	free(d->of_row);
	free(d->line);
	free(d->line_role);
	free(d->at.box);
}

void
search_drawing_name(struct search_drawing *d, const struct box_words *words)
{
	for (size_t i = 0; i < d->at.n; i++)
		name_box(d, i, words);
}
