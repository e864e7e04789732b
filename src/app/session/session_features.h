/* What keys do in view 1 with the model itself: its features, its rows, its variants. Used by session_act.c. */
#ifndef APP_SESSION_SESSION_FEATURES_H
#define APP_SESSION_SESSION_FEATURES_H

struct session;

void session_toggle(struct session *);      /* the feature under the cursor, as far as the model allows it */
void session_ask_flow(struct session *);    /* what went through it, as far as there is something to tell */
void session_ask_witness(struct session *); /* a µpath that raises the counter of the tree's row */
void session_offer_variants(struct session *);

#endif
