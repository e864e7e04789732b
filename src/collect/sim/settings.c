#include "collect/sim/settings.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/near.h"
#include "base/str.h"
#include "collect/sim/generate.h"

static const struct setting {
	const char *name, *text;
	enum sim_form form;
	int64_t least, most, preset;
} setting[SIM_N_SETTINGS] = {
#define X(id, name, form, least, most, preset, text) [SIM_SET_##id] = {name, text, form, least, most, preset},
	SIM_SETTINGS(X)
#undef X
};

#define WORDS_MAX 4
static const char *const kernel[] = {"copy", "scale", "add", "triad", NULL};
static const char *const frontier[] = {"linear", "random", NULL};
static const char *const page[] = {"4k", "2m", "1g", NULL};

static const char *const *
words_of(enum sim_setting s)
{
	return s == SIM_SET_KERNEL ? kernel : s == SIM_SET_FRONTIER ? frontier : page;
}

static const char letter[] = "KMGT"; /* each 1024 times the one before */

const char *
sim_setting_name(enum sim_setting s)
{
	return setting[s].name;
}

const char *
sim_setting_text(enum sim_setting s)
{
	return setting[s].text;
}

void
sim_settings_preset(struct sim_settings *s)
{
	for (int i = 0; i < SIM_N_SETTINGS; i++)
		s->value[i] = setting[i].preset;
	s->said = 0;
}

/* Reads 1024 or 1K. A value that is too large stays larger than any limit. */
static bool
read_amount(const char *text, int64_t *out)
{
	size_t n = strlen(text);
	const char *unit = n ? strchr(letter, text[n - 1]) : NULL;
	char *digits = mem_strn(text, unit ? n - 1 : n);
	unsigned shift = unit ? 10 * (unsigned)(unit - letter + 1) : 0;
	uint64_t v = 0;
	bool good = *digits && strspn(digits, "0123456789") == strlen(digits);

	if (good && (!str_to_u64(digits, &v) || v > (uint64_t)INT64_MAX >> shift))
		*out = INT64_MAX;
	else
		*out = (int64_t)(v << shift);
	free(digits);
	return good;
}

static const struct { const char *unit; int64_t ns; } span[] = {
	{"ns", 1}, {"us", 1000}, {"ms", 1000000}, {"s", 1000000000},
};
#define SPANS (sizeof span / sizeof *span)

/* Reads 800ns or 12us: digits and a unit. */
static bool
read_time(const char *text, int64_t *out)
{
	size_t n = strspn(text, "0123456789");
	char *digits = mem_strn(text, n);
	int64_t ns = 0;
	uint64_t v = 0;

	for (size_t i = 0; i < SPANS; i++)
		if (str_eq(span[i].unit, text + n))
			ns = span[i].ns;
	if (n && ns && (!str_to_u64(digits, &v) || v > (uint64_t)(INT64_MAX / ns)))
		*out = INT64_MAX;
	else
		*out = (int64_t)v * ns;
	free(digits);
	return n && ns;
}

/* Reads digits with up to six after the point. */
static bool
read_share(const char *text, int64_t *out)
{
	size_t whole = strspn(text, "0123456789"), n = whole;
	int64_t v = 0, unit = SIM_SHARE_ONE;

	if (text[n] == '.')
		n += 1 + strspn(text + n + 1, "0123456789");
	if (!whole || text[n] || text[n - 1] == '.' || whole > 9 || n > whole + 7)
		return false;
	for (size_t i = 0; i < whole; i++)
		v = 10 * v + (text[i] - '0');
	v *= SIM_SHARE_ONE;
	for (size_t i = whole + 1; i < n; i++)
		v += (text[i] - '0') * (unit /= 10);
	*out = v;
	return true;
}

static bool
read_word(enum sim_setting s, const char *text, int64_t *out)
{
	for (*out = 0; words_of(s)[*out]; ++*out)
		if (str_eq(words_of(s)[*out], text))
			return true;
	return false;
}

static bool
read_value(enum sim_setting s, const char *text, int64_t *out)
{
	switch (setting[s].form) {
	case SIM_BYTES:
	case SIM_COUNT:
		return read_amount(text, out);
	case SIM_STEPS:
		if (!read_amount(text + (*text == '-'), out))
			return false;
		*out = *text == '-' ? -*out : *out;
		return true;
	case SIM_SHARE:
		return read_share(text, out);
	case SIM_TIME:
		return read_time(text, out);
	case SIM_WORD:
		return read_word(s, text, out);
	}
	return false;
}

