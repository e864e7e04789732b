/* Sums up the tested models. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/search/lattice_run.h"

static void
find_minimal(struct lattice *l)
{
	free(l->minimal);
	l->minimal = mem_new_array(l->n_models, sizeof *l->minimal);
	l->n_minimal = 0;
	for (size_t i = 0; i < l->n_models; i++) {
		bool least = lattice_survives(&l->model[i]);

		for (size_t k = 0; k < l->n_models && least; k++)
			least = k == i || !lattice_survives(&l->model[k]) ||
				!fset_is_empty(fset_minus(l->model[k].on, l->model[i].on));
		if (least)
			l->minimal[l->n_minimal++] = i;
	}
}

static bool
is_idle(const struct lattice *l, size_t feature)
{
	bool some = false;

	for (size_t i = 0; i < l->n_models; i++) {
		struct fset on = l->model[i].on;
		size_t k;

		if (fset_has(&on, feature))
			continue;
		fset_put(&on, feature, true);
		k = lattice_find(l, &on);
		if (k == l->n_models)
			continue;
		some = true;
		if (l->model[i].usable != l->model[k].usable || l->model[i].cone != l->model[k].cone ||
			memcmp(l->model[i].infeasible, l->model[k].infeasible, l->n_words * sizeof *on.w) != 0)
			return false;
	}
	return some;
}

static void
find_features(struct lattice *l)
{
	bool some = false;

	l->required = l->optional = (struct fset){0};
	for (size_t i = 0; i < l->n_models; i++)
		if (lattice_survives(&l->model[i])) {
			l->required = some ? fset_and(l->required, l->model[i].on) : l->model[i].on;
			l->optional = fset_or(l->optional, l->model[i].on);
			some = true;
		}
	l->optional = fset_minus(fset_minus(l->optional, l->required), l->fixed);
	l->required = fset_minus(l->required, l->fixed);
}

void
lattice_sum(struct lattice *l)
{
	find_minimal(l);
	find_features(l);
	for (size_t o = 0; o < l->n_observations; o++) {
		l->orphan[o] = true;
		for (size_t i = 0; i < l->n_models && l->orphan[o]; i++)
			l->orphan[o] = !l->model[i].usable || lattice_refutes(&l->model[i], o);
	}
	l->tested = l->n_models;
}

void
lattice_find_idle(struct lattice *l)
{
	for (size_t f = 0; f < l->n_features; f++)
		fset_put(&l->idle, f, is_idle(l, f));
}

const char *
lattice_step_name(enum lattice_step s)
{
	switch (s) {
	case LATTICE_START:
		return "start";
	case LATTICE_DISCOVERY:
		return "discovery";
	case LATTICE_ELIMINATION:
		break;
	}
	return "elimination";
}
