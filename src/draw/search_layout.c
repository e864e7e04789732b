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
list_children(const struct search_layout *l)
{
	struct family f = {mem_new_array(l->n, sizeof *f.first), mem_new_array(l->n, sizeof *f.next),
		mem_new_array(l->n, sizeof *f.last)};

	for (size_t i = 0; i < l->n; i++)
		f.first[i] = f.next[i] = f.last[i] = NONE;
	for (size_t i = 0; i < l->n; i++) {
		size_t up = l->box[i].parent;

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
set_rows(struct search_layout *l, const struct family *f)
{
	size_t *stack = mem_new_array(l->n + 1, sizeof *stack), n;
	int row = 0;

	for (size_t root = 0; root < l->n; root++) {
		if (l->box[root].parent != NONE)
			continue;
		n = 0;
		stack[n++] = root;
		while (n) {
			size_t i = stack[--n];

			l->box[i].y = row * l->pitch;
			if (f->next[i] != NONE)
				stack[n++] = f->next[i];
			if (f->first[i] != NONE)
				stack[n++] = f->first[i];
			else
				row++;
		}
	}
	l->h = row * l->pitch;
	free(stack);
}

/* The rows that the lines out of a box reach. False if all are straight. */
static bool
search_layout_reach(const struct search_layout *l, size_t of, const struct family *f, int *top, int *bottom)
{
	*top = *bottom = l->box[of].y;
	for (size_t i = f->first[of]; i != NONE; i = f->next[i])
		*bottom = l->box[i].y > *bottom ? l->box[i].y : *bottom;
	for (size_t k = 0; k < l->n_lines; k++) {
		int y = l->box[l->line[k].to].y;

		if (l->line[k].from != of || !search_layout_draws(l, &l->line[k]))
			continue;
		*top = y < *top ? y : *top;
		*bottom = y > *bottom ? y : *bottom;
	}
	return *top != *bottom;
}

/* Numbers the trunks of a gap: each gets the first number that is free over all its rows. Returns how many it used. */
static int
set_trunks(struct search_layout *l, int layer, const struct family *f)
{
	int used = 0;

	for (size_t i = 0; i < l->n; i++) {
		int top, bottom, t = 0;

		if (l->box[i].layer != layer)
			continue;
		l->box[i].trunk = 0;
		if (!search_layout_reach(l, i, f, &top, &bottom))
			continue;
		for (size_t k = 0; k < i && t + 1 < TRUNKS_MOST; k++) {
			int a, b;

			if (l->box[k].layer != layer || l->box[k].trunk != t || !search_layout_reach(l, k, f, &a, &b) ||
				b < top || a > bottom)
				continue;
			t++;
			k = (size_t)-1; /* starts again with the next number */
		}
		l->box[i].trunk = t;
		used = t + 1 > used ? t + 1 : used;
	}
	return used;
}

void
search_layout(struct search_layout *l)
{
	struct family f = list_children(l);
	int x = LEFT, layers = 0;

	set_layers(l);
	set_rows(l, &f);
	for (size_t i = 0; i < l->n; i++)
		layers = l->box[i].layer >= layers ? l->box[i].layer + 1 : layers;
	for (int layer = 0; layer < layers; layer++) {
		int widest = 0, label = 0, trunks;

		for (size_t i = 0; i < l->n; i++) {
			if (l->box[i].layer == layer) {
				l->box[i].x = x;
				widest = l->box[i].w > widest ? l->box[i].w : widest;
			} else if (l->box[i].layer == layer + 1) {
				label = l->box[i].label > label ? l->box[i].label : label;
			}
		}
		trunks = set_trunks(l, layer, &f);
		for (size_t i = 0; i < l->n; i++)
			if (l->box[i].layer == layer)
				l->box[i].trunk += x + widest + STUB;
		label = label > l->label_most ? l->label_most : label;
		x += widest;
		l->w = x;
		x += STUB + trunks + 2 * AROUND + label;
	}
	free_family(&f);
}