static void
print_amount(int64_t v, struct str *out)
{
	uint64_t size = v < 0 ? -(uint64_t)v : (uint64_t)v;
	int unit = 0;

	for (; unit < 4 && size && size % 1024 == 0; unit++)
		size /= 1024;
	str_addf(out, "%s%llu", v < 0 ? "-" : "", (unsigned long long)size);
	if (unit)
		str_addc(out, letter[unit - 1]);
}

static void
print_share(int64_t v, struct str *out)
{
	char digits[16];
	size_t n = 6;

	str_addf(out, "%lld", (long long)(v / SIM_SHARE_ONE));
	if (v % SIM_SHARE_ONE == 0)
		return;
	v %= SIM_SHARE_ONE;
	for (size_t i = 6; i-- > 0; v /= 10)
		digits[i] = (char)('0' + v % 10);
	while (digits[n - 1] == '0')
		n--;
	str_addc(out, '.');
	str_addn(out, digits, n);
}

static void
print_time(int64_t v, struct str *out)
{
	size_t i = 0;

	while (i + 1 < SPANS && v && v % span[i + 1].ns == 0)
		i++;
	str_addf(out, "%lld%s", (long long)(v / span[i].ns), span[i].unit);
}

static void
print_value(enum sim_setting s, int64_t v, struct str *out)
{
	switch (setting[s].form) {
	case SIM_BYTES:
	case SIM_STEPS:
	case SIM_COUNT:
		print_amount(v, out);
		return;
	case SIM_SHARE:
		print_share(v, out);
		return;
	case SIM_TIME:
		print_time(v, out);
		return;
	case SIM_WORD:
		str_add(out, words_of(s)[v]);
		return;
	}
}

void
sim_settings_print(const struct sim_settings *s, sim_setting_set set, struct str *out)
{
	const char *between = "";

	for (int i = 0; i < SIM_N_SETTINGS; i++)
		if (set >> i & 1) {
			str_addf(out, "%s%s=", between, setting[i].name);
			print_value((enum sim_setting)i, s->value[i], out);
			between = ",";
		}
}

/* Adds the hint: what is expected, with its range. */
static bool
explain_value(enum sim_setting s, const char *whose, const char *text, struct err *e)
{
	static const char *const form[] = {
		[SIM_BYTES] = "bytes, as 4096, 64K or 1G", [SIM_STEPS] = "a whole number, as 64, 4K or -64",
		[SIM_COUNT] = "a whole number, as 5 or 100K", [SIM_SHARE] = "a number, as 0.25",
		[SIM_TIME] = "a time, as 800ns, 12us or 4ms",
	};
	struct str range = {0};

	err_set(e, "%s: %s cannot be '%.40s'", whose, setting[s].name, text);
	if (setting[s].form == SIM_WORD) {
		for (int i = 0; words_of(s)[i]; i++)
			str_addf(&range, "%s%s", i ? ", " : "", words_of(s)[i]);
		err_hint(e, "expected: one of %s", str_text(&range));
	} else {
		print_value(s, setting[s].least, &range);
		str_add(&range, " to ");
		print_value(s, setting[s].most, &range);
		if (setting[s].form == SIM_STEPS)
			str_add(&range, ", and not 0");
		err_hint(e, "expected: %s, from %s%s", form[setting[s].form], str_text(&range),
			s == SIM_SET_FOOTPRINT ? ": addresses have 48 bits" : "");
	}
	str_free(&range);
	return false;
}

static bool
refuse_unknown(const char *name, const char *whose, sim_setting_set may, struct err *e)
{
	const char *known[SIM_N_SETTINGS], *near;
	struct str list = {0};
	size_t n = 0;

	for (int i = 0; i < SIM_N_SETTINGS; i++)
		if (may >> i & 1) {
			str_addf(&list, "%s%s", n ? ", " : "", setting[i].name);
			known[n++] = setting[i].name;
		}
	near = near_name(name, known, n);
	err_set(e, "%s has no parameter '%.40s'", whose, name);
	if (near)
		err_hint(e, "nearest: %s", near);
	else
		err_hint(e, "it has %s", str_text(&list));
	str_free(&list);
	return false;
}

