/* View 9, the probes: their list, the chosen probe, and requests to run probes. */
#ifndef EXPLORER_STATE_STATE_PROBES_H
#define EXPLORER_STATE_STATE_PROBES_H

#include <stdbool.h>
#include <stddef.h>

struct probe_book;
struct probe_entry;
struct probe_measured;
struct run;
struct sliced;
struct slicing;
struct state;

/* Both take their argument over, and what was there before is freed. A new book frees the run of the old one, too. */
void state_set_probes(struct state *, struct probe_book *); /* NULL: none */
void state_set_probing(struct state *, struct run *);
bool state_probing(const struct state *); /* does a run of probes measure now? */

const struct probe_entry *state_probe(const struct state *); /* the chosen one; NULL: none */
/* The chosen probe's curve on the book's machine, or with `beside` on the machine it is compared with; NULL: none. */
const struct probe_measured *state_probe_curve(const struct state *, bool beside);
bool state_has_curves(const struct state *);
size_t state_unsaved_curves(const struct state *); /* number of curves that are in no file, or only in part */

void state_step_probe(struct state *, int by); /* chooses the next one, or the one before */
void state_run_probe(struct state *, int all);
void state_probe_beside(struct state *);       /* shows and measures, or hides, the other machine's curve */
void state_probe_axis(struct state *);
void state_open_probe(struct state *);

/* Slices of programs. The setters take their argument over, and what was there before is freed. */
void state_set_sliced(struct state *, struct sliced *);   /* NULL: none */
void state_set_slicing(struct state *, struct slicing *); /* NULL: none is simulated */
void state_open_slices(struct state *);          /* opens the heat map, and asks for the slices */
void state_turn_slices(struct state *, int by);  /* goes to another round */
void state_write_slices(struct state *);         /* asks for the heat map's picture, if it is shown */

#endif
