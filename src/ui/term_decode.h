/* Decodes what follows an Esc on a terminal, one character at a time: Esc alone, Alt with a digit, a mouse report, or a
 * sequence that terminfo does not know. Sees no terminal: the caller reads what the decoder wants next.
 *
 *                  digit                                    Alt + digit
 *     Esc ─ now ─┬─ [ or O ─ soon ─┬─ < after [ ─ soon … ─── mouse report (mode 1006)
 *                │                 ├─ M after [ ─ 3 bytes ── mouse report (mode 1000)
 *                │                 ├─ other ─ soon … ──────── a key that terminfo may lack, or nothing
 *                │                 └─ none: Esc, and the character was a key of its own
 *                └─ other, none: Esc, and the character was a key of its own */
#ifndef UI_TERM_DECODE_H
#define UI_TERM_DECODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ui/term.h"

enum term_decode_want {
	TERM_DECODE_DONE, /* nothing: the event is complete */
	TERM_DECODE_NOW,  /* a character that has already arrived */
	TERM_DECODE_SOON, /* a character that may still be on its way */
	TERM_DECODE_BYTE  /* like SOON, but a byte, which may be only part of a character */
};

/* Zero-initialise the decoder when the terminal is opened. It remembers the last press of a button, so that a second
 * press in the same cell within 400 ms is a double click. */
struct term_decoder {
	struct term_event event; /* when done; TK_NONE: the sequence has no meaning here */
	int unread;              /* when done: a character after the sequence, not part of it; -1: none */
	/* Private: */
	enum { TERM_AFTER_ESC, TERM_AFTER_INTRODUCER, TERM_IN_SGR, TERM_IN_X10, TERM_IN_SEQUENCE } state;
	bool x10;
	int introducer, first;
	char text[32];
	size_t n;
	uint64_t pressed_ns;
	int pressed_x, pressed_y;
};

/* Begins after an Esc. `x10`: the terminal sends the mouse reports of mode 1000. */
enum term_decode_want term_decode_begin(struct term_decoder *, bool x10);
/* Takes what was wanted last; c is -1 if nothing came. now_ns: monotonic time, used for presses. */
enum term_decode_want term_decode_feed(struct term_decoder *, int c, uint64_t now_ns);

#endif