/* Parses name=value. */
static bool
parse_one(struct sim_settings *set, const char *whose, sim_setting_set may, char *text, struct err *e)
{
	char *value = strchr(text, '=');
	int64_t v = 0;
	int s = 0;

	if (!*text) {
		err_set(e, "%s: a parameter is empty", whose);
		return err_hint(e, "write parameters as name=value, joined by ','");
	}
	if (value)
		*value++ = '\0';
	while (s < SIM_N_SETTINGS && !((may >> s & 1) && str_eq(setting[s].name, text)))
		s++;
	if (s == SIM_N_SETTINGS)
		return refuse_unknown(text, whose, may, e);
	if (set->said >> s & 1) {
		err_set(e, "%s: %s is given twice", whose, text);
		return err_hint(e, "give it once");
	}
	if (!value)
		return explain_value((enum sim_setting)s, whose, "", e);
	if (!read_value((enum sim_setting)s, value, &v) || v < setting[s].least || v > setting[s].most ||
		(setting[s].form == SIM_STEPS && v == 0))
		return explain_value((enum sim_setting)s, whose, value, e);
	set->value[s] = v;
	set->said |= (sim_setting_set)1 << s;
	return true;
}

bool
sim_settings_parse(
	struct sim_settings *s, const char *whose, sim_setting_set may, const char *text, size_t n, struct err *e)
{
	char *copy = mem_strn(text, n), **piece = str_split(copy, ',', NULL);
	bool good = true;

	for (size_t i = 0; piece[i] && good; i++)
		good = parse_one(s, whose, may, piece[i], e);
	str_split_free(piece);
	free(copy);
	return good;
}

static const struct sim_kind kind[] = {
	{"linear", "goes through an array, up or down", "",
		SIM_SET(STRIDE) | SIM_SET(LOADS) | SIM_SET(DEPENDS) | SIM_SET(STORE_DEPENDS), 0, false, false,
		sim_linear_new},
	{"lines", "touches two cache lines of a page, page after page", "",
		SIM_SET(FIRST) | SIM_SET(SECOND) | SIM_SET(STEP) | SIM_SET(LOADS), 0, false, false, sim_lines_new},
	{"random", "touches words anywhere", "other=4", SIM_SET(LOADS) | SIM_SET(DEPENDS) | SIM_SET(STORE_DEPENDS), 0,
		false, false, sim_random_new},
	{"chase", "follows a list through all of its memory", "other=1", SIM_SET(NODE) | SIM_SET(LOADS), 0, false,
		false, sim_chase_new},
	{"stream", "copies, scales or adds arrays (STREAM)", "other=1", SIM_SET(KERNEL), 0, false, false,
		sim_stream_new},
	{"gups", "changes words anywhere (GUPS)", "other=5", 0, 0, false, false, sim_gups_new},
	{"zipf", "gets and puts values by key, some keys far more often than others", "loads=0.95,other=6",
		SIM_SET(VALUE) | SIM_SET(SKEW) | SIM_SET(LOADS), 0, false, false, sim_zipf_new},
	{"graph", "gathers from the neighbours of each vertex", "skew=0.6,other=2",
		SIM_SET(DEGREE) | SIM_SET(SKEW) | SIM_SET(FRONTIER), 0, false, false, sim_graph_new},
	{"branchy", "searches a sorted array; each comparison is an unpredictable branch",
		"footprint=16M,wrong=0.5,wrong_length=8,other=3", 0, SIM_SET(AWAY), true, false, sim_branchy_new},
	{"code", "many instructions, little data: a stack", "footprint=256K,loads=0.65,other=20", SIM_SET(LOADS), 0,
		false, false, sim_code_new},
	{"periodic", "touches random words of all its memory, then of a part of it, in each period", "other=4",
		SIM_SET(LOADS) | SIM_SET(PERIOD) | SIM_SET(BUSY) | SIM_SET(QUIET),
		SIM_SET(WRONG) | SIM_SET(WRONG_LENGTH) | SIM_SET(AWAY) | SIM_SET(CLEARS), false, true,
		sim_periodic_new},
};

const struct sim_kind *
sim_kinds(size_t *n)
{
	*n = sizeof kind / sizeof *kind;
	return kind;
}

bool
sim_plan_holds(const struct sim_plan *p, const char *whose, uint64_t bytes, struct err *e)
{
	if ((uint64_t)p->set->value[SIM_SET_FOOTPRINT] >= bytes)
		return true;
	err_set(e, "%s needs a footprint of at least %llu bytes", whose, (unsigned long long)bytes);
	return err_hint(e, "give a larger footprint");
}

bool
sim_plan_aligned(const struct sim_plan *p, const char *whose, enum sim_setting s, struct err *e)
{
	if (p->set->value[s] % 8 == 0)
		return true;
	err_set(e, "%s: %s cannot be %lld bytes", whose, sim_setting_name(s), (long long)p->set->value[s]);
	return err_hint(e, "it must be a multiple of 8, so that no access crosses a cache line");
}
