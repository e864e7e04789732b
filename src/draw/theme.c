#include "draw/theme.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/near.h"
#include "base/str.h"
#include "base/utf8.h"

/* themes/dark.theme describes the file format. A line is `key = words`; a `#` begins a comment unless six hex digits
 * follow. */

#define COLOR_NAMES 16

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

/* The keys of a theme file: the roles in the order of the enum, then the other keys. */
enum { KEY_NAME = ROLE_COUNT, KEY_MONO, KEY_COUNT };
static const char *const key_name[KEY_COUNT] = {
	[ROLE_TEXT] = "text",
	[ROLE_DIM] = "dim",
	[ROLE_FRAME] = "frame",
	[ROLE_ACCENT] = "accent",
	[ROLE_FEASIBLE] = "feasible",
	[ROLE_INFEASIBLE] = "infeasible",
	[ROLE_BORDERLINE] = "borderline",
	[ROLE_UNDECIDED] = "undecided",
	[ROLE_PATH1] = "path1",
	[ROLE_PATH2] = "path2",
	[ROLE_PATH3] = "path3",
	[ROLE_PATH4] = "path4",
	[ROLE_HOT] = "hot",
	[ROLE_SELECT] = "select",
	[ROLE_BACKGROUND] = "background",
	[KEY_NAME] = "name",
	[KEY_MONO] = "mono",
};
static const char *const color_name[COLOR_NAMES] = {
	"black",
	"red",
	"green",
	"yellow",
	"blue",
	"magenta",
	"cyan",
	"white",
	"bright-black",
	"bright-red",
	"bright-green",
	"bright-yellow",
	"bright-blue",
	"bright-magenta",
	"bright-cyan",
	"bright-white",
};
static const char *const attr_name[] = {"bold", "underline", "reverse", "dim", "normal"};
static const unsigned char attr_bit[] = {CELL_BOLD, CELL_UNDERLINE, CELL_REVERSE, CELL_DIM, 0};

#define LENGTH(a) (sizeof(a) / sizeof *(a))

struct parser {
	const char *file;
	int line;
	const char *start; /* of the line, for columns */
	struct theme *out;
	struct err *e;
	int first_line[KEY_COUNT]; /* where a key was set; 0: not yet */
};

void
theme_default(struct theme *t)
{
	*t = dark;
}

/* Adds the place to the message in p->e. Returns false. */
static bool
blame(struct parser *p, const char *at)
{
	return err_place(p->e, p->file, p->line, (int)(at - p->start) + 1);
}

static bool
unknown(struct parser *p, const char *at, const char *kind, const char *word, const char *const *names, size_t n)
{
	const char *near = near_name(word, names, n);

	err_set(p->e, "unknown %s %s", kind, word);
	if (near)
		err_hint(p->e, "the nearest is %s", near);
	else
		err_hint(p->e, "themes/dark.theme describes the format");
	return blame(p, at);
}

static size_t
index_of(const char *word, const char *const *names, size_t n)
{
	size_t i = 0;

	while (i < n && !str_eq(word, names[i]))
		i++;
	return i;
}

/* "#rrggbb" */
static bool
parse_rgb(const char *word, uint32_t *out)
{
	uint32_t v = 0;

	if (strlen(word) != 7)
		return false;
	for (const char *s = word + 1; *s; s++) {
		int digit = *s >= '0' && *s <= '9' ? *s - '0'
			: *s >= 'a' && *s <= 'f' ? *s - 'a' + 10
			: *s >= 'A' && *s <= 'F' ? *s - 'A' + 10 : -1;

		if (digit < 0)
			return false;
		v = v << 4 | (uint32_t)digit;
	}
	*out = v;
	return true;
}

static int
channel_distance(uint32_t a, uint32_t b, int shift)
{
	int d = (int)(a >> shift & 255) - (int)(b >> shift & 255);

	return d * d;
}

