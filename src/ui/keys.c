#include "ui/keys.h"

#include <stdio.h>

#include "base/utf8.h"
#include "ui/term.h"

static const struct {
	int key;
	const char *name;
} names[] = {
	{' ', "Space"}, {'\r', "Enter"}, {'\n', "Enter"}, {0x1b, "Esc"}, {'\t', "Tab"},
	{TK_SHIFT_TAB, "S-Tab"}, {TK_UP, "Up"}, {TK_DOWN, "Down"}, {TK_LEFT, "Left"}, {TK_RIGHT, "Right"},
	{TK_HOME, "Home"}, {TK_END, "End"}, {TK_PAGE_UP, "PgUp"}, {TK_PAGE_DOWN, "PgDn"}, {TK_BACKSPACE, "Backspace"},
};

char *
key_name(int key, char out[KEY_NAME])
{
	out[0] = '\0';
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (names[i].key == key) {
			snprintf(out, KEY_NAME, "%s", names[i].name);
			return out;
		}
	if (key >= TK_F1 && key <= TK_F12)
		snprintf(out, KEY_NAME, "F%d", key - TK_F1 + 1);
	else if (key > 0 && key < 0x20)
		snprintf(out, KEY_NAME, "C-%c", key - 1 + 'a');
	else if (key >= 0x20 && key < 0x110000)
		out[utf8_encode((uint32_t)key, out)] = '\0';
	return out;
}
