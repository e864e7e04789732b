#include "core/trust/trust.h"

#include <string.h>

#include "base/str.h"

static const struct { char sign; const char *text; } letter[TRUST_N_LETTERS] = {
#define X(id, letter, text) [TRUST_##id] = {letter, text},
	TRUST_LETTERS(X)
#undef X
};

static const char *const cause[TRUST_N_CAUSES] = {
#define X(id, name, letter) [TRUST_PER_##id] = name,
	TRUST_CAUSES(X)
#undef X
};

static const char *const verdict[TRUST_N_VERDICTS] = {
	[TRUST_EXACT] = "deterministic",
	[TRUST_CONSTANT] = "constant overcount",
	[TRUST_CORRECTABLE] = "correctable",
	[TRUST_NOISY] = "noisy",
	[TRUST_ELSE] = "counts something else",
	[TRUST_REPEATABLE] = "repeatable",
	[TRUST_UNKNOWN] = "unknown",
};

char
trust_letter_sign(enum trust_letter l)
{
	return letter[l].sign;
}

const char *
trust_letter_text(enum trust_letter l)
{
	return letter[l].text;
}

void
trust_letters_print(trust_letters set, struct str *out)
{
	for (int i = 0; i < TRUST_N_LETTERS; i++)
		if (set >> i & 1)
			str_addc(out, letter[i].sign);
}

bool
trust_letters_parse(const char *text, trust_letters *out)
{
	for (*out = 0; *text; text++) {
		int i = 0;

		while (i < TRUST_N_LETTERS && letter[i].sign != *text)
			i++;
		if (i == TRUST_N_LETTERS)
			return false;
		*out |= (trust_letters)1 << i;
	}
	return true;
}

const char *
trust_verdict_name(enum trust_verdict v)
{
	return verdict[v];
}

const char *
trust_cause_name(enum trust_cause c)
{
	return cause[c];
}

bool
trust_cause_find(const char *name, enum trust_cause *out)
{
	for (int i = 0; i < TRUST_N_CAUSES; i++)
		if (str_eq(cause[i], name)) {
			*out = (enum trust_cause)i;
			return true;
		}
	return false;
}