/* The nearest colour of the 6×6×6 cube and the 24 greys of 256-colour terminals. */
static short
nearest256(uint32_t rgb)
{
	int least = 1 << 30;
	short found = 16;

	for (int i = 16; i < 256; i++) {
		uint32_t r, g, b, v;
		int d;

		if (i < 232) {
			int k = i - 16;

			r = k / 36 ? (uint32_t)(55 + 40 * (k / 36)) : 0;
			g = k / 6 % 6 ? (uint32_t)(55 + 40 * (k / 6 % 6)) : 0;
			b = k % 6 ? (uint32_t)(55 + 40 * (k % 6)) : 0;
		} else {
			r = g = b = (uint32_t)(8 + 10 * (i - 232));
		}
		v = r << 16 | g << 8 | b;
		d = channel_distance(v, rgb, 16) + channel_distance(v, rgb, 8) + channel_distance(v, rgb, 0);
		if (d < least) {
			least = d;
			found = (short)i;
		}
	}
	return found;
}

/* Values of "256:" and "16:": a number below `most`, a colour name, or "default". */
static bool
parse_index(struct parser *p, const char *at, const char *word, int most, short *out)
{
	size_t named = index_of(word, color_name, COLOR_NAMES);
	uint64_t v;

	if (str_eq(word, "default")) {
		*out = -1;
		return true;
	}
	if (named < COLOR_NAMES) {
		*out = (short)named;
		return true;
	}
	if (!(*word >= '0' && *word <= '9'))
		return unknown(p, at, "color", word, color_name, COLOR_NAMES);
	if (!str_to_u64(word, &v) || v >= (uint64_t)most) {
		err_set(p->e, "%s is no color number of a terminal with %d colors", word, most);
		err_hint(p->e, "write a number from 0 to %d, a color name, or default", most - 1);
		return blame(p, at);
	}
	*out = (short)v;
	return true;
}

/* Values of "mono:": attributes separated by commas. */
static bool
parse_mono(struct parser *p, const char *at, const char *word, unsigned char *out)
{
	size_t n;
	char **piece = str_split(word, ',', &n);
	bool good = true;

	*out = 0;
	for (size_t i = 0; i < n && good; i++) {
		size_t k = index_of(piece[i], attr_name, LENGTH(attr_name));

		if (k < LENGTH(attr_name))
			*out |= attr_bit[k];
		else
			good = unknown(p, at, "attribute", piece[i], attr_name, LENGTH(attr_name));
	}
	str_split_free(piece);
	return good;
}

/* Parses one word of a role's line. Sets *has_rgb, *has_256 if the word gives them. */
static bool
parse_word(struct parser *p, const char *at, const char *word, struct theme_role *r, bool *has_rgb, bool *has_256)
{
	static const char *const words[] = {"bold", "underline", "reverse", "dim", "normal", "256:", "16:", "mono:"};
	size_t k = index_of(word, attr_name, LENGTH(attr_name));

	if (*word == '#') {
		*has_rgb = true;
		if (parse_rgb(word, &r->rgb))
			return true;
		err_set(p->e, "%s is no color", word);
		err_hint(p->e, "write # and six hex digits, for instance #7fb4ff");
		return blame(p, at);
	}
	if (k < LENGTH(attr_name)) {
		r->attr |= attr_bit[k];
		return true;
	}
	if (str_starts(word, "256:")) {
		*has_256 = true;
		return parse_index(p, at + 4, word + 4, 256, &r->index256);
	}
	if (str_starts(word, "16:"))
		return parse_index(p, at + 3, word + 3, 16, &r->index16);
	if (str_starts(word, "mono:"))
		return parse_mono(p, at + 5, word + 5, &r->mono_attr);
	return unknown(p, at, "word", word, words, LENGTH(words));
}

static bool
parse_role(struct parser *p, enum role role, const char *s, const char *end)
{
	struct theme_role r = p->out->role[role];
	bool has_rgb = false, has_256 = false, good = true;

	r.attr = 0;
	while (good && s < end) {
		size_t n = strcspn(s, " \t\r\n");
		char *word;

		if (n > (size_t)(end - s))
			n = (size_t)(end - s);
		word = mem_strn(s, n);
		good = parse_word(p, s, word, &r, &has_rgb, &has_256);
		free(word);
		s += n;
		while (s < end && (*s == ' ' || *s == '\t' || *s == '\r'))
			s++;
	}
	if (has_rgb && !has_256)
		r.index256 = role == ROLE_BACKGROUND ? -1 : nearest256(r.rgb);
	p->out->role[role] = r;
	return good;
}

