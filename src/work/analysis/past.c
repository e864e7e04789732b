#include "work/analysis/past.h"

#include <stdlib.h>

#include "base/int128.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/cone/cone.h"
#include "core/cone/signatures.h"
#include "core/obs/obs.h"
#include "core/stats/region.h"
#include "core/udd/model.h"
#include "work/analysis/describe.h"

struct past *
past_new(void)
{
	return mem_new(sizeof(struct past));
}

void
past_free(struct past *p)
{
	if (!p)
		return;
	for (size_t i = 0; i < p->n; i++) {
		free(p->item[i].name);
		free(p->item[i].coef);
		free(p->item[i].text);
	}
	free(p->item);
	free(p);
}

void
past_now(struct past *p, double seconds)
{
	p->seconds = seconds;
}

static bool
is_peeked(const struct prepared *p)
{
	return p->region && p->region->peeked;
}

static bool
has_counters(const struct prepared *p, const int64_t *coef, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (coef[i] && !p->keep[i])
			return false;
	return true;
}

static bool
past_holds(const struct signatures *sig, const int64_t *coef)
{
	for (size_t k = 0; k < sig->n; k++) {
		i128 sum = 0;

		for (size_t i = 0; i < sig->n_counters; i++)
			if (__builtin_add_overflow(sum, (i128)coef[i] * sig->coef[k * sig->n_counters + i], &sum))
				return false;
		if (sum < 0)
			return false;
	}
	return true;
}

const struct past_refutation *
past_find(const struct past *past, const struct prepared *p, const struct signatures *sig)
{
	for (size_t i = 0; i < past->n && is_peeked(p); i++) {
		const struct past_refutation *r = &past->item[i];

		if (r->table == p->from.table && r->place == p->from.place &&
			has_counters(p, r->coef, sig->n_counters) && past_holds(sig, r->coef))
			return r;
	}
	return NULL;
}

static char *
past_text_of(const struct udd_model *m, const int64_t *coef)
{
	const char **name = mem_new_array(m->n_counters, sizeof *name);
	struct str text = {0};

	for (size_t i = 0; i < m->n_counters; i++)
		name[i] = m->counter[i].name;
	cone_row_text(coef, name, m->n_counters, false, false, &text);
	free(name);
	return str_take(&text);
}

void
past_add(struct past *past, const struct udd_model *model, const struct prepared *prepared, const struct fset *on,
	const int64_t *coef)
{
	struct past_refutation r = {.table = prepared->from.table, .place = prepared->from.place, .on = *on,
		.samples = prepared->obs->n_rows, .seconds = past->seconds};

	if (!is_peeked(prepared))
		return;
	r.coef = mem_new_array(model->n_counters, sizeof *r.coef);
	for (size_t i = 0, k = 0; i < model->n_counters; i++)
		if (prepared->keep[i])
			r.coef[i] = coef[k++];
	r.name = mem_str(prepared->obs->name);
	r.text = past_text_of(model, r.coef);
	mem_grow(&past->item, &past->cap, past->n + 1, sizeof *past->item);
	past->item[past->n++] = r;
}
