#include "draw/cell.h"

#include "base/str.h"
#include "base/utf8.h"
#include "draw/theme.h"

static void
add_cp(struct str *out, uint32_t cp)
{
	char s[4];

	str_addn(out, s, utf8_encode(cp, s));
}

void
grid_text(const struct grid *g, struct str *out)
{
	for (int y = 0; y < g->h; y++) {
		for (int x = 0; x < g->w; x++) {
			const struct cell *c = &g->cell[(size_t)y * (size_t)g->w + (size_t)x];

			if (c->cp)
				add_cp(out, c->cp);
			for (int i = 0; i < CELL_MARKS && c->mark[i]; i++)
				add_cp(out, c->mark[i]);
		}
		str_addc(out, '\n');
	}
}
