/* What keys do in view 1 with the model itself: its features, its rows, its variants. Used by state_act.c. */
#ifndef APP_STATE_STATE_FEATURES_H
#define APP_STATE_STATE_FEATURES_H

struct state;

void state_toggle(struct state *);      /* the feature under the cursor, as far as the model allows it */
void state_ask_flow(struct state *);    /* what went through it, as far as there is something to tell */
void state_ask_witness(struct state *); /* a µpath that raises the counter of the tree's row */
void state_offer_variants(struct state *);

#endif
