/* The palette (key `:`): everything that can be done or opened, found by a few letters of its name. */
#ifndef EXPLORER_STATE_STATE_PALETTE_H
#define EXPLORER_STATE_STATE_PALETTE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "explorer/state/action.h"

struct state;

/* The prompt's text begins with this if it is a command to run. */
#define PALETTE_RUNS '!'
#define PALETTE_RECENT 7
#define PALETTE_LINE_MOST 4096 /* bytes of the line; more is dropped */

enum palette_kind {
	PALETTE_COMMAND, /* run the rest of the line; the first item */
	PALETTE_ACTION,  /* `number` is an enum action */
	PALETTE_OPEN,    /* a model, network or stack by name */
	PALETTE_VARIANT,
	PALETTE_FEATURE,
	PALETTE_THEME,
	PALETTE_SETTING,
};

struct palette_item {
	enum palette_kind kind;
	int number;
	char *name, *text;
	char key[ACTION_KEY_TEXT]; /* "": none */
	char *why;                 /* why it could not be done when the palette was opened; NULL: it can */
};

/* The items of when the palette was opened last, and the names of those that were used last. */
struct palette {
	struct palette_item *item;
	size_t n, cap;
	uint64_t opened; /* rises with each opening */
	char *recent[PALETTE_RECENT + 1]; /* the latest first; NULL after the last */
};

void state_open_palette(struct state *);
void palette_free(struct palette *);

/* The numbers of the items that fit the prompt's text, the best first. A list as shown (shown.h). */
const size_t *state_palette_rows(const struct state *, size_t *n);

/* Does the prompt's text begin with PALETTE_RUNS? */
bool state_palette_runs(const struct state *);
/* Closes the palette, and does what the row under the cursor says, or says why it cannot be done. */
void state_palette_take(struct state *);

#endif
