#include "draw/cell.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "base/utf8.h"

/* The signs of docs/screens.md, section 4. Where they take two columns (² there), the UTF-8 form includes the blank
 * that always follows. */
static const struct {
	const char *utf8, *ascii;
} glyph[GLYPH_COUNT] = {
	[GLYPH_DECISION] = {"◇ ", "<>"},
	[GLYPH_COUNTER] = {"■", "#"},
	[GLYPH_EVENT] = {"○", "o"},
	[GLYPH_DONE] = {"●", "."},
	[GLYPH_FEASIBLE] = {"✓", "+"},
	[GLYPH_INFEASIBLE] = {"✗", "x"},
	[GLYPH_IN_DOUBT] = {"⊘", "/"},
	[GLYPH_BORDERLINE] = {"≈", "="},
	[GLYPH_UNDECIDED] = {"?", "?"},
	[GLYPH_BEST] = {"★", "*"},
	[GLYPH_FOLDED] = {"▸", ">"},
	[GLYPH_UNFOLDED] = {"▾", "v"},
	[GLYPH_CURSOR] = {"▸", ">"},
	[GLYPH_H] = {"─", "-"},
	[GLYPH_V] = {"│", "|"},
	[GLYPH_H_HEAVY] = {"━", "="},
	[GLYPH_TEE] = {"├", "+"},
	[GLYPH_LAST] = {"└", "+"},
	[GLYPH_T_DOWN] = {"┬", "+"},
	[GLYPH_T_UP] = {"┴", "+"},
	[GLYPH_T_LEFT] = {"┤", "+"},
	[GLYPH_T_RIGHT] = {"├", "+"},
	[GLYPH_CROSS] = {"┼", "+"},
	[GLYPH_T_DOWN_HEAVY] = {"┭", "+"},
	[GLYPH_TL] = {"┌", "+"},
	[GLYPH_TR] = {"┐", "+"},
	[GLYPH_BL] = {"└", "+"},
	[GLYPH_BR] = {"┘", "+"},
	[GLYPH_V_END] = {"╵", "|"},
	[GLYPH_H_BEFORE] = {"╌", "."},
	[GLYPH_V_BEFORE] = {"╎", ":"},
	[GLYPH_LE] = {"≤ ", "<="},
	[GLYPH_GE] = {"≥ ", ">="},
	[GLYPH_MINUS] = {"−", "-"},
	[GLYPH_TIMES] = {"×", "x"},
	[GLYPH_PLUSMINUS] = {"± ", "+-"},
	[GLYPH_ARROW] = {"→", ">"},
	[GLYPH_MU] = {"µ", "u"},
	[GLYPH_EMPTY] = {"∅ ", "{}"},
	[GLYPH_ELLIPSIS] = {"…", "~"},
	[GLYPH_DOT] = {"·", "."},
};

/* Every non-ASCII sign that hecate writes, in order, for translation. Braille and box drawing are computed. */
static const struct form {
	uint32_t cp;
	char ascii[3];
	bool foreign; /* not hecate's own signs: they occur in names and quotations only */
} form[] = {
	{0x00a0, " ", true},
	{0x00b0, "o", true},
	{0x00b1, "+-", false}, /* ± */
	{0x00b2, "2", false},  /* ² */
	{0x00b3, "3", true},
	{0x00b5, "u", false},  /* µ */
	{0x00b7, ".", false},  /* · */
	{0x00b9, "1", true},
	{0x00d7, "x", false},  /* × */
	{0x0394, "D", true},
	{0x03a3, "S", true},
	{0x03bb, "l", false},  /* λ */
	{0x03bc, "u", true},   /* the Greek µ */
	{0x03c1, "r", true},
	{0x03c3, "s", true},
	{0x03c7, "X", true},
	{0x2009, " ", false},  /* thin space between groups of digits */
	{0x2010, "-", true},
	{0x2011, "-", true},
	{0x2013, "-", true},
	{0x2014, "-", true},
	{0x2018, "'", true},
	{0x2019, "'", true},
	{0x201c, "\"", true},
	{0x201d, "\"", true},
	{0x2022, ".", true},
	{0x2026, "~", false},  /* … */
	{0x202f, " ", true},
	{0x2081, "1", false},  /* ₁ */
	{0x2082, "2", true},
	{0x2190, "<", false},  /* ← */
	{0x2191, "^", false},  /* ↑ */
	{0x2192, ">", false},  /* → */
	{0x2193, "v", false},  /* ↓ */
	{0x21e3, "v", false},  /* ⇣ */
	{0x2205, "{}", false}, /* ∅ */
	{0x2212, "-", false},  /* − */
	{0x221e, "oo", true},
	{0x2248, "=", false},  /* ≈ */
	{0x2260, "!=", true},
	{0x2264, "<=", false}, /* ≤ */
	{0x2265, ">=", false}, /* ≥ */
	{0x2298, "/", false},  /* ⊘ */
	{0x2581, "_", false},  /* ▁ */
	{0x2582, ".", false},
	{0x2583, ":", false},
	{0x2584, "-", false},
	{0x2585, "=", false},
	{0x2586, "+", false},
	{0x2587, "*", false},
	{0x2588, "#", false},  /* █ */
	{0x2589, "#", false},  /* ▉ ▊ ▋ ▌: half a cell and more */
	{0x258a, "#", false},
	{0x258b, "#", false},
	{0x258c, "#", false},
	{0x258d, " ", false},  /* ▍ ▎ ▏ */
	{0x258e, " ", false},
	{0x258f, " ", false},
	{0x2590, "#", false},  /* ▐ */
	{0x2591, ".", false},  /* ░ */
	{0x2592, ":", false},  /* ▒ */
	{0x2593, "%", false},  /* ▓ */
	{0x25a0, "#", false},  /* ■ */
	{0x25b4, "^", false},  /* ▴ */
	{0x25b7, ">", false},  /* ▷ */
	{0x25b8, ">", false},  /* ▸ */
	{0x25be, "v", false},  /* ▾ */
	{0x25c2, "<", false},  /* ◂ */
	{0x25c6, "*", false},  /* ◆ */
	{0x25c7, "<>", false}, /* ◇ */
	{0x25cb, "o", false},  /* ○ */
	{0x25cf, ".", false},  /* ● */
	{0x2605, "*", false},  /* ★ */
	{0x2713, "+", false},  /* ✓ */
	{0x2717, "x", false},  /* ✗ */
};

