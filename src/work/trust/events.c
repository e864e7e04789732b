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
events_add_table(struct trust_events *events, const struct trust_table *table, const struct trust_known *known)
{
	const struct trust_page *given = known ? known->given : NULL;

	for (size_t i = 0; i < table->runs.n; i++) {
		const struct trust_group *group = &table->runs.group[i];
		struct trust_event *event = events_add(events, group->machine, group->event, group->test);

		event->group = group;
		event->judged = &table->judgement->group[i];
		event->entry = given ? trust_page_entry(given, group->event) : NULL;
		if (!event->entry)
			event->entry = trust_shelf_entry(table->shelf, group->machine, group->event, group->counter);
	}
}

static void
events_add_model(struct trust_events *events, const struct udd_model *model, const struct trust_known *known)
{
	const struct trust_page *page = !known ? NULL : known->given ? known->given : known->here;

	for (size_t i = 0; i < model->n_counters; i++)
		for (size_t k = 0; k < model->counter[i].n_events; k++) {
			struct trust_event *event = events_add(
				events, page ? page->cpu.name : "", model->counter[i].event[k].name, "");

			event->counter = mem_str(model->counter[i].name);
			event->entry = page ? trust_page_entry(page, event->event) : NULL;
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
trust_events_new(const struct trust_table *table, const struct trust_known *known, const struct udd_model *model)
{
	struct trust_events *events = mem_new(sizeof *events);

	if (table)
		events_add_table(events, table, known);
	if (model)
		events_add_model(events, model, known);
	if (table || model || !known)
		return events;
	if (known->given || known->here)
		events_add_page(events, known->given ? known->given : known->here);
	else
		for (size_t i = 0; i < known->book->n; i++)
			events_add_page(events, &known->book->page[i]);
	return events;
}

void
trust_events_free(struct trust_events *events)
{
	if (!events)
		return;
	for (size_t i = 0; i < events->n; i++) {
		free(events->event[i].machine);
		free(events->event[i].event);
		free(events->event[i].test);
		free(events->event[i].counter);
	}
	free(events->event);
	free(events);
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
