#include "hecate/cone.h"

#include <stdlib.h>

#include "api/state.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/cone/cone.h"
#include "core/cone/signatures.h"
#include "core/udd/diagram.h"
#include "core/udd/model.h"
#include "text/diag.h"

struct hecate_cone {
	struct cone *cone;
	char **name;
};

static struct hecate_cone *
cone_named(struct cone *cone, const char *(*name_of)(const void *, size_t), const void *names)
{
	struct hecate_cone *c = mem_new(sizeof *c);

	c->cone = cone;
	c->name = mem_new_array(cone->n_counters, sizeof *c->name);
	for (size_t i = 0; i < cone->n_counters; i++)
		c->name[i] = mem_str(name_of(names, i));
	return c;
}

static const char *
counter_of_model(const void *model, size_t i)
{
	return hecate_model_counter(model, i);
}

static const char *
name_of_list(const void *list, size_t i)
{
	return ((const char *const *)list)[i];
}

struct hecate_cone *
hecate_cone_new(const struct hecate_model *model, const struct hecate_choice *choice, double seconds, char **message)
{
	struct cone_limits limits = {seconds};
	struct udd_diagram *diagram;
	struct signatures *sig = NULL;
	struct hecate_cone *cone = NULL;
	struct diags d = {0};
	struct fset on;

	if (!api_choose(model, choice, &on, message))
		return NULL;
	diagram = udd_expand(model->udd, &on, &d);
	if (diagram)
		sig = signatures_spanning(diagram, &d);
	if (sig)
		cone = cone_named(cone_new(sig->n_counters, sig->n, sig->coef, &limits), counter_of_model, model);
	else
		api_fail_at(message, &d);
	signatures_free(sig);
	udd_diagram_free(diagram);
	diags_free(&d);
	return cone;
}

struct hecate_cone *
hecate_cone_of(size_t n_counters, const char *const *name, size_t n, const int64_t *signature, double seconds,
	char **message)
{
	struct cone_limits limits = {seconds};
	struct err e = {0};

	for (size_t i = 0; i < n * n_counters; i++)
		if (signature[i] < 0 || signature[i] > SIGNATURE_ENTRY_MAX) {
			err_set(&e, "signature %zu: %s is %lld, not a count", i / n_counters + 1, name[i % n_counters],
				(long long)signature[i]);
			err_hint(&e, "counts are from 0 to 2^62");
			api_fail(message, &e);
			return NULL;
		}
	return cone_named(cone_new(n_counters, n, signature, &limits), name_of_list, name);
}

void
hecate_cone_free(struct hecate_cone *c)
{
	if (!c)
		return;
	for (size_t i = 0; i < c->cone->n_counters; i++)
		free(c->name[i]);
	free(c->name);
	cone_free(c->cone);
	free(c);
}

size_t
hecate_cone_counters(const struct hecate_cone *c)
{
	return c->cone->n_counters;
}

const char *
hecate_cone_counter(const struct hecate_cone *c, size_t i)
{
	return c->name[i];
}

bool
hecate_cone_is_complete(const struct hecate_cone *c)
{
	return c->cone->complete;
}

size_t
hecate_cone_constraints(const struct hecate_cone *c)
{
	return c->cone->n_equalities + c->cone->n_inequalities;
}

size_t
hecate_cone_equalities(const struct hecate_cone *c)
{
	return c->cone->n_equalities;
}

const int64_t *
hecate_cone_constraint(const struct hecate_cone *c, size_t k)
{
	return cone_row(c->cone, k);
}

char *
hecate_cone_text(const struct hecate_cone *c, size_t k)
{
	struct str text = {0};

	cone_row_text(cone_row(c->cone, k), (const char *const *)c->name, c->cone->n_counters,
		k < c->cone->n_equalities, false, &text);
	return str_take(&text);
}

size_t
hecate_cone_rays(const struct hecate_cone *c)
{
	return c->cone->n_rays;
}

const int64_t *
hecate_cone_ray(const struct hecate_cone *c, size_t k)
{
	return c->cone->ray + k * c->cone->n_counters;
}
