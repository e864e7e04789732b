#include "app/cones.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/panic.h"
#include "base/str.h"
#include "core/cone/cone.h"
#include "core/cone/signatures.h"
#include "core/lang/diag.h"
#include "core/udd/diagram.h"
#include "core/udd/model.h"

#define CONES_MAX 128 /* cones and signature sets kept over a cones_begin() */

struct entry {
	struct fset on;
	bool *keep;              /* NULL: the signatures of the choice */
	struct signatures *sig;
	struct cone *cone;
	double seconds;          /* of the signatures: expansion and walk */
	unsigned long used;      /* the round in which it was last asked for */
};

struct cones {
	const struct udd_model *model;
	struct cone_limits limits;
	struct entry *entry;
	size_t n, cap;
	unsigned long round;
};

struct cones *
cones_new(const struct udd_model *m, double seconds)
{
	struct cones *c = mem_new(sizeof *c);

	c->model = m;
	c->limits.seconds = seconds;
	return c;
}

static void
free_entry(struct entry *e)
{
	free(e->keep);
	signatures_free(e->sig);
	cone_free(e->cone);
}

void
cones_free(struct cones *c)
{
	if (!c)
		return;
	for (size_t i = 0; i < c->n; i++)
		free_entry(&c->entry[i]);
	free(c->entry);
	free(c);
}

void
cones_begin(struct cones *c)
{
	while (c->n > CONES_MAX) {
		size_t oldest = 0;

		for (size_t i = 1; i < c->n; i++)
			if (c->entry[i].used < c->entry[oldest].used)
				oldest = i;
		free_entry(&c->entry[oldest]);
		c->entry[oldest] = c->entry[--c->n];
	}
	c->round++;
}

static struct entry *
find(struct cones *c, const struct fset *on, const bool *keep)
{
	for (size_t i = 0; i < c->n; i++) {
		struct entry *e = &c->entry[i];

		if (!fset_equal(&e->on, on) || !e->keep != !keep || (keep && memcmp(e->keep, keep, c->model->n_counters * sizeof *keep)))
			continue;
		e->used = c->round;
		return e;
	}
	return NULL;
}

static struct entry *
add(struct cones *c, const struct fset *on, const bool *keep)
{
	struct entry *e;

	mem_grow(&c->entry, &c->cap, c->n + 1, sizeof *c->entry);
	e = &c->entry[c->n++];
	*e = (struct entry){.on = *on, .used = c->round};
	e->keep = keep ? mem_copy(keep, c->model->n_counters * sizeof *keep) : NULL;
	return e;
}

const struct signatures *
cones_signatures(struct cones *c, const struct fset *on, char **error)
{
	struct entry *e = find(c, on, NULL);
	struct diags d = {0};
	struct udd_diagram *g;
	struct signatures *sig;
	double start = clock_seconds();

	if (e)
		return e->sig;
	g = udd_expand(c->model, on, &d);
	sig = g ? signatures_new(g, &d) : NULL;
	udd_diagram_free(g);
	if (!sig) {
		struct str text = {0};

		diags_print(&d, "", &text);
		*error = str_take(&text);
	}
	diags_free(&d);
	if (sig) {
		e = add(c, on, NULL);
		e->sig = sig;
		e->seconds = clock_seconds() - start;
	}
	return sig;
}

double
cones_walk_seconds(struct cones *c, const struct fset *on)
{
	const struct entry *e = find(c, on, NULL);

	return e ? e->seconds : 0;
}

/* The columns that stay, row by row. */
static int64_t *
select_columns(const struct signatures *sig, const bool *keep, size_t *n_kept)
{
	size_t width = 0, at = 0;
	int64_t *row;

	for (size_t i = 0; i < sig->n_counters; i++)
		width += keep[i];
	row = mem_new_array(sig->n * width, sizeof *row);
	for (size_t k = 0; k < sig->n; k++)
		for (size_t i = 0; i < sig->n_counters; i++)
			if (keep[i])
				row[at++] = sig->coef[k * sig->n_counters + i];
	*n_kept = width;
	return row;
}

const struct cone *
cones_get(struct cones *c, const struct fset *on, const bool *keep)
{
	struct entry *e = find(c, on, keep);
	const struct signatures *sig;
	char *error = NULL;
	int64_t *row;
	size_t width;

	if (e)
		return e->cone;
	sig = cones_signatures(c, on, &error);
	if (!sig)
		panic("a cone was asked for a choice of features without signatures: %s", error);
	row = select_columns(sig, keep, &width);
	e = add(c, on, keep);
	e->cone = cone_new(width, sig->n, row, &c->limits);
	free(row);
	return e->cone;
}
