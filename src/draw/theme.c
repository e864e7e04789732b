#include "draw/theme.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/near.h"
#include "base/str.h"
#include "text/diag.h"
#include "text/lex.h"
#include "text/notation.h"
#include "text/source.h"

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
		[ROLE_FEASIBLE] = {0x48c99b, 79, 2, 0, 0},
		[ROLE_INFEASIBLE] = {0xff6b81, 204, 1, 0, CELL_BOLD},
		[ROLE_BORDERLINE] = {0xf0c05a, 221, 3, 0, CELL_UNDERLINE},
		[ROLE_UNDECIDED] = {0x9aa0ac, 247, 7, 0, CELL_DIM},
		[ROLE_PATH1] = {0x5db0f0, 75, 6, 0, 0},
		[ROLE_PATH2] = {0xe8cf4d, 185, 3, 0, 0},
		[ROLE_PATH3] = {0xb989c2, 177, 5, 0, 0},
		[ROLE_PATH4] = {0xea985c, 173, 9, 0, 0},
		[ROLE_HOT] = {0xff6161, 203, 9, CELL_BOLD, CELL_BOLD | CELL_REVERSE},
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
const char *
theme_role_name(enum role role)
{
	return key_name[role];
}

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
	struct source source;
	struct lexer x;
	struct diags diags;
	struct theme *out;
	int first_line[KEY_COUNT]; /* where a key was set; 0: not yet */
};

void
theme_default(struct theme *t)
{
	*t = dark;
}

