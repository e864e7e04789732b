#include "collect/import/decimal.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

static bool
is_nan_word(const char *s)
{
	static const char *const word[] = {
		"nan", "-nan", "+nan", "inf", "-inf", "+inf", "infinity", "-infinity", "na", "n/a", "null", "none"
	};

	for (size_t i = 0; i < sizeof word / sizeof *word; i++)
		if (strcasecmp(s, word[i]) == 0)
			return true;
	return false;
}

/* Reads an exponent such as "e+06" at s into *exponent, clamped to the range that matters. Returns false when s is no
 * exponent up to the end of the text. */
static bool
parse_exponent(const char *s, int *exponent)
{
	bool minus;

	*exponent = 0;
	if (!*s)
		return true;
	if (*s != 'e' && *s != 'E')
		return false;
	s++;
	minus = *s == '-';
	s += *s == '-' || *s == '+';
	if (!isdigit((unsigned char)*s))
		return false;
	for (; isdigit((unsigned char)*s); s++)
		if (*exponent < 1000)
			*exponent = *exponent * 10 + (*s - '0');
	*exponent = minus ? -*exponent : *exponent;
	return !*s;
}

/* Reads a decimal. Leading zeros are skipped, and trailing zeros are counted rather than multiplied: 1000000e-6 must
 * fit. */
enum decimal_fault
decimal_parse(const char *s, struct decimal *decimal)
{
	bool minus = *s == '-', seen = false, point = false, large = false;
	int decimals = 0, zeros = 0, exponent;
	int64_t digits = 0;

	if (isalpha((unsigned char)s[*s == '-' || *s == '+']) && is_nan_word(s))
		return DECIMAL_NAN;
	s += *s == '-' || *s == '+';
	for (; isdigit((unsigned char)*s) || (*s == '.' && !point); s++) {
		if (*s == '.') {
			point = true;
			continue;
		}
		seen = true;
		if (decimals < 1000000)
			decimals += point;
		if (*s == '0' && zeros < 1000000) {
			zeros += digits > 0;
			continue;
		}
		for (; zeros > 0 && !large; zeros--)
			large = __builtin_mul_overflow(digits, 10, &digits);
		large = large || __builtin_mul_overflow(digits, 10, &digits) ||
			__builtin_add_overflow(digits, *s - '0', &digits);
	}
	if (!seen || !parse_exponent(s, &exponent))
		return DECIMAL_NOT_A_NUMBER;
	if (large)
		return minus ? DECIMAL_NEGATIVE : DECIMAL_TOO_LARGE;
	if (digits == 0) {
		*decimal = (struct decimal){0, 0};
		return DECIMAL_GOOD;
	}
	if (minus)
		return DECIMAL_NEGATIVE;
	decimals -= zeros + exponent;
	for (; decimals < 0; decimals++)
		if (__builtin_mul_overflow(digits, 10, &digits))
			return DECIMAL_TOO_LARGE;
	for (; decimals > 0 && digits % 10 == 0; decimals--)
		digits /= 10;
	if (decimals > 18)
		return DECIMAL_TOO_LARGE;
	*decimal = (struct decimal){digits, decimals};
	return DECIMAL_GOOD;
}

bool
decimal_scale(const struct decimal *d, int decimals, int64_t *out)
{
	*out = d->digits;
	for (int i = d->decimals; i < decimals && *out; i++)
		if (__builtin_mul_overflow(*out, 10, out))
			return false;
	return true;
}
