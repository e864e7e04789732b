#ifndef EXPLORER_STATE_PANE_SHARE_H
#define EXPLORER_STATE_PANE_SHARE_H

/* Sizes that the user gave a pane, in thousandths; 0: none. */
struct pane_share {
	short width, band; /* of the view: of its column, and of its band */
	short height;      /* of its band: of itself */
};

#endif
