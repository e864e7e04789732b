#include "work/trust/events.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/trust/book.h"
#include "core/trust/judge.h"
#include "core/trust/runs.h"
#include "core/udd/model.h"
#include "work/trust/known.h"
#include "work/trust/shelf.h"
#include "work/trust/table.h"

static struct trust_event *
events_add(struct trust_events *l, const char *machine, const char *event, const char *test)
{
	mem_grow(&l->event, &l->cap, l->n + 1, sizeof *l->event);
	l->event[l->n] = (struct trust_event){
		.machine = mem_str(machine), .event = mem_str(event), .test = mem_str(test)};
	return &l->event[l->n++];
}

static void
events_add_table(struct trust_events *l, const struct trust_table *t, const struct trust_known *known)
{
	const struct trust_page *given = known ? known->given : NULL;

	for (size_t i = 0; i < t->runs.n; i++) {
		const struct trust_group *g = &t->runs.group[i];
		struct trust_event *e = events_add(l, g->machine, g->event, g->test);

		e->group = g;
		e->judged = &t->judgement->group[i];
		e->entry = given ? trust_page_entry(given, g->event) : NULL;
		if (!e->entry)
			e->entry = trust_shelf_entry(t->shelf, g->machine, g->event, g->counter);
	}
}

static void
events_add_model(struct trust_events *l, const struct udd_model *m, const struct trust_known *known)
{
	const struct trust_page *page = !known ? NULL : known->given ? known->given : known->here;

	for (size_t i = 0; i < m->n_counters; i++)
		for (size_t k = 0; k < m->counter[i].n_events; k++) {
			struct trust_event *e = events_add(
				l, page ? page->cpu.name : "", m->counter[i].event[k].name, "");

			e->counter = mem_str(m->counter[i].name);
			e->entry = page ? trust_page_entry(page, e->event) : NULL;
		}
}

static void
events_add_page(struct trust_events *l, const struct trust_page *p)
{
	for (size_t i = 0; i < p->n; i++)
		if (trust_page_entry(p, p->entry[i].event[0]) == &p->entry[i]) /* the last one counts */
			events_add(l, p->cpu.name, p->entry[i].event[0], "")->entry = &p->entry[i];
}

struct trust_events *
trust_events_new(const struct trust_table *t, const struct trust_known *known, const struct udd_model *m)
{
	struct trust_events *l = mem_new(sizeof *l);

	if (t)
		events_add_table(l, t, known);
	if (m)
		events_add_model(l, m, known);
	if (t || m || !known)
		return l;
	if (known->given || known->here)
		events_add_page(l, known->given ? known->given : known->here);
	else
		for (size_t i = 0; i < known->book->n; i++)
			events_add_page(l, &known->book->page[i]);
	return l;
}

void
trust_events_free(struct trust_events *l)
{
	if (!l)
		return;
	for (size_t i = 0; i < l->n; i++) {
		free(l->event[i].machine);
		free(l->event[i].event);
		free(l->event[i].test);
		free(l->event[i].counter);
	}
	free(l->event);
	free(l);
}

trust_letters
trust_event_letters(const struct trust_event *e)
{
	return e->judged ? e->judged->letters : e->entry ? e->entry->letters : 0;
}

enum trust_verdict
trust_event_verdict(const struct trust_event *e)
{
	return e->judged ? e->judged->verdict : e->entry ? e->entry->verdict : TRUST_UNKNOWN;
}
