#include "ui/mouse_report.h"

#include <stddef.h>

/* Bits of the button number, in both encodings: shift, meta and control; motion; the wheel (64). */
#define MODIFIERS (4 | 8 | 16)
#define MOTION 32
#define WHEEL 64
#define RELEASE 3 /* in the old encoding, of any button */

/* Parses a number, at most 9999; false if there is none. *at ends after it. */
static bool
mouse_report_take_number(const char *text, size_t *at, int *out)
{
	size_t from = *at;
	int n = 0;

	for (; text[*at] >= '0' && text[*at] <= '9'; ++*at) {
		n = n * 10 + (text[*at] - '0');
		if (n > 9999)
			return false;
	}
	*out = n;
	return *at > from;
}

static enum mouse_what
what_of(int button, bool released)
{
	button &= ~MODIFIERS;
	if (released)
		return button == 0 ? REPORT_RELEASE : REPORT_OTHER;
	switch (button) {
	case MOTION:
		return REPORT_DRAG;
	case RELEASE:
		return REPORT_RELEASE;
	case 0:
		return REPORT_LEFT;
	case WHEEL:
		return REPORT_WHEEL_UP;
	case WHEEL + 1:
		return REPORT_WHEEL_DOWN;
	default: /* every other number is another button, or motion without one */
		return REPORT_OTHER;
	}
}

bool
mouse_report_sgr(const char *text, struct mouse_report *out)
{
	size_t at = 0;
	int button, x, y;

	if (!mouse_report_take_number(text, &at, &button) || text[at++] != ';' ||
		!mouse_report_take_number(text, &at, &x) || text[at++] != ';' ||
		!mouse_report_take_number(text, &at, &y))
		return false;
	if ((text[at] != 'M' && text[at] != 'm') || text[at + 1] || x < 1 || y < 1)
		return false;
	*out = (struct mouse_report){.what = what_of(button, text[at] == 'm'), .x = x - 1, .y = y - 1};
	return true;
}

bool
mouse_report_x10(const unsigned char byte[3], struct mouse_report *out)
{
	if (byte[0] < 32 || byte[1] < 33 || byte[2] < 33)
		return false;
	*out = (struct mouse_report){.what = what_of(byte[0] - 32, false), .x = byte[1] - 33, .y = byte[2] - 33};
	return true;
}
