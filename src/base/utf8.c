#include "base/utf8.h"

#include <stdio.h>
#include <string.h>

#include "base/str.h"

struct range {
	uint32_t first, last;
};

/* The blocks of East Asian Width W and F in Unicode 15, coarsely, and the zero-width marks that names may hold. */
static const struct range wide[] = {
	{0x1100, 0x115f}, {0x231a, 0x231b}, {0x2329, 0x232a}, {0x23e9, 0x23ec}, {0x23f0, 0x23f0}, {0x23f3, 0x23f3},
	{0x25fd, 0x25fe}, {0x2614, 0x2615}, {0x2648, 0x2653}, {0x267f, 0x267f}, {0x2693, 0x2693}, {0x26a1, 0x26a1},
	{0x26aa, 0x26ab}, {0x26bd, 0x26be}, {0x26c4, 0x26c5}, {0x26ce, 0x26ce}, {0x26d4, 0x26d4}, {0x26ea, 0x26ea},
	{0x26f2, 0x26f3}, {0x26f5, 0x26f5}, {0x26fa, 0x26fa}, {0x26fd, 0x26fd}, {0x2705, 0x2705}, {0x270a, 0x270b},
	{0x2728, 0x2728}, {0x274c, 0x274c}, {0x274e, 0x274e}, {0x2753, 0x2755}, {0x2757, 0x2757}, {0x2795, 0x2797},
	{0x27b0, 0x27b0}, {0x27bf, 0x27bf}, {0x2b1b, 0x2b1c}, {0x2b50, 0x2b50}, {0x2b55, 0x2b55}, {0x2e80, 0x303e},
	{0x3041, 0x33ff}, {0x3400, 0x4dbf}, {0x4e00, 0x9fff}, {0xa000, 0xa4cf}, {0xa960, 0xa97c}, {0xac00, 0xd7a3},
	{0xf900, 0xfaff}, {0xfe10, 0xfe19}, {0xfe30, 0xfe6f}, {0xff00, 0xff60}, {0xffe0, 0xffe6}, {0x16fe0,
		0x18cff},
	{0x1b000, 0x1b2ff}, {0x1f004, 0x1f004}, {0x1f0cf, 0x1f0cf}, {0x1f18e, 0x1f18e}, {0x1f191, 0x1f19a},
		{0x1f200, 0x1f265},
	{0x1f300, 0x1f64f}, {0x1f680, 0x1f6ff}, {0x1f7e0, 0x1f7eb}, {0x1f90c, 0x1f9ff}, {0x1fa70, 0x1faff},
		{0x20000, 0x3fffd},
};
static const struct range zero[] = {
	{0x0300, 0x036f}, {0x0483, 0x0489}, {0x0591, 0x05bd}, {0x0610, 0x061a}, {0x064b, 0x065f}, {0x0e31,
		0x0e31}, {0x0e34, 0x0e3a},
	{0x0e47, 0x0e4e}, {0x1ab0, 0x1aff}, {0x1dc0, 0x1dff}, {0x20d0, 0x20ff}, {0xfe00,
		0xfe0f}, {0xfe20, 0xfe2f},
	{0xe0100, 0xe01ef},
};

static bool
in_ranges(uint32_t cp, const struct range *range, size_t n)
{
	size_t lo = 0, hi = n;

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;

		if (cp > range[mid].last)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < n && cp >= range[lo].first;
}

size_t
utf8_decode(const char *s, size_t n, uint32_t *cp)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	const unsigned char *u = (const unsigned char *)s;
	size_t len = u[0] < 0x80 ? 1 : u[0] < 0xc2 ? 0 : u[0] < 0xe0 ? 2 : u[0] < 0xf0 ? 3 : u[0] < 0xf5 ? 4 : 0;
	uint32_t v;

	*cp = 0xfffd;
	if (len == 0 || len > n)
		return 1;
	v = len == 1 ? u[0] : u[0] & (0x7fu >> len);
	for (size_t i = 1; i < len; i++) {
		if ((u[i] & 0xc0) != 0x80)
			return 1;
		v = v << 6 | (u[i] & 0x3f);
	}
	if (v < least[len] || v > 0x10ffff || (v >= 0xd800 && v <= 0xdfff))
		return 1;
	*cp = v;
	return len;
}

