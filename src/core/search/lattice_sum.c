/* Sums up the tested models. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/search/lattice_run.h"

static void
find_minimal(struct lattice *lattice)
{
	free(lattice->minimal);
	lattice->minimal = mem_new_array(lattice->n_models, sizeof *lattice->minimal);
	lattice->n_minimal = 0;
	for (size_t i = 0; i < lattice->n_models; i++) {
		bool least = lattice_survives(&lattice->model[i]);

		for (size_t k = 0; k < lattice->n_models && least; k++)
			least = k == i || !lattice_survives(&lattice->model[k]) ||
				!fset_is_empty(fset_minus(lattice->model[k].on, lattice->model[i].on));
		if (least)
			lattice->minimal[lattice->n_minimal++] = i;
	}
}

static bool
is_idle(const struct lattice *lattice, size_t feature)
{
	bool some = false;

	for (size_t i = 0; i < lattice->n_models; i++) {
		struct fset on = lattice->model[i].on;
		size_t k;

		if (fset_has(&on, feature))
			continue;
		fset_put(&on, feature, true);
		k = lattice_find(lattice, &on);
		if (k == lattice->n_models)
			continue;
		some = true;
		if (lattice->model[i].usable != lattice->model[k].usable ||
			lattice->model[i].cone != lattice->model[k].cone ||
			memcmp(lattice->model[i].infeasible, lattice->model[k].infeasible,
				lattice->n_words * sizeof *on.w) != 0)
			return false;
	}
	return some;
}

static void
find_features(struct lattice *lattice)
{
	bool some = false;

	lattice->required = lattice->optional = (struct fset){0};
	for (size_t i = 0; i < lattice->n_models; i++)
		if (lattice_survives(&lattice->model[i])) {
			lattice->required = some ? fset_and(lattice->required, lattice->model[i].on)
						 : lattice->model[i].on;
			lattice->optional = fset_or(lattice->optional, lattice->model[i].on);
			some = true;
		}
	lattice->optional = fset_minus(fset_minus(lattice->optional, lattice->required), lattice->fixed);
	lattice->required = fset_minus(lattice->required, lattice->fixed);
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