static bool
parse_value(struct parser *p, size_t key, const char *at, const char *end)
{
	size_t n = (size_t)(end - at);

	if (n == 0) {
		err_set(p->e, "%s has no value", key_name[key]);
		err_hint(p->e, "write what it is after the =, or take the line away");
		return blame(p, at);
	}
	if (key < ROLE_COUNT)
		return parse_role(p, (enum role)key, at, end);
	if (key == KEY_MONO) {
		p->out->mono = n == 3 && memcmp(at, "yes", 3) == 0;
		if (p->out->mono || (n == 2 && memcmp(at, "no", 2) == 0))
			return true;
		err_set(p->e, "mono is yes or no, not %.*s", (int)(n < 40 ? n : 40), at);
		return blame(p, at);
	}
	if (n >= sizeof p->out->name) {
		err_set(p->e, "the theme's name has %zu bytes; %zu is the most", n, sizeof p->out->name - 1);
		return blame(p, at);
	}
	memcpy(p->out->name, at, n);
	p->out->name[n] = '\0';
	return true;
}

/* The end of the line's content, before a comment and blanks. "#7fb4ff" is a colour, "# 7fb4ff" a comment. */
static const char *
content_end(const char *s, const char *end)
{
	for (const char *c = s; c < end; c++) {
		bool after_blank = c == s || c[-1] == ' ' || c[-1] == '\t';

		if (*c == '#' && after_blank &&
			(c == s || c + 1 == end || c[1] == ' ' || c[1] == '\t' || c[1] == '\r' || c[1] == '#')) {
			end = c;
			break;
		}
	}
	while (end > s && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r'))
		end--;
	return end;
}

static bool
parse_line(struct parser *p, const char *end)
{
	const char *s = p->start + strspn(p->start, " \t"), *equals, *stop;
	char *key;
	size_t k;

	if (s >= end || (end = content_end(s, end)) == s)
		return true;
	equals = memchr(s, '=', (size_t)(end - s));
	if (!equals) {
		err_set(p->e, "expected `key = value`");
		err_hint(p->e, "a comment starts with #");
		return blame(p, s);
	}
	for (stop = equals; stop > s && (stop[-1] == ' ' || stop[-1] == '\t'); stop--)
		continue;
	key = mem_strn(s, (size_t)(stop - s));
	k = index_of(key, key_name, KEY_COUNT);
	if (k == KEY_COUNT)
		unknown(p, s, "key", key, key_name, KEY_COUNT);
	free(key);
	if (k == KEY_COUNT)
		return false;
	if (p->first_line[k]) {
		err_set(p->e, "%s is set twice; line %d has it already", key_name[k], p->first_line[k]);
		return blame(p, s);
	}
	p->first_line[k] = p->line;
	for (s = equals + 1; s < end && (*s == ' ' || *s == '\t'); s++)
		continue;
	return parse_value(p, k, s < end ? s : end, end);
}

bool
theme_parse(const char *file, const char *text, struct theme *out, struct err *e)
{
	struct theme made = dark;
	struct parser p = {.file = file, .line = 1, .out = &made, .e = e};
	size_t bad;

	made.name[0] = '\0';
	if (!utf8_valid(text, strlen(text), &bad)) {
		err_set(e, "not a text file: byte %zu is not UTF-8", bad + 1);
		return err_place(e, file, 0, 0);
	}
	for (const char *s = text; *s; p.line++) {
		size_t n = strcspn(s, "\n");

		p.start = s;
		if (!parse_line(&p, s + n))
			return false;
		s += n + (s[n] == '\n');
	}
	if (!*made.name) {
		err_set(e, "the theme has no name");
		err_hint(e, "add a line: name = mine");
		return err_place(e, file, 1, 1);
	}
	*out = made;
	return true;
}