/* Reports an unknown word at a place, and the nearest of those that are known. */
static bool
unknown(struct parser *p, struct place at, const char *kind, const char *word, const char *const *names, size_t n)
{
	const char *near = near_name(word, names, n);
	char *hint = near ? str_format("the nearest is %s", near) : mem_str("themes/dark.theme describes the format");

	diag_add(&p->diags, DIAG_ERROR, &at, hint, "unknown %s %s", kind, word);
	free(hint);
	return false;
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
parse_index(struct parser *parser, struct place at, const char *word, int most, short *out)
{
	size_t named = index_of(word, color_name, COLOR_NAMES);
	int64_t v = str_eq(word, "default") ? -1 : (int64_t)named;
	char *hint;

	if (v < COLOR_NAMES || notation_read(NOTATION_WHOLE, 0, most - 1, word, &v)) {
		*out = (short)v;
		return true;
	}
	if (!(*word >= '0' && *word <= '9'))
		return unknown(parser, at, "color", word, color_name, COLOR_NAMES);
	hint = str_format("write a number from 0 to %d, a color name, or default", most - 1);
	diag_add(&parser->diags, DIAG_ERROR, &at, hint, "%s is no color number of a terminal with %d colors", word,
		most);
	free(hint);
	return false;
}

/* Values of "mono:": attributes separated by commas. */
static bool
parse_mono(struct parser *parser, struct place at, const char *word, unsigned char *out)
{
	size_t n;
	char **piece = str_split(word, ',', &n);
	bool good = true;

	*out = 0;
	for (size_t i = 0; i < n && good; i++) {
		size_t k = index_of(piece[i], attr_name, LENGTH(attr_name));

		at.len = (uint32_t)strlen(piece[i]);
		if (k < LENGTH(attr_name))
			*out |= attr_bit[k];
		else
			good = unknown(parser, at, "attribute", piece[i], attr_name, LENGTH(attr_name));
		at.at += at.len + 1;
	}
	str_split_free(piece);
	return good;
}

/* The place without its first bytes. */
static struct place
after(struct place at, uint32_t n)
{
	return (struct place){at.source, at.at + n, at.len - n};
}

/* Parses one word of a role's line. Sets *has_rgb, *has_256 if the word gives them. */
static bool
parse_word(
	struct parser *parser, struct place at, const char *word, struct theme_role *role, bool *has_rgb, bool *has_256)
{
	static const char *const words[] = {"bold", "underline", "reverse", "dim", "normal", "256:", "16:", "mono:"};
	size_t k = index_of(word, attr_name, LENGTH(attr_name));

	if (*word == '#') {
		*has_rgb = true;
		if (parse_rgb(word, &role->rgb))
			return true;
		diag_add(&parser->diags, DIAG_ERROR, &at, "write # and six hex digits, for instance #7fb4ff",
			"%s is no color", word);
		return false;
	}
	if (k < LENGTH(attr_name)) {
		role->attr |= attr_bit[k];
		return true;
	}
	if (str_starts(word, "256:")) {
		*has_256 = true;
		return parse_index(parser, after(at, 4), word + 4, 256, &role->index256);
	}
	if (str_starts(word, "16:"))
		return parse_index(parser, after(at, 3), word + 3, 16, &role->index16);
	if (str_starts(word, "mono:"))
		return parse_mono(parser, after(at, 5), word + 5, &role->mono_attr);
	return unknown(parser, at, "word", word, words, LENGTH(words));
}

static char *
text_of(struct place at)
{
	return mem_strn(at.source->text + at.at, at.len);
}

static bool
parse_role(struct parser *parser, enum role role)
{
	struct theme_role r = parser->out->role[role];
	bool has_rgb = false, has_256 = false, good = true;

	r.attr = 0;
	while (good && parser->x.now.kind != TOKEN_END && !lex_is(&parser->x, '\n')) {
		struct place at = lex_join_all(&parser->x);
		char *word = text_of(at);

		good = parse_word(parser, at, word, &r, &has_rgb, &has_256);
		free(word);
	}
	if (has_rgb && !has_256)
		r.index256 = role == ROLE_BACKGROUND ? -1 : nearest256(r.rgb);
	parser->out->role[role] = r;
	return good;
}

/* Parses what is not of a role: the text after the '='. */
static bool
theme_parse_text(struct parser *parser, size_t key, struct place at, const char *text)
{
	if (key == KEY_MONO) {
		parser->out->mono = str_eq(text, "yes");
		if (!parser->out->mono && !str_eq(text, "no"))
			diag_add(&parser->diags, DIAG_ERROR, &at, NULL, "mono is yes or no, not %.40s", text);
	} else if (at.len >= sizeof parser->out->name) {
		diag_add(&parser->diags, DIAG_ERROR, &at, NULL, "the theme's name has %u bytes; %zu is the most",
			at.len, sizeof parser->out->name - 1);
	} else {
		memcpy(parser->out->name, text, at.len + 1);
	}
	return !parser->diags.errors;
}

/* Parses the line from its '=' on. */
static bool
parse_value(struct parser *parser, size_t key)
{
	struct lexer role = parser->x;
	struct place at = lex_take_line(&parser->x, parser->x.now.at + 1);
	char *text = text_of(at);
	bool good = *text;

	if (!good)
		diag_add(&parser->diags, DIAG_ERROR, &at, "write what it is after the =, or take the line away",
			"%s has no value", key_name[key]);
	else if (key >= ROLE_COUNT)
		good = theme_parse_text(parser, key, at, text);
	free(text);
	if (!good || key >= ROLE_COUNT)
		return good;
	parser->x = role;
	lex_next(&parser->x);
	return parse_role(parser, (enum role)key);
}

static bool
parse_line(struct parser *parser)
{
	struct place at = lex_place(&parser->x);
	char *key;
	size_t k;

	if (!lex_is(&parser->x, '='))
		at = lex_join(&parser->x, "-", &(bool){false});
	else
		at.len = 0;
	if (!lex_is(&parser->x, '=')) {
		diag_add(&parser->diags, DIAG_ERROR, &at, "a comment starts with #", "expected `key = value`");
		return false;
	}
	key = text_of(at);
	k = index_of(key, key_name, KEY_COUNT);
	if (k == KEY_COUNT)
		unknown(parser, at, "key", key, key_name, KEY_COUNT);
	free(key);
	if (k == KEY_COUNT)
		return false;
	if (parser->first_line[k]) {
		diag_add(&parser->diags, DIAG_ERROR, &at, NULL, "%s is set twice; line %d has it already", key_name[k],
			parser->first_line[k]);
		return false;
	}
	parser->first_line[k] = source_line(&parser->source, at.at);
	return parse_value(parser, k);
}

bool
theme_parse(const char *file, const char *text, struct theme *out, struct err *e)
{
	struct theme made = dark;
	struct parser p = {.out = &made};
	bool good = true;

	made.name[0] = '\0';
	source_init(&p.source, mem_str(file), mem_str(text), strlen(text));
	lex_begin_lines(&p.x, &p.source, LEX_LINES_WITH_COLOURS, &p.diags);
	while (good && p.x.now.kind != TOKEN_END)
		if (lex_is(&p.x, '\n'))
			lex_next(&p.x);
		else
			good = parse_line(&p);
	if (!p.diags.errors && !*made.name)
		diag_add(&p.diags, DIAG_ERROR, &(struct place){&p.source, 0, 0}, "add a line: name = mine",
			"the theme has no name");
	good = diags_good(&p.diags, e);
	if (good)
		*out = made;
	diags_free(&p.diags);
	source_free(&p.source);
	return good;
}
