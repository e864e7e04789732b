/* Contents of the drawn search graph: a box for each cone, named by its models, and the lines between boxes. */
#include "draw/view/models/search_boxes.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/number.h"
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
		str_addf(out, "%zu feature%s", fset_count(on), plural_s(fset_count(on)));
	str_free(&all);
}

/* "m5 = m9 ✗ 5", the model under the cursor first. With less room: how many share the cone, or only that some do. */
static void
name_box(struct search_drawing *drawing, size_t i, const struct box_words *size)
{
	const struct search_list *list = drawing->list;
	size_t cursor = (size_t)list->s->view.cursor[PANE_SEARCH], first = drawing->box[i].row, others = 0, other = 0;
	const struct search_graph_model *model;
	struct str text = {0};
	enum role role;

	if (list->row[first].kind == SEARCH_ROW_FOLDED) {
		str_add(&text, "▸ ");
		if (list->row[first].refuted)
			str_addf(&text, "%zu more refuted", list->row[first].refuted);
		if (list->row[first].surviving)
			str_addf(&text, "%s%zu survive%s", list->row[first].refuted ? ", " : "",
				list->row[first].surviving, list->row[first].surviving == 1 ? "s" : "");
		free(drawing->box[i].text);
		drawing->box[i].text = str_take(&text);
		drawing->box[i].role = ROLE_DIM;
		drawing->box[i].folded = true;
		return;
	}
	first = cursor < list->n && drawing->of_row[cursor] == i ? cursor : first;
	for (size_t k = 0; k < list->n; k++)
		if (drawing->of_row[k] == i && k != first) {
			others++;
			other = k;
		}
	model = &list->g->model[list->row[first].model];
	search_boxes_add_name(
		list, first, drawing->box[i].star && size->name < STAR_NAME ? STAR_NAME : size->name, &text);
	if (others)
		str_add(&text, " =");
	if (size->others && others > 1)
		str_addf(&text, " %zu more", others);
	else if (size->others && others)
		str_add(&text, " ");
	if (size->others && others == 1)
		search_boxes_add_name(list, other, size->name, &text);
	str_addf(&text, " %s %*zu", search_mark(list, model, &role), list->digits, model->infeasible);
	if (drawing->box[i].star)
		str_add(&text, " ★");
	free(drawing->box[i].text);
	drawing->box[i].text = str_take(&text);
	drawing->box[i].role = role;
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
make_boxes(struct search_drawing *drawing)
{
	const struct search_list *list = drawing->list;

	for (size_t r = 0; r < list->n; r++) {
		const struct search_row *row = &list->row[r];
		const struct search_graph_edge *edge = row->edge == NONE ? NULL : &list->g->edge[row->edge];
		struct search_box *box = &drawing->box[drawing->at.n];
		size_t same;

		drawing->of_row[r] = NONE;
		if (row->kind == SEARCH_ROW_PROPOSAL)
			continue;
		same = row->kind == SEARCH_ROW_MODEL ? box_with_cone(drawing, r) : NONE;
		if (same == NONE) {
			*box = (struct search_box){.row = r, .line = ROLE_DIM, .dashed = true};
			drawing->at.box[drawing->at.n].parent = row->parent == NONE ? NONE
										    : drawing->of_row[row->parent];
			if (edge) {
				struct str label = {0};

				search_change(list->s->question.model, &list->g->model[edge->from].on,
					&list->g->model[edge->to].on, &label);
				box->label = str_take(&label);
				style_line(list, edge, &box->line, &box->dashed);
			}
			same = drawing->at.n++;
		}
		drawing->of_row[r] = same;
		drawing->box[same].star |= row->kind == SEARCH_ROW_MODEL && row->model == list->best;
		drawing->box[same].here |= row->kind == SEARCH_ROW_MODEL && row->model == list->here;
	}
}

/* Edges of the graph between boxes that are not in the tree. */
static void
make_lines(struct search_drawing *drawing)
{
	const struct search_list *list = drawing->list;
	size_t *of_model = mem_new_array(list->g->n_models, sizeof *of_model);

	for (size_t i = 0; i < list->g->n_models; i++)
		of_model[i] = NONE;
	for (size_t r = 0; r < list->n; r++)
		if (list->row[r].kind == SEARCH_ROW_MODEL)
			of_model[list->row[r].model] = drawing->of_row[r];
	for (size_t i = 0; i < list->g->n_edges && drawing->at.n_lines < LINES_MOST; i++) {
		const struct search_graph_edge *edge = &list->g->edge[i];
		struct layout_line line = {of_model[edge->from], of_model[edge->to]};
		bool dashed,
			there = line.from == NONE || line.to == NONE || line.from == line.to ||
			drawing->at.box[line.to].parent == line.from;

		for (size_t k = 0; k < drawing->at.n_lines; k++)
			there |= drawing->line[k].from == line.from && drawing->line[k].to == line.to;
		if (there)
			continue;
		style_line(list, edge, &drawing->line_role[drawing->at.n_lines], &dashed);
		drawing->line[drawing->at.n_lines++] = line;
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
