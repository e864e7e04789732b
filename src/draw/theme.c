#include "draw/theme.h"

#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"

/* docs/screens.md section 3, dark: {rgb, 256, 16, attributes, attributes without colour} */
static const struct theme dark = {
	.name = "dark",
	.role = {
		[ROLE_TEXT] = {0xd4d8de, 253, -1, 0, 0},
		[ROLE_DIM] = {0x8e98a8, 103, 8, 0, CELL_DIM},
		[ROLE_FRAME] = {0x454d5a, 239, 8, 0, CELL_DIM},
		[ROLE_ACCENT] = {0x7fb4ff, 111, 12, 0, CELL_BOLD},
		[ROLE_FEASIBLE] = {0x4cc38a, 72, 2, 0, 0},
		[ROLE_INFEASIBLE] = {0xff6b81, 204, 1, 0, CELL_BOLD},
		[ROLE_BORDERLINE] = {0xf0c05a, 215, 3, 0, CELL_UNDERLINE},
		[ROLE_UNDECIDED] = {0x9aa0ac, 247, 7, 0, CELL_DIM},
		[ROLE_PATH1] = {0x5db0f0, 75, 6, 0, 0},
		[ROLE_PATH2] = {0xe8cf4d, 185, 3, 0, 0},
		[ROLE_PATH3] = {0xc797f0, 177, 5, 0, 0},
		[ROLE_PATH4] = {0xea985c, 173, 9, 0, 0},
		[ROLE_HOT] = {0xff5f5f, 203, 9, CELL_BOLD, CELL_BOLD | CELL_REVERSE},
		[ROLE_SELECT] = {0x2a3648, 237, -1, 0, CELL_REVERSE},
		[ROLE_BACKGROUND] = {0x14171c, -1, -1, 0, 0},
	},
};

void
theme_default(struct theme *t)
{
	*t = dark;
}
