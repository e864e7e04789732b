/* Parses what terminals send about the mouse. Two encodings exist, both described in xterm's ctlseqs under "Mouse
 * Tracking":
 *
 *     ESC [ < BUTTON ; COLUMN ; ROW M     pressed; m instead of M: released. Any width (mode 1006)
 *     ESC [ M b c r                       three bytes, each 32 more than its number; up to column 223 (mode 1000 alone)
 *
 * curses can read both. But after an event that the program did not ask for, such as the release of a button, its
 * reader waits without a limit for the next input. So the reports are read here. */
#ifndef UI_MOUSE_REPORT_H
#define UI_MOUSE_REPORT_H

#include <stdbool.h>

/* UP, DOWN: the wheel; DRAG: motion with the left button pressed; OTHER: other motion, other buttons */
enum mouse_what { REPORT_LEFT, REPORT_WHEEL_UP, REPORT_WHEEL_DOWN, REPORT_DRAG, REPORT_RELEASE, REPORT_OTHER };

struct mouse_report {
	enum mouse_what what;
	int x, y; /* cell, from 0 */
};

/* text: what follows "ESC [ <", including the final letter. False: not a mouse report. */
bool mouse_report_sgr(const char *text, struct mouse_report *);
/* byte: the three bytes after "ESC [ M". False: not a mouse report. */
bool mouse_report_x10(const unsigned char byte[3], struct mouse_report *);

#endif
