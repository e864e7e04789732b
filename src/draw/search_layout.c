#include "draw/search_layout.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/mem.h"

#define NONE SIZE_MAX
#define LEFT 2      /* columns before the first layer */
#define STUB 1      /* columns between a box and the first trunk */
#define AROUND 2    /* columns before and after a label */
#define TRUNKS_MOST 8

bool
search_layout_draws(const struct search_layout *l, const struct layout_line *e)
{
	return l->box[e->to].layer == l->box[e->from].layer + 1 && l->box[e->to].parent != e->from;
}

/* Parents come before their children. So one pass forward gives layers, and one pass over the leaves in tree order
 * gives rows. */
static void
set_layers(struct search_layout *l)
{
	for (size_t i = 0; i < l->n; i++)
		l->box[i].layer = l->box[i].parent == NONE ? 0 : l->box[l->box[i].parent].layer + 1;
}

struct family {
	size_t *first, *next, *last; /* per box: its first and last child, its next sibling; NONE */
};

static struct family
list_children(const struct search_layout *layout)
{
	struct family f = {mem_new_array(layout->n, sizeof *f.first), mem_new_array(layout->n, sizeof *f.next),
		mem_new_array(layout->n, sizeof *f.last)};

	for (size_t i = 0; i < layout->n; i++)
		f.first[i] = f.next[i] = f.last[i] = NONE;
	for (size_t i = 0; i < layout->n; i++) {
		size_t up = layout->box[i].parent;

		if (up == NONE)
			continue;
		if (f.first[up] == NONE)
			f.first[up] = i;
		else
			f.next[f.last[up]] = i;
		f.last[up] = i;
	}
	return f;
}

static void
free_family(struct family *f)
{
	free(f->first);
	free(f->next);
	free(f->last);
}

/* Depth first. A box takes the free row, and its first child takes the same one. A leaf uses it up. */
static void
set_rows(struct search_layout *layout, const struct family *family)
{
	size_t *stack = mem_new_array(layout->n + 1, sizeof *stack), n;
	int row = 0;

	for (size_t root = 0; root < layout->n; root++) {
		if (layout->box[root].parent != NONE)
			continue;
		n = 0;
		stack[n++] = root;
		while (n) {
			size_t i = stack[--n];

			layout->box[i].y = row * layout->pitch;
			if (family->next[i] != NONE)
				stack[n++] = family->next[i];
			if (family->first[i] != NONE)
				stack[n++] = family->first[i];
			else
				row++;
		}
	}
	layout->h = row * layout->pitch;
	free(stack);
}

/* The rows that the lines out of a box reach. False if all are straight. */
static bool
search_layout_reach(const struct search_layout *layout, size_t of, const struct family *family, int *top, int *bottom)
{
	*top = *bottom = layout->box[of].y;
	for (size_t i = family->first[of]; i != NONE; i = family->next[i])
		*bottom = layout->box[i].y > *bottom ? layout->box[i].y : *bottom;
	for (size_t k = 0; k < layout->n_lines; k++) {
		int y = layout->box[layout->line[k].to].y;

		if (layout->line[k].from != of || !search_layout_draws(layout, &layout->line[k]))
			continue;
		*top = y < *top ? y : *top;
		*bottom = y > *bottom ? y : *bottom;
	}
	return *top != *bottom;
}

/* Numbers the trunks of a gap: each gets the first number that is free over all its rows. Returns how many it used. */
static int
set_trunks(struct search_layout *layout, int layer, const struct family *family)
{
	int used = 0;

	for (size_t i = 0; i < layout->n; i++) {
		int top, bottom, t = 0;

		if (layout->box[i].layer != layer)
			continue;
		layout->box[i].trunk = 0;
		if (!search_layout_reach(layout, i, family, &top, &bottom))
			continue;
		for (size_t k = 0; k < i && t + 1 < TRUNKS_MOST; k++) {
			int a, b;

			if (layout->box[k].layer != layer || layout->box[k].trunk != t ||
				!search_layout_reach(layout, k, family, &a, &b) || b < top || a > bottom)
				continue;
			t++;
			k = (size_t)-1; /* starts again with the next number */
		}
		layout->box[i].trunk = t;
		used = t + 1 > used ? t + 1 : used;
	}
	return used;
}

void
search_layout(struct search_layout *layout)
{
	struct family f = list_children(layout);
	int x = LEFT, layers = 0;

	set_layers(layout);
	set_rows(layout, &f);
	for (size_t i = 0; i < layout->n; i++)
		layers = layout->box[i].layer >= layers ? layout->box[i].layer + 1 : layers;
	for (int layer = 0; layer < layers; layer++) {
		int widest = 0, label = 0, trunks;

		for (size_t i = 0; i < layout->n; i++) {
			if (layout->box[i].layer == layer) {
				layout->box[i].x = x;
				widest = layout->box[i].w > widest ? layout->box[i].w : widest;
			} else if (layout->box[i].layer == layer + 1) {
				label = layout->box[i].label > label ? layout->box[i].label : label;
			}
		}
		trunks = set_trunks(layout, layer, &f);
		for (size_t i = 0; i < layout->n; i++)
			if (layout->box[i].layer == layer)
				layout->box[i].trunk += x + widest + STUB;
		label = label > layout->label_most ? layout->label_most : label;
		x += widest;
		layout->w = x;
		x += STUB + trunks + 2 * AROUND + label;
	}
	free_family(&f);
}
