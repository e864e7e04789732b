/* View 0, the events: its list, the chosen event, and what books say of the events of a model's counters. */
#ifndef EXPLORER_STATE_STATE_EVENTS_H
#define EXPLORER_STATE_STATE_EVENTS_H

#include <stdbool.h>
#include <stddef.h>

struct counter_item;
struct state;
struct trust_entry;
struct trust_event;
struct trust_known;
struct trust_page;
struct trust_table;

/* Both take their argument over, and what was there before is freed. NULL: none. */
void state_set_known(struct state *, struct trust_known *);
void state_set_repeated(struct state *, struct trust_table *);
/* What the command line says of the data's events; takes it over. The books must be there. */
void state_give_trust(struct state *, struct trust_page *);

/* Opens a table of runs in view 0, next to the model or network that is open; takes it over. */
void state_open_repeated(struct state *, struct trust_table *);

void state_list_events(struct state *);   /* makes the list if there is none */
void state_forget_events(struct state *); /* the list: model, table or books have changed */

/* Numbers of data.events->event, sorted and filtered. The caller frees. */
const size_t *state_events(const struct state *, size_t *n);
const struct trust_event *state_event(const struct state *); /* the chosen one; NULL: none */
/* How a note names an event; the caller frees. */
char *state_event_key(const struct trust_event *);
void state_sync_events(struct state *);          /* after the list has changed: puts the cursor on the chosen one */
void state_step_event(struct state *, int by);   /* chooses the next one, or the one before */

/* What a book says of the model's counter: that of --trust, else that of this machine, if the data were counted here.
 * NULL: nothing, or it does not matter because the counter is exact. */
const struct trust_entry *state_counter_entry(const struct state *, size_t counter);
/* The same of a counter of a network or a stack. An alternative that the processor lacks is in no book of it. */
const struct trust_entry *state_item_entry(const struct state *, const struct counter_item *);

#endif
