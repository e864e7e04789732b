#include "text/notation.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"

static const char letter[] = "KMGT"; /* each 1024 times the one before */

/* Reads 1024 or 1K. */
static bool
read_amount(const char *text, int64_t *out)
{
	size_t n = strspn(text, "0123456789");
	const char *unit = text[n] ? strchr(letter, text[n] == 'k' ? 'K' : text[n]) : NULL;
	char *digits = mem_strn(text, n);
	unsigned shift = unit ? 10 * (unsigned)(unit - letter + 1) : 0;
	uint64_t v;
	bool good = !text[n + (unit ? 1 : 0)] && str_to_u64(digits, &v) && v <= (uint64_t)INT64_MAX >> shift;

	if (good)
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
	int64_t ns = 0, v;
	bool good;

	for (size_t i = 0; i < SPANS; i++)
		if (str_eq(span[i].unit, text + n))
			ns = span[i].ns;
	good = ns && str_to_i64(digits, &v) && !__builtin_mul_overflow(v, ns, out);
	free(digits);
	return good;
}

/* Reads digits with up to six after the point. */
static bool
read_share(const char *text, int64_t *out)
{
	size_t whole = strspn(text, "0123456789"), n = whole;
	int64_t v = 0, unit = SHARE_ONE;

	if (text[n] == '.')
		n += 1 + strspn(text + n + 1, "0123456789");
	if (!whole || text[n] || text[n - 1] == '.' || whole > 9 || n > whole + 7)
		return false;
	for (size_t i = 0; i < whole; i++)
		v = 10 * v + (text[i] - '0');
	v *= SHARE_ONE;
	for (size_t i = whole + 1; i < n; i++)
		v += (text[i] - '0') * (unit /= 10);
	*out = v;
	return true;
}

bool
notation_read_code(const char *text, uint64_t *out)
{
	if (text[0] != '0' || (text[1] != 'x' && text[1] != 'X'))
		return str_to_u64(text, out);
	if (!text[2] || text[2 + strspn(text + 2, "0123456789abcdefABCDEF")])
		return false;
	errno = 0;
	*out = strtoull(text, NULL, 16);
	return errno == 0;
}

bool
notation_read(enum notation form, int64_t least, int64_t most, const char *text, int64_t *out)
{
	uint64_t bits = 0;
	int64_t v = 0;
	bool good = false;

	switch (form) {
	case NOTATION_SEED:
		if (!str_to_u64(text, &bits))
			return false;
		*out = (int64_t)bits;
		return true;
	case NOTATION_WHOLE:
		good = (least < 0 || *text != '-') && str_to_i64(text, &v);
		break;
	case NOTATION_CODE:
		good = notation_read_code(text, &bits) && bits <= INT64_MAX;
		v = (int64_t)bits;
		break;
	case NOTATION_BYTES:
	case NOTATION_COUNT:
		good = read_amount(text, &v);
		break;
	case NOTATION_STEPS:
		good = read_amount(text + (*text == '-'), &v) && v != 0;
		v = *text == '-' ? -v : v;
		break;
	case NOTATION_SHARE:
		good = read_share(text, &v);
		break;
	case NOTATION_TIME:
		good = read_time(text, &v);
		break;
	case NOTATION_WORD:
		break;
	}
	if (!good || v < least || v > most)
		return false;
	*out = v;
	return true;
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

	str_addf(out, "%lld", (long long)(v / SHARE_ONE));
	if (v % SHARE_ONE == 0)
		return;
	v %= SHARE_ONE;
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

void
notation_print(enum notation form, int64_t v, struct str *out)
{
	switch (form) {
	case NOTATION_BYTES:
	case NOTATION_STEPS:
	case NOTATION_COUNT:
		print_amount(v, out);
		return;
	case NOTATION_SHARE:
		print_share(v, out);
		return;
	case NOTATION_TIME:
		print_time(v, out);
		return;
	case NOTATION_WHOLE:
	case NOTATION_CODE:
		str_addf(out, "%lld", (long long)v);
		return;
	case NOTATION_SEED:
		str_addf(out, "%llu", (unsigned long long)v);
		return;
	case NOTATION_WORD:
		return;
	}
}

void
notation_expected(enum notation form, int64_t least, int64_t most, struct str *out)
{
	static const char *const text[] = {
		[NOTATION_WHOLE] = "a whole number", [NOTATION_SEED] = "a whole number from 0 to 2^64 - 1",
		[NOTATION_CODE] = "a number, as 6 or 0x1f,", [NOTATION_BYTES] = "bytes, as 4096, 64K or 1G,",
		[NOTATION_STEPS] = "a whole number, as 64, 4K or -64,",
		[NOTATION_COUNT] = "a whole number, as 5 or 100K,", [NOTATION_SHARE] = "a number, as 0.25,",
		[NOTATION_TIME] = "a time, as 800ns, 12us or 4ms,", [NOTATION_WORD] = "a word,",
	};

	str_add(out, text[form]);
	if (form == NOTATION_SEED)
		return;
	str_add(out, " from ");
	notation_print(form, least, out);
	str_add(out, " to ");
	notation_print(form, most, out);
	if (form == NOTATION_STEPS)
		str_add(out, ", and not 0");
}

bool
decimal_read(double least, double most, const char *text, double *out)
{
	double v;

	if (!str_to_double(text, &v) || v < least || v > most)
		return false;
	*out = v;
	return true;
}

void
decimal_expected(double least, double most, struct str *out)
{
	str_add(out, "a number");
	if (isfinite(least) && isfinite(most))
		str_addf(out, " from %g to %g", least, most);
	else if (isfinite(least))
		str_addf(out, " from %g on", least);
}

/* Sets "WHO takes EXPECTED, not 'TEXT'". Frees the string. */
static bool
notation_refuse(const char *who, struct str *expected, const char *text, struct err *e)
{
	err_set(e, "%s takes %s, not '%.80s'", who, str_text(expected), text);
	str_free(expected);
	return false;
}

bool
notation_take(const char *who, enum notation form, int64_t least, int64_t most, const char *text, int64_t *out,
	struct err *e)
{
	struct str expected = {0};

	if (notation_read(form, least, most, text, out))
		return true;
	notation_expected(form, least, most, &expected);
	return notation_refuse(who, &expected, text, e);
}

bool
decimal_take(const char *who, double least, double most, const char *text, double *out, struct err *e)
{
	struct str expected = {0};

	if (decimal_read(least, most, text, out))
		return true;
	decimal_expected(least, most, &expected);
	return notation_refuse(who, &expected, text, e);
}