/* Arms of the box-drawing signs: [up][right][down][left], each 0, 1 (light) or 2 (heavy); Unicode block U+2500. */
static const uint16_t junction[3][3][3][3] = {
	{
		{{0x0020, 0x2574, 0x2578}, {0x2577, 0x2510, 0x2511}, {0x257b, 0x2512, 0x2513}},
		{{0x2576, 0x2500, 0x257e}, {0x250c, 0x252c, 0x252d}, {0x250e, 0x2530, 0x2531}},
		{{0x257a, 0x257c, 0x2501}, {0x250d, 0x252e, 0x252f}, {0x250f, 0x2532, 0x2533}},
	},
	{
		{{0x2575, 0x2518, 0x2519}, {0x2502, 0x2524, 0x2525}, {0x257d, 0x2527, 0x252a}},
		{{0x2514, 0x2534, 0x2535}, {0x251c, 0x253c, 0x253d}, {0x251f, 0x2541, 0x2545}},
		{{0x2515, 0x2536, 0x2537}, {0x251d, 0x253e, 0x253f}, {0x2522, 0x2546, 0x2548}},
	},
	{
		{{0x2579, 0x251a, 0x251b}, {0x257f, 0x2526, 0x2529}, {0x2503, 0x2528, 0x252b}},
		{{0x2516, 0x2538, 0x2539}, {0x251e, 0x2540, 0x2543}, {0x2520, 0x2542, 0x2549}},
		{{0x2517, 0x253a, 0x253b}, {0x2521, 0x2544, 0x2547}, {0x2523, 0x254a, 0x254b}},
	},
};

const char *
glyph_text(enum glyph g, bool ascii)
{
	return g < GLYPH_COUNT ? ascii ? glyph[g].ascii : glyph[g].utf8 : "?";
}

uint32_t
glyph_junction(int up, int right, int down, int left)
{
	return junction[up][right][down][left];
}

const char *
glyph_spinner(unsigned n, bool ascii)
{
	static const char *const braille[] = {"⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"};
	static const char *const bars[] = {"|", "/", "-", "\\"};

	return ascii ? bars[n % 4] : braille[n % 10];
}

uint32_t
glyph_used(size_t i)
{
	static const uint32_t more[] = {0x2500, 0x2501, 0x2502, 0x2503, 0x250c, 0x2514, 0x251c, 0x252d, 0x253c, 0x254c,
		0x254e, 0x2575, 0x2800, 0x2839, 0x28ff};

	for (size_t k = 0; k < sizeof form / sizeof *form; k++)
		if (!form[k].foreign && i-- == 0)
			return form[k].cp;
	return i < sizeof more / sizeof *more ? more[i] : 0;
}

/* '-' or '=' if it has only horizontal arms, '|' or '#' if only vertical ones, '+' for both. */
static char
box_ascii(uint32_t cp)
{
	if (cp == 0x2504 || cp == 0x2508 || cp == 0x254c || cp == 0x2505 || cp == 0x2509 || cp == 0x254d)
		return '.';
	if (cp == 0x2506 || cp == 0x250a || cp == 0x254e || cp == 0x2507 || cp == 0x250b || cp == 0x254f)
		return ':';
	for (int light = 1; light <= 2; light++) {
		for (int arm = 1; arm <= 3; arm++) {
			int a = arm & 1 ? light : 0, b = arm & 2 ? light : 0;

			if (junction[0][a][0][b] == cp)
				return light == 1 ? '-' : '=';
			if (junction[a][0][b][0] == cp)
				return light == 1 ? '|' : '#';
		}
	}
	if (cp == 0x257c || cp == 0x257e)
		return '=';
	return cp == 0x257d || cp == 0x257f ? '#' : '+';
}

size_t
glyph_ascii(uint32_t cp, char out[3])
{
	size_t lo = 0, hi = sizeof form / sizeof *form;

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;

		if (form[mid].cp < cp)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo < sizeof form / sizeof *form && form[lo].cp == cp) {
		memcpy(out, form[lo].ascii, 3);
		return strlen(out);
	}
	out[0] = cp < 0x80 ? (char)cp
	         : cp >= 0x2500 && cp <= 0x257f ? box_ascii(cp)
	         : cp == 0x2800 ? ' '
	         : cp > 0x2800 && cp <= 0x28ff ? '.' : '?';
	out[1] = '\0';
	return 1;
}

char *
glyph_translate(const char *s, bool ascii)
{
	struct str t = {0};

	if (!ascii) {
		str_add(&t, s);
		return str_take(&t);
	}
	for (size_t n = strlen(s); n > 0;) {
		uint32_t cp;
		size_t len = utf8_decode(s, n, &cp), k;
		char out[3];

		s += len;
		n -= len;
		if (utf8_columns(cp) == 0)
			continue;
		k = glyph_ascii(cp, out);
		str_addn(&t, out, k);
		if (k == 2 && n && *s == ' ') {
			s++;
			n--;
		}
	}
	return str_take(&t);
}
