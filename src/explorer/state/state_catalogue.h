/* View 0: all events that this machine's sources know, and which of them the next run counts in addition. */
#ifndef EXPLORER_STATE_STATE_CATALOGUE_H
#define EXPLORER_STATE_STATE_CATALOGUE_H

#include <stdbool.h>
#include <stddef.h>

struct catalogue;
struct catalogue_node;
struct event_row;
struct fitting;
struct state;
struct str;

/* Shows the list, or the judged events alone again. */
void state_show_catalogue(struct state *);
/* Takes over a catalogue, which may still be loading; NULL: none. */
void state_set_catalogue(struct state *, struct catalogue *);
void state_catalogue_came(struct state *); /* it has been loaded */

/* The nodes as shown: unfolded, or those that fit the words of /. */
const size_t *state_catalogue_rows(const struct state *, size_t *n);
/* What the cursor is on; NULL: nothing. */
const struct catalogue_node *state_catalogue_node(const struct state *);
/* What the view's page is about, if that is no judged event: a node; an event. NULL: nothing. */
const struct catalogue_node *state_catalogue_page(const struct state *);
const struct event_row *state_catalogue_event(const struct state *);
/* The words by which the list is narrowed; NULL: none. */
const char *state_catalogue_words(const struct state *);

void state_open_catalogue(struct state *); /* the chosen event in full; folds a group */
/* Unfolds (how > 0), folds (< 0), or does the other of the two (0); in a folded group or an event < 0 goes up. */
void state_fold_catalogue(struct state *, int how);
void state_fold_all_catalogue(struct state *);
void state_step_catalogue(struct state *, int by); /* to the next event, or the one before */

/* Counts the chosen event in the next run, or no longer. */
void state_add_event(struct state *);
struct fitting *state_fitting(struct state *); /* that asks whether the next run's counters fit */
bool state_event_is_added(const struct state *, const struct event_row *);
/* Appends names and events of what is added, each ended by a NUL; and replaces what is added by such a list. */
void state_added_write(const struct state *, struct str *out);
void state_added_put(struct state *, const struct str *list);

#endif
