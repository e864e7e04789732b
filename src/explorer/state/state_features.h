/* Keys of view 1 that concern the model: features, rows, variants. */
#ifndef EXPLORER_STATE_STATE_FEATURES_H
#define EXPLORER_STATE_STATE_FEATURES_H

struct state;

void state_toggle(struct state *);      /* switch the feature under the cursor, if the model allows it */
void state_ask_flow(struct state *);    /* ask for the flow through the feature, if the result has any */
void state_ask_witness(struct state *); /* ask for a µpath that raises the counter of the tree's row */
void state_offer_variants(struct state *);

#endif
