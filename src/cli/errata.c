#include "cli/errata.h"

#include <stdlib.h>

#include "app/analysis/result.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/trust/book.h"
#include "core/trust/cpuinfo.h"
#include "core/udd/model.h"

/* Marks the counters of a constraint. */
static void
mark(const struct constraint *c, bool *used)
{
	for (size_t i = 0; i < c->n; i++)
		used[i] |= c->coef[i] != 0;
}

/* Returns, per counter of the model, whether a refutation rests on it. The caller frees. */
static bool *
counters_that_refute(const struct udd_model *m, const struct result *r)
{
	bool *used = mem_new_array(m->n_counters, sizeof *used);

	for (size_t i = 0; i < r->n_findings; i++) {
		const struct finding *f = &r->finding[i];

		if (f->verdict != VERDICT_INFEASIBLE)
			continue;
		for (size_t k = 0; k < f->proof.n_violated; k++)
			mark(&f->proof.violated[k], used);
		for (size_t k = 0; k < f->proof.n_certificates; k++)
			mark(&f->proof.certificate[k], used);
	}
	return used;
}

/* Finds errata of an event. With the page of the processor only there; *cpu becomes the page's name. */
static const struct trust_entry *
errata_of(const struct trust_book *b, const struct trust_page *page, const char *event, const char **cpu)
{
	const struct trust_entry *e;

	if (!page)
		return trust_book_errata(b, event, cpu);
	*cpu = page->cpu.name;
	e = trust_page_entry(page, event);
	return e && e->errata ? e : NULL;
}

void
trust_errata_note(const struct trust_book *b, const struct udd_model *m, const char *cpu, struct result *r)
{
	bool *used = counters_that_refute(m, r);
	struct trust_cpuid id;
	const struct trust_page *page = NULL;

	if (cpu && trust_cpuid_parse(cpu, &id))
		page = trust_book_page(b, NULL, id.vendor, id.family, id.model);
	for (size_t i = 0; i < m->n_counters; i++)
		for (size_t k = 0; used[i] && k < m->counter[i].n_events && (page || !cpu); k++) {
			const char *event = m->counter[i].event[k].name, *name = "";
			const struct trust_entry *e = errata_of(b, page, event, &name);

			if (e)
				result_add_note(r, "erratum", str_format("%s has published errata on %s: %s. Perhaps "
						"the count is wrong, not the model (hecate determinism --facts %s)",
						event, name, e->errata, name));
		}
	free(used);
}
