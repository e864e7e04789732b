/* Sequences after an Esc: which keys and mouse reports the decoder makes of them, how it waits for the next byte, and
 * which bytes it gives back. */
#include "ui/term_decode.h"

#include <string.h>

#include "base/str.h"
#include "test.h"

#define SECOND UINT64_C(1000000000)

/* Feeds the characters after an Esc, and then that no more come. Each wait is written down: N now, S soon, B byte. The
 * decoder must read all characters. */
static struct term_event
decode(struct term_decoder *d, const char *text, bool x10, uint64_t now, struct str *asked)
{
	static const char letter[] = {[TERM_DECODE_NOW] = 'N', [TERM_DECODE_SOON] = 'S', [TERM_DECODE_BYTE] = 'B'};
	enum term_decode_want want = term_decode_begin(d, x10);
	size_t n = 0;

	while (want != TERM_DECODE_DONE && n <= strlen(text)) {
		int c = text[n] ? (unsigned char)text[n] : -1;

		str_addf(asked, "%c", letter[want]);
		n += c >= 0;
		want = term_decode_feed(d, c, now);
		if (c < 0)
			break;
	}
	CHECK_INT(want, TERM_DECODE_DONE);
	CHECK_INT(n, strlen(text));
	return d->event;
}

static void
keys(void)
{
	static const struct { const char *text, *asked; int key, unread; } row[] = {
		{"", "N", 0x1b, -1},             {"x", "N", 0x1b, 'x'},
		{"\x1b", "N", 0x1b, 0x1b},       {"0", "N", TK_ALT | '0', -1},
		{"9", "N", TK_ALT | '9', -1},    {":", "N", 0x1b, ':'},
		{"[", "NS", 0x1b, '['},          {"O", "NS", 0x1b, 'O'},
		{"[A", "NS", TK_UP, -1},         {"OB", "NS", TK_DOWN, -1},
		{"[C", "NS", TK_RIGHT, -1},      {"OD", "NS", TK_LEFT, -1},
		{"[H", "NS", TK_HOME, -1},       {"OF", "NS", TK_END, -1},
		{"[1~", "NSS", TK_HOME, -1},     {"[7~", "NSS", TK_HOME, -1},
		{"[4~", "NSS", TK_END, -1},      {"[8~", "NSS", TK_END, -1},
		{"[1;5H", "NSSSS", TK_HOME, -1}, {"[1;5A", "NSSSS", TK_NONE, -1},
		{"[Z", "NS", TK_SHIFT_TAB, -1},  {"[2~", "NSS", TK_NONE, -1},
		{"[E", "NS", TK_NONE, -1},       {"[200", "NSSSS", TK_NONE, -1},
		{"OM", "NS", TK_NONE, -1},       {"O<", "NSS", TK_NONE, -1},
	};
	struct term_decoder d = {0};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct str asked = {0};

		test_label("Esc %s", row[i].text);
		CHECK_INT(decode(&d, row[i].text, true, SECOND, &asked).key, row[i].key);
		CHECK_INT(d.unread, row[i].unread);
		CHECK_STR(str_text(&asked), row[i].asked);
		str_free(&asked);
	}
}

static void
mouse_reports(void)
{
	static const struct { const char *text, *asked; bool x10; int key, button, x, y; } row[] = {
		{"[<0;12;7M", "NSSSSSSSS", false, TK_MOUSE, MOUSE_PRESS, 11, 6},
		{"[<0;12;7m", "NSSSSSSSS", false, TK_MOUSE, MOUSE_RELEASE, 11, 6},
		{"[<32;3;4M", "NSSSSSSSS", true, TK_MOUSE, MOUSE_DRAG, 2, 3},
		{"[<64;3;4M", "NSSSSSSSS", true, TK_MOUSE, MOUSE_WHEEL_UP, 2, 3},
		{"[<65;3;4M", "NSSSSSSSS", true, TK_MOUSE, MOUSE_WHEEL_DOWN, 2, 3},
		{"[<0;1\xff", "NSSSSS", true, TK_NONE, 0, 0, 0},
		{"[<0;1", "NSSSSS", true, TK_NONE, 0, 0, 0},
		{"[<", "NSS", true, TK_NONE, 0, 0, 0},
		{"[<0000000000000000000000000000000000000000000;1;1M", NULL, true, TK_NONE, 0, 0, 0},
		{"[M\x20\xff\x21", "NSBBB", true, TK_MOUSE, MOUSE_PRESS, 222, 0},
		{"[M`()", "NSBBB", true, TK_MOUSE, MOUSE_WHEEL_UP, 7, 8},
		{"[M#!!", "NSBBB", true, TK_MOUSE, MOUSE_RELEASE, 0, 0},
		{"[M !", "NSBBB", true, TK_NONE, 0, 0, 0},
		{"[M", "NSB", true, TK_NONE, 0, 0, 0},
		{"[M", "NS", false, TK_NONE, 0, 0, 0}, /* mouse reports are off */
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct term_decoder d = {0};
		struct str asked = {0};
		struct term_event e;

		test_label("Esc %s", row[i].text);
		e = decode(&d, row[i].text, row[i].x10, SECOND, &asked);
		CHECK_INT(e.key, row[i].key);
		CHECK_INT(d.unread, -1);
		if (row[i].asked)
			CHECK_STR(str_text(&asked), row[i].asked);
		str_free(&asked);
		if (row[i].key != TK_MOUSE || e.key != TK_MOUSE)
			continue;
		CHECK_INT(e.button, row[i].button);
		CHECK_INT(e.x, row[i].x);
		CHECK_INT(e.y, row[i].y);
	}
}

static void
double_clicks(void)
{
	static const struct { const char *text; int ms, button; } row[] = {
		{"[<0;5;5M", 1000, MOUSE_PRESS}, {"[<0;5;5M", 1399, MOUSE_DOUBLE}, {"[<0;5;5M", 1400, MOUSE_PRESS},
		{"[<0;5;5M", 1800, MOUSE_PRESS}, /* a millisecond too late */
		{"[<0;6;5M", 1801, MOUSE_PRESS}, {"[<0;6;6M", 1802, MOUSE_PRESS}, {"[<64;6;6M", 1803, MOUSE_WHEEL_UP},
		{"[M &&", 1804, MOUSE_DOUBLE}, /* neither the wheel nor another encoding matters */
	};
	struct term_decoder d = {0};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct str asked = {0};
		struct term_event e = decode(&d, row[i].text, true, (uint64_t)row[i].ms * SECOND / 1000, &asked);

		test_label("row %zu", i);
		CHECK_INT(e.key, TK_MOUSE);
		CHECK_INT(e.button, row[i].button);
		str_free(&asked);
	}
}

TEST_MAIN(CASE(keys), CASE(mouse_reports), CASE(double_clicks))
