#include "sim/notation.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"

static const char letter[] = "KMGT"; /* each 1024 times the one before */

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

bool
sim_notation_read(enum sim_form form, const char *text, int64_t *out)
{
	switch (form) {
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
		break;
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

void
sim_notation_print(enum sim_form form, int64_t v, struct str *out)
{
	switch (form) {
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
		return;
	}
}

void
sim_notation_range(enum sim_form form, int64_t least, int64_t most, struct str *out)
{
	static const char *const text[] = {
		[SIM_BYTES] = "bytes, as 4096, 64K or 1G", [SIM_STEPS] = "a whole number, as 64, 4K or -64",
		[SIM_COUNT] = "a whole number, as 5 or 100K", [SIM_SHARE] = "a number, as 0.25",
		[SIM_TIME] = "a time, as 800ns, 12us or 4ms", [SIM_WORD] = "a word",
	};

	str_addf(out, "%s, from ", text[form]);
	sim_notation_print(form, least, out);
	str_add(out, " to ");
	sim_notation_print(form, most, out);
	if (form == SIM_STEPS)
		str_add(out, ", and not 0");
}
