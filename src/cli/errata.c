#include "cli/trust_args.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/names.h"
#include "base/str.h"
#include "core/trust/book.h"
#include "core/trust/cpuinfo.h"
#include "core/udd/model.h"
#include "work/analysis/result.h"

#define EVENTS_SHOWN 2 /* in a note */

/* Marks the counters of a constraint. */
static void
errata_mark(const struct constraint *c, bool *used)
{
	for (size_t i = 0; i < c->n; i++)
		used[i] |= c->coef[i] != 0;
}

/* Returns, per counter of the model, whether a refutation rests on it. The caller frees. */
static bool *
counters_that_refute(const struct udd_model *model, const struct result *result)
{
	bool *used = mem_new_array(model->n_counters, sizeof *used);

	for (size_t i = 0; i < result->n_findings; i++) {
		const struct finding *finding = &result->finding[i];

		if (finding->verdict != VERDICT_INFEASIBLE)
			continue;
		for (size_t k = 0; k < finding->proof.n_violated; k++)
			errata_mark(&finding->proof.violated[k], used);
		for (size_t k = 0; k < finding->proof.n_certificates; k++)
			errata_mark(&finding->proof.certificate[k], used);
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

/* Events with the same errata on the same processor. */
struct errata_group {
	const char *cpu;
	const struct trust_entry *entry; /* of the first event */
	struct names events;
};

static void
errata_add_event(struct errata_group **group, size_t *n, size_t *cap, const struct trust_entry *entry, const char *cpu,
	const char *event)
{
	size_t i = 0;

	while (i < *n && !(str_eq((*group)[i].cpu, cpu) && str_eq((*group)[i].entry->errata, entry->errata)))
		i++;
	if (i == *n) {
		mem_grow(group, cap, *n + 1, sizeof **group);
		(*group)[(*n)++] = (struct errata_group){.cpu = cpu, .entry = entry};
	}
	names_add(&(*group)[i].events, event, strlen(event));
}

/* "a, b and 5 more have published errata on broadwell: BDM69. …" */
static char *
group_text(const struct errata_group *group)
{
	struct str s = {0};
	size_t n = group->events.n, shown = n > EVENTS_SHOWN + 1 ? EVENTS_SHOWN : n;

	for (size_t i = 0; i < shown; i++)
		str_addf(&s, "%s%s", !i ? "" : i + 1 == n ? " and " : ", ", group->events.name[i]);
	if (shown < n)
		str_addf(&s, " and %zu more", n - shown);
	str_addf(&s,
		" %s published errata on %s: %s. Perhaps the count%s wrong, not the model (hecate determinism "
		"--facts %s)",
		n > 1 ? "have" : "has", group->cpu, group->entry->errata, n > 1 ? "s are" : " is", group->cpu);
	return str_take(&s);
}

void
trust_errata_note(const struct trust_book *book, const struct udd_model *model, const char *cpu, struct result *r)
{
	bool *used = counters_that_refute(model, r);
	struct trust_cpuid id;
	const struct trust_page *page = NULL;
	struct errata_group *group = NULL;
	size_t n = 0, cap = 0;

	if (cpu && trust_cpuid_parse(cpu, &id))
		page = trust_book_page(book, NULL, id.vendor, id.family, id.model);
	for (size_t i = 0; i < model->n_counters; i++)
		for (size_t k = 0; used[i] && k < model->counter[i].n_events && (page || !cpu); k++) {
			const char *event = model->counter[i].event[k].name, *name = "";
			const struct trust_entry *entry = errata_of(book, page, event, &name);

			if (entry)
				errata_add_event(&group, &n, &cap, entry, name, event);
		}
	for (size_t i = 0; i < n; i++) {
		result_add_note(r, "erratum", group_text(&group[i]));
		names_free(&group[i].events);
	}
	free(group);
	free(used);
}
