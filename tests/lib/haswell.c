#include "haswell.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/cone/cone.h"
#include "core/cone/signatures.h"
#include "core/udd/diagram.h"
#include "exact.h"
#include "parsed.h"
#include "test.h"
#include "text/diag.h"
#include "work/files/files.h"

static void
need(bool held, const char *what, const char *why)
{
	if (!test_check(held, __FILE__, __LINE__, "%s: %s", what, why))
		abort();
}

struct udd_model *
haswell_model(const char *name)
{
	struct udd_model *m = installed_model(name);

	need(m && m->n_counters == HASWELL_COUNTERS, name, "not found, or other counters");
	return m;
}

struct fset
haswell_choice(const struct udd_model *m, const char *variant, const char *plus)
{
	struct fset on = {0};
	struct err e = {0};

	need(udd_choose(m, variant, plus, NULL, &on, &e), variant ? variant : plus ? plus : "no features", e.what);
	return on;
}

struct signatures *
haswell_signatures(const struct udd_model *m, const struct fset *on)
{
	struct diags d = {0};
	struct udd_diagram *g = udd_expand(m, on, &d);
	struct signatures *s = g ? signatures_new(g, &d) : NULL;

	need(s != NULL, m->name, "no signatures");
	udd_diagram_free(g);
	diags_free(&d);
	return s;
}

size_t
haswell_counter(const struct udd_model *m, const char *type, const char *name)
{
	char *full = *type ? str_format("%s.%s", type, name) : mem_str(name);
	size_t i = 0;

	while (i < m->n_counters && !str_eq(m->counter[i].name, full))
		i++;
	need(i < m->n_counters, full, "no such counter");
	free(full);
	return i;
}

bool
haswell_keeps(const struct cone *c, const int64_t *coef)
{
	for (size_t k = 0; k < c->n_signatures; k++)
		if (exact_dot(coef, c->signature + k * HASWELL_COUNTERS, HASWELL_COUNTERS) < 0)
			return false;
	return true;
}

bool
haswell_lies_in(const struct cone *a, const struct cone *b)
{
	for (size_t k = 0; k < a->n_rays; k++)
		for (size_t i = 0; i < b->n_equalities + b->n_inequalities; i++) {
			i128 side = exact_dot(cone_row(b, i), a->ray + k * HASWELL_COUNTERS, HASWELL_COUNTERS);

			if (i < b->n_equalities ? side != 0 : side < 0)
				return false;
		}
	return true;
}