size_t
utf8_encode(uint32_t cp, char out[4])
{
	if (cp < 0x80) {
		out[0] = (char)cp;
		return 1;
	}
	if (cp < 0x800) {
		out[0] = (char)(0xc0 | cp >> 6);
		out[1] = (char)(0x80 | (cp & 0x3f));
		return 2;
	}
	if (cp < 0x10000) {
		out[0] = (char)(0xe0 | cp >> 12);
		out[1] = (char)(0x80 | (cp >> 6 & 0x3f));
		out[2] = (char)(0x80 | (cp & 0x3f));
		return 3;
	}
	out[0] = (char)(0xf0 | (cp >> 18 & 7));
	out[1] = (char)(0x80 | (cp >> 12 & 0x3f));
	out[2] = (char)(0x80 | (cp >> 6 & 0x3f));
	out[3] = (char)(0x80 | (cp & 0x3f));
	return 4;
}

int
utf8_columns(uint32_t cp)
{
	if (cp < 0x300)
		return 1;
	if (in_ranges(cp, zero, sizeof zero / sizeof *zero))
		return 0;
	return in_ranges(cp, wide, sizeof wide / sizeof *wide) ? 2 : 1;
}

size_t
utf8_width(const char *s)
{
	size_t n = strlen(s), w = 0;

	for (size_t i = 0; i < n;) {
		uint32_t cp;

		i += utf8_decode(s + i, n - i, &cp);
		w += (size_t)utf8_columns(cp);
	}
	return w;
}

size_t
utf8_fit(const char *s, size_t columns)
{
	size_t n = strlen(s), w = 0, i = 0;

	while (i < n) {
		uint32_t cp;
		size_t len = utf8_decode(s + i, n - i, &cp);

		w += (size_t)utf8_columns(cp);
		if (w > columns)
			break;
		i += len;
	}
	return i;
}

bool
utf8_is_control(uint32_t cp)
{
	return cp < 0x20 || (cp >= 0x7f && cp < 0xa0) || cp == 0x00ad || cp == 0x061c ||
		(cp >= 0x200b && cp <= 0x200f) || (cp >= 0x2028 && cp <= 0x202e) || (cp >= 0x2060 && cp <= 0x206f) ||
		cp == 0xfeff || (cp >= 0xe0000 && cp <= 0xe007f);
}

void
utf8_add_visible(struct str *out, const char *s, size_t n)
{
	for (size_t i = 0; i < n;) {
		uint32_t cp;
		size_t len = utf8_decode(s + i, n - i, &cp);

		if (cp == '\n')
			str_add(out, "\\n");
		else if (cp == '\t')
			str_add(out, "\\t");
		else if (cp < 0x80 && utf8_is_control(cp))
			str_addf(out, "\\x%02x", (unsigned)cp);
		else if (utf8_is_control(cp))
			str_addf(out, "\\u{%04x}", (unsigned)cp);
		else if (cp == 0xfffd && len == 1)
			str_addf(out, "\\x%02x", (unsigned char)s[i]);
		else
			str_addn(out, s + i, len);
		i += len;
	}
}

char *
utf8_visible(const char *s)
{
	struct str text = {0};

	utf8_add_visible(&text, s, strlen(s));
	return str_take(&text);
}

void
utf8_add_valid(struct str *out, const char *s, size_t n)
{
	for (size_t i = 0; i < n;) {
		uint32_t cp;
		size_t len = utf8_decode(s + i, n - i, &cp);

		if (cp == 0xfffd && len == 1)
			str_add(out, "\xef\xbf\xbd");
		else
			str_addn(out, s + i, len);
		i += len;
	}
}

bool
utf8_valid(const char *s, size_t n, size_t *offset)
{
	for (size_t i = 0; i < n;) {
		uint32_t cp;
		size_t len;

		if ((unsigned char)s[i] - 1u < 0x7f) { /* plain ASCII, by far the most frequent case */
			i++;
			continue;
		}
		len = utf8_decode(s + i, n - i, &cp);
		if (cp == 0 || (cp == 0xfffd && len == 1)) {
			*offset = i;
			return false;
		}
		i += len;
	}
	return true;
}
