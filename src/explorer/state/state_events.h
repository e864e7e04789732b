/* View 0, the events: its list, the chosen event, and what books say about the events of a model's counters. */
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
/* Sets what the command line says about the data's events, and takes it over. The books must be set before. */
void state_give_trust(struct state *, struct trust_page *);

/* Opens a table of runs in view 0, next to the model or network that is open; takes it over. */
void state_open_repeated(struct state *, struct trust_table *);

void state_list_events(struct state *);   /* makes the list if there is none */
void state_forget_events(struct state *); /* frees the list, after model, table or books have changed */

/* Numbers of data.events->event, sorted and filtered. The caller frees. */
const size_t *state_events(const struct state *, size_t *n);
const struct trust_event *state_event(const struct state *); /* the chosen one; NULL: none */
/* How a note names an event; the caller frees. */
char *state_event_key(const struct trust_event *);
void state_sync_events(struct state *);          /* puts the cursor on the chosen event after the list changed */
void state_step_event(struct state *, int by);   /* chooses the next one, or the one before */

/* What a book says about the model's counter. The book is that of --trust, or else this machine's if the data were
 * counted here. NULL: it says nothing, or the counter is exact all the same. */
const struct trust_entry *state_counter_entry(const struct state *, size_t counter);
/* The same for a counter of a network or a stack. A processor's book has no events that the processor lacks. */
const struct trust_entry *state_item_entry(const struct state *, const struct counter_item *);

#endif
