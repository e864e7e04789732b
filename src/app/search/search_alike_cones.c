#include "app/search/search_alike_cones.h"

#include <stdio.h>
#include <stdlib.h>

#include "app/analysis/cones.h"
#include "app/analysis/search_cones.h"
#include "base/mem.h"
#include "core/udd/model.h"

void
alike_cones_init(struct alike_cones *c, const struct udd_model *m, const bool *used, struct search_cones *cones)
{
	*c = (struct alike_cones){.model = m, .used = used, .cones = cones};
	pthread_mutex_init(&c->lock, NULL);
	for (size_t i = 0; i < m->n_features; i++)
		fset_put(&c->all, i, true);
}

void
alike_cones_free(struct alike_cones *c)
{
	names_free(&c->choices);
	free(c->cone);
	pthread_mutex_destroy(&c->lock);
}

/* The choice as text, for a table of names. */
#define CHOICE_TEXT (FSET_MAX / 4)

static void
write_choice(const struct fset *on, char out[CHOICE_TEXT + 1])
{
	for (size_t i = 0; i < FSET_MAX / 64; i++)
		snprintf(out + 16 * i, 17, "%016llx", (unsigned long long)on->w[i]);
}

void
alike_cones_remember(struct alike_cones *c, const struct fset *on, size_t cone)
{
	char text[CHOICE_TEXT + 1];
	size_t at;

	write_choice(on, text);
	at = names_add(&c->choices, text, CHOICE_TEXT);
	mem_grow(&c->cone, &c->cap, at + 1, sizeof *c->cone);
	c->cone[at] = cone;
}

static bool
is_known(const struct alike_cones *c, const struct fset *on, size_t *cone)
{
	char text[CHOICE_TEXT + 1];
	size_t at;

	write_choice(on, text);
	at = names_find(&c->choices, text, CHOICE_TEXT);
	if (at != NAMES_NONE)
		*cone = c->cone[at];
	return at != NAMES_NONE;
}

size_t
alike_cones_number(struct alike_cones *c, struct cones *own, const struct fset *on)
{
	const struct cone *cone;
	char *error = NULL;
	size_t id = ALIKE_NO_CONE;
	bool known;

	pthread_mutex_lock(&c->lock);
	known = is_known(c, on, &id);
	pthread_mutex_unlock(&c->lock);
	if (known)
		return id;
	cones_begin(own);
	cone = udd_may_be_legal(c->model, on, &c->all) ? cones_span(own, on, c->used, &error) : NULL;
	free(error);
	pthread_mutex_lock(&c->lock);
	if (cone)
		id = search_cones_id(c->cones, on, cone);
	alike_cones_remember(c, on, id);
	pthread_mutex_unlock(&c->lock);
	return id;
}
