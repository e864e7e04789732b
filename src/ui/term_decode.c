#include "ui/term_decode.h"

#include <string.h>

#include "ui/mouse_report.h"

#define ESC 0x1b
#define DOUBLE_CLICK_NS 400000000u

static enum term_decode_want
done(struct term_decoder *d, int key)
{
	d->event = (struct term_event){.key = key};
	return TERM_DECODE_DONE;
}

/* Not a sequence: Esc and another key were typed fast. */
static enum term_decode_want
done_with_esc(struct term_decoder *d, int unread)
{
	d->unread = unread;
	return done(d, ESC);
}

/* The event of a report; TK_NONE if it has no meaning here. */
static enum term_decode_want
done_with_mouse(struct term_decoder *decoder, const struct mouse_report *report, uint64_t now_ns)
{
	struct term_event *out = &decoder->event;

	*out = (struct term_event){.key = TK_MOUSE, .x = report->x, .y = report->y};
	switch (report->what) {
	case REPORT_WHEEL_UP:
		out->button = MOUSE_WHEEL_UP;
		return TERM_DECODE_DONE;
	case REPORT_WHEEL_DOWN:
		out->button = MOUSE_WHEEL_DOWN;
		return TERM_DECODE_DONE;
	case REPORT_DRAG:
		out->button = MOUSE_DRAG;
		return TERM_DECODE_DONE;
	case REPORT_RELEASE:
		out->button = MOUSE_RELEASE;
		return TERM_DECODE_DONE;
	case REPORT_OTHER:
		out->key = TK_NONE;
		return TERM_DECODE_DONE;
	case REPORT_LEFT:
		break;
	}
	out->button = MOUSE_PRESS;
	if (decoder->pressed_ns && now_ns - decoder->pressed_ns < DOUBLE_CLICK_NS && report->x == decoder->pressed_x &&
		report->y == decoder->pressed_y) {
		out->button = MOUSE_DOUBLE;
		now_ns = 0; /* a third press counts as a first one */
	}
	decoder->pressed_ns = now_ns;
	decoder->pressed_x = report->x;
	decoder->pressed_y = report->y;
	return TERM_DECODE_DONE;
}

/* After "ESC [ <": digits and semicolons up to a letter. */
static enum term_decode_want
feed_sgr(struct term_decoder *decoder, int c, uint64_t now_ns)
{
	struct mouse_report m;

	if (c >= 0x20 && c < 0x40) {
		if (decoder->n < sizeof decoder->text - 2)
			decoder->text[decoder->n++] = (char)c;
		return TERM_DECODE_SOON;
	}
	decoder->text[decoder->n++] = c > 0 && c < 0x80 ? (char)c : '?';
	decoder->text[decoder->n] = '\0';
	return mouse_report_sgr(decoder->text, &m) ? done_with_mouse(decoder, &m, now_ns) : done(decoder, TK_NONE);
}

/* After "ESC [ M": three bytes. */
static enum term_decode_want
feed_x10(struct term_decoder *decoder, int c, uint64_t now_ns)
{
	struct mouse_report m;
	unsigned char byte[3];

	if (c < 0)
		return done(decoder, TK_NONE);
	decoder->text[decoder->n++] = (char)c;
	if (decoder->n < sizeof byte)
		return TERM_DECODE_BYTE;
	for (size_t i = 0; i < sizeof byte; i++)
		byte[i] = (unsigned char)decoder->text[i];
	return mouse_report_x10(byte, &m) ? done_with_mouse(decoder, &m, now_ns) : done(decoder, TK_NONE);
}

/* A sequence that terminfo does not know. Skips it to its end, so that its letters are not taken for keys; recognises
 * the many spellings of Home and End. */
static enum term_decode_want
feed_sequence(struct term_decoder *d, int c)
{
	if (c >= 0x20 && c < 0x40) {
		if (d->n < sizeof d->text - 1)
			d->text[d->n++] = (char)c;
		return TERM_DECODE_SOON;
	}
	d->text[d->n] = '\0';
	if (c == '~' && strcmp(d->text, "200") == 0)
		return done(d, TK_PASTE);
	if (c == '~' && strcmp(d->text, "201") == 0)
		return done(d, TK_PASTE_END);
	if (c == 'H' || (c == '~' && (d->first == '1' || d->first == '7')))
		return done(d, TK_HOME);
	if (c == 'F' || (c == '~' && (d->first == '4' || d->first == '8')))
		return done(d, TK_END);
	if (c >= 'A' && c <= 'D' && d->first == c)
		return done(d, c == 'A' ? TK_UP : c == 'B' ? TK_DOWN : c == 'C' ? TK_RIGHT : TK_LEFT);
	return done(d, c == 'Z' ? TK_SHIFT_TAB : TK_NONE);
}

static enum term_decode_want
feed_after_esc(struct term_decoder *d, int c)
{
	if (c >= '0' && c <= '9')
		return done(d, TK_ALT | c);
	if (c != '[' && c != 'O')
		return done_with_esc(d, c);
	d->introducer = c;
	d->state = TERM_AFTER_INTRODUCER;
	return TERM_DECODE_SOON;
}

static enum term_decode_want
feed_after_introducer(struct term_decoder *decoder, int c)
{
	if (c < 0)
		return done_with_esc(decoder, decoder->introducer);
	if (decoder->introducer == '[' && c == '<') {
		decoder->state = TERM_IN_SGR;
		return TERM_DECODE_SOON;
	}
	if (decoder->introducer == '[' && c == 'M' && decoder->x10) {
		decoder->state = TERM_IN_X10;
		return TERM_DECODE_BYTE;
	}
	decoder->state = TERM_IN_SEQUENCE;
	decoder->first = c;
	return feed_sequence(decoder, c);
}

enum term_decode_want
term_decode_begin(struct term_decoder *d, bool x10)
{
	d->event = (struct term_event){.key = TK_NONE};
	d->unread = -1;
	d->state = TERM_AFTER_ESC;
	d->x10 = x10;
	d->n = 0;
	return TERM_DECODE_NOW;
}

enum term_decode_want
term_decode_feed(struct term_decoder *decoder, int c, uint64_t now_ns)
{
	switch (decoder->state) {
	case TERM_AFTER_ESC:
		return feed_after_esc(decoder, c);
	case TERM_AFTER_INTRODUCER:
		return feed_after_introducer(decoder, c);
	case TERM_IN_SGR:
		return feed_sgr(decoder, c, now_ns);
	case TERM_IN_X10:
		return feed_x10(decoder, c, now_ns);
	case TERM_IN_SEQUENCE:
		return feed_sequence(decoder, c);
	}
	return TERM_DECODE_DONE;
}
