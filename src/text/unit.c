#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/near.h"
#include "base/str.h"
#include "text/aexpr.h"
#include "text/diag.h"
#include "text/lex.h"

static const struct {
	const char *word;
	enum unit_base base;
	double factor;
} words[] = {
	{"requests", UNIT_REQUESTS, 1},
	{"cycles", UNIT_CYCLES, 1},
	{"ns", UNIT_NS, 1},
	{"bytes", UNIT_BYTES, 1},
	{"pages", UNIT_PAGES, 1},
	{"instructions", UNIT_INSTRUCTIONS, 1},
	{"slots", UNIT_SLOTS, 1},
	{"fs", UNIT_NS, 1e-6},
	{"ps", UNIT_NS, 1e-3},
	{"us", UNIT_NS, 1e3},
	{"ms", UNIT_NS, 1e6},
	{"s", UNIT_NS, 1e9},
	{"KiB", UNIT_BYTES, 1024},
	{"MiB", UNIT_BYTES, 1024 * 1024},
};
#define N_WORDS (sizeof words / sizeof *words)

struct unit
unit_of(enum unit_base base)
{
	struct unit u = {0};

	u.power[base] = 1;
	return u;
}

struct unit
unit_times(struct unit a, struct unit b, int sign)
{
	for (int i = 0; i < UNIT_BASES; i++)
		a.power[i] = (int8_t)(a.power[i] + sign * b.power[i]);
	return a;
}

static void
add_powers(struct unit u, int sign, struct str *out)
{
	bool some = false;

	for (int i = 0; i < UNIT_BASES; i++)
		for (int k = 0; k < sign * u.power[i]; k++) {
			str_addf(out, "%s%s", some ? "*" : "", words[i].word);
			some = true;
		}
}

void
unit_text(struct unit u, struct str *out)
{
	bool above = false, below = false;

	for (int i = 0; i < UNIT_BASES; i++) {
		above |= u.power[i] > 0;
		below |= u.power[i] < 0;
	}
	if (above)
		add_powers(u, 1, out);
	else
		str_add(out, "1");
	for (int i = 0; i < UNIT_BASES && below; i++)
		for (int k = 0; k < -u.power[i]; k++)
			str_addf(out, "/%s", words[i].word);
}

static bool
parse_base(struct lexer *lexer, struct unit *unit, double *factor, int sign)
{
	const char *known[N_WORDS];
	struct place at = lex_place(lexer);
	struct str seen = {0};
	char *hint = NULL;
	size_t i = 0;

	while (i < N_WORDS && !lex_is_word(lexer, words[i].word))
		i++;
	if (i < N_WORDS) {
		*unit = unit_times(*unit, unit_of(words[i].base), sign);
		*factor *= sign > 0 ? words[i].factor : 1 / words[i].factor;
		lex_next(lexer);
		return true;
	}
	for (size_t k = 0; k < N_WORDS; k++)
		known[k] = words[k].word;
	if (lexer->now.kind == TOKEN_WORD) {
		char *word = str_format("%.*s", (int)lexer->now.len, lexer->source->text + lexer->now.at);

		hint = near_hint(word, known, N_WORDS);
		free(word);
	}
	lex_describe(lexer, &seen);
	if (!hint)
		hint = mem_str("units are requests, cycles, fs, ps, ns, us, ms, s, bytes, KiB, MiB, pages, "
			       "instructions and slots");
	diag_add(lexer->diags, DIAG_ERROR, &at, hint, "a unit expected, not %s", str_text(&seen));
	str_free(&seen);
	free(hint);
	return false;
}

/* "requests*cycles" is one unit, but "4 cycles * n" is a product. A unit continues only if the operator is glued to it
 * and another unit follows. */
static bool
unit_goes_on(const struct lexer *x)
{
	struct lexer ahead = *x;

	if (!(lex_is(x, '*') || lex_is(x, '/')) || !x->now.glued)
		return false;
	lex_next(&ahead);
	for (size_t i = 0; i < N_WORDS; i++)
		if (ahead.now.glued && lex_is_word(&ahead, words[i].word))
			return true;
	return false;
}

bool
unit_parse(struct lexer *lexer, struct unit *out, double *factor)
{
	int sign = 1;

	*out = (struct unit){0};
	*factor = 1;
	for (int n = 0; n < 8; n++) {
		if (!parse_base(lexer, out, factor, sign))
			return false;
		if (!unit_goes_on(lexer))
			return true;
		sign = lex_is(lexer, '*') ? 1 : -1;
		lex_next(lexer);
	}
	diag_add(lexer->diags, DIAG_ERROR, &(struct place){lexer->source, lexer->now.at, lexer->now.len}, NULL,
		"a unit of more than 8 factors");
	return false;
}
