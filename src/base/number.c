#include "base/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"

/* The minus sign, and the thin space U+2009 between groups of digits. Every terminal shows the thin space in one
 * column, and no line breaks at it. */
static const char *
sign_minus(bool ascii)
{
	return ascii ? "-" : "−";
}

static void
number_put(char out[NUMBER_TEXT], const char *a, const char *b, const char *c)
{
	snprintf(out, NUMBER_TEXT, "%s%s%s", a, b, c);
}

char *
number_exact(char out[NUMBER_TEXT], long long v, bool sign, bool ascii)
{
	unsigned long long u = v < 0 ? 0 - (unsigned long long)v : (unsigned long long)v;
	struct str t = {0};
	char digits[24];
	size_t n = (size_t)snprintf(digits, sizeof digits, "%llu", u);

	str_add(&t, v < 0 ? sign_minus(ascii) : sign && v > 0 ? "+" : "");
	for (size_t i = 0; i < n; i++) {
		/* 19 digits would need 6 thin spaces of 3 bytes, more than NUMBER_TEXT has. So very long numbers get
		 * ordinary blanks. */
		if (i && (n - i) % 3 == 0)
			str_add(&t, ascii || n > 12 ? " " : "\u2009");
		str_addc(&t, digits[i]);
	}
	number_put(out, str_text(&t), "", "");
	str_free(&t);
	return out;
}

/* Three significant digits of v in [0.9995, 999.5), "4.70", "12.4", "153". */
static void
three_digits(char out[16], double v)
{
	snprintf(out, 16, "%.*f", v < 9.995 ? 2 : v < 99.95 ? 1 : 0, v);
}

char *
number_digits(char out[NUMBER_TEXT], double v, int digits, bool ascii)
{
	double a = fabs(v);
	int places;

	if (!isfinite(v) || a >= 9999.5)
		return number_count(out, v, ascii);
	if (a == 0 || a < 1e-7) {
		snprintf(out, NUMBER_TEXT, "%s%s", v < 0 ? sign_minus(ascii) : "", a == 0 ? "0" : "<0.0000001");
		return out;
	}
	places = digits - 1 - (int)floor(log10(a));
	places = places < 0 ? 0 : places > 9 ? 9 : places;
	if (a >= 999.5)
		return number_full(out, round(v * pow(10, places)) / pow(10, places), ascii);
	snprintf(out, NUMBER_TEXT, "%s%.*f", v < 0 ? sign_minus(ascii) : "", places, a);
	for (size_t n = strlen(out); places > 0 && (out[n - 1] == '0' || out[n - 1] == '.'); n--) {
		bool point = out[n - 1] == '.';

		out[n - 1] = '\0';
		if (point)
			break;
	}
	return out;
}

char *
number_count(char out[NUMBER_TEXT], double v, bool ascii)
{
	static const char *const unit[] = {"", " k", " M", " G", " T", " P", " E"};
	const char *minus = v < 0 ? sign_minus(ascii) : "";
	double a = fabs(v);
	char digits[16];
	size_t k = 0;

	if (isnan(v)) {
		number_put(out, ascii ? "." : "·", "", "");
		return out;
	}
	if (a < 99999.5) {
		if (a >= 99.95 || a == floor(a))
			return number_exact(out, llround(v), false, ascii);
		return number_digits(out, v, a < 0.9995 ? 2 : 3, ascii);
	}
	while (a >= 999.5 && k < sizeof unit / sizeof *unit - 1) {
		a /= 1000;
		k++;
	}
	if (a >= 999.5)
		number_put(out, minus, ">999", unit[k]);
	else
		three_digits(digits, a), number_put(out, minus, digits, unit[k]);
	return out;
}

/* Returns whether v is a whole number that a double holds exactly. */
static bool
number_is_whole(double v)
{
	return fabs(v) < 9e15 && v == rint(v);
}

char *
number_full(char out[NUMBER_TEXT], double v, bool ascii)
{
	char whole[NUMBER_TEXT], rest[16];
	double a = fabs(v);
	int places = a < 10 ? 7 : a < 1e7 ? 7 - (int)log10(a) : 1;
	struct str t = {0};

	if (!isfinite(v) || a >= 9e15)
		return number_count(out, v, ascii);
	if (number_is_whole(v))
		return number_exact(out, llrint(v), false, ascii);
	snprintf(rest, sizeof rest, "%.*f", places, a - floor(a));
	if (*rest != '0') { /* rounded up */
		a += 1;
		snprintf(rest, sizeof rest, "%.*f", places, 0.0);
	}
	for (size_t n = strlen(rest); rest[n - 1] == '0'; n--)
		rest[n - 1] = '\0';
	str_addf(&t, "%s%s%s", v < 0 ? sign_minus(ascii) : "", number_exact(whole, (long long)floor(a), false, ascii),
		str_eq(rest, "0.") ? "" : rest + 1);
	number_put(out, str_text(&t), "", "");
	str_free(&t);
	return out;
}

char *
number_off(char out[NUMBER_TEXT], double v, bool ascii)
{
	char size[NUMBER_TEXT];

	if (fabs(v - rint(v)) < 1e-9 * (1 + fabs(v)) && fabs(v) < 9e15)
		return number_exact(out, llrint(v), true, ascii);
	if (fabs(v) >= 99999.5 && fabs(v) < 9e15)
		return number_exact(out, llrint(v), true, ascii);
	if (fabs(v) >= 999.5) {
		snprintf(out, NUMBER_TEXT, "%s%.20s", v < 0 ? sign_minus(ascii) : "+",
			number_full(size, round(fabs(v) * 10) / 10, ascii));
		return out;
	}
	snprintf(out, NUMBER_TEXT, "%s%.20s", v < 0 ? sign_minus(ascii) : "+", number_digits(size, fabs(v), 6, ascii));
	return out;
}

char *
number_share(char out[NUMBER_TEXT], double share)
{
	double percent = 100 * fabs(share);
	int places = percent < 0.0995 ? 3 : percent < 0.995 ? 2 : 1;
	char digits[16];

	if (isnan(share)) {
		number_put(out, "·", "", "");
		return out;
	}
	if (percent == 0)
		snprintf(digits, sizeof digits, "0");
	else if (percent < 0.0095)
		snprintf(digits, sizeof digits, "<0.01");
	else
		snprintf(digits, sizeof digits, "%.*f", places, fmin(percent, 1e9));
	number_put(out, share < 0 ? "−" : "", digits, "");
	return out;
}

char *
number_spread(char out[NUMBER_TEXT], double share)
{
	char size[NUMBER_TEXT];

	if (isnan(share))
		number_put(out, "·", "", "");
	else if (fabs(share) < 0.9995)
		snprintf(out, NUMBER_TEXT, "±%.16s %%", number_share(size, fabs(share)));
	else
		snprintf(out, NUMBER_TEXT, "±%.16s×", number_digits(size, fabs(share), 2, false));
	return out;
}

char *
number_p(char out[NUMBER_TEXT], double p)
{
	if (isnan(p)) {
		number_put(out, "·", "", "");
	} else if (p < 1e-9) {
		number_put(out, "<1e-9", "", "");
	} else if (p < 0.00995) {
		int power = (int)floor(log10(p));
		long digit = lround(p / pow(10, power));

		if (digit >= 10)
			digit = 1, power++;
		snprintf(out, NUMBER_TEXT, "%lde%d", digit, power);
	} else {
		snprintf(out, NUMBER_TEXT, "%.*f", p < 0.0995 ? 3 : 2, p > 1 ? 1 : p);
	}
	return out;
}

char *
number_round(char out[NUMBER_TEXT], double v)
{
	double unit = v >= 10 && v < 1e18 ? pow(10, floor(log10(v)) - 1) : 1;

	if (v >= 10 && v < 1e18)
		snprintf(out, NUMBER_TEXT, "%.0f", round(v / unit) * unit);
	else
		snprintf(out, NUMBER_TEXT, "%.2g", v);
	return out;
}

char *
number_bytes(char out[NUMBER_TEXT], double v, bool ascii)
{
	static const char *const unit[] = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};
	double a = fabs(v);
	size_t k = 0;

	if (!isfinite(v))
		return number_count(out, v, ascii);
	for (; a >= 999.5 && k + 1 < sizeof unit / sizeof *unit; k++)
		a /= 1000;
	snprintf(out, NUMBER_TEXT, k && a < 9.95 ? "%s%.1f %s" : "%s%.0f %s", v < 0 ? sign_minus(ascii) : "", a,
		unit[k]);
	return out;
}

char *
number_seconds(char out[NUMBER_TEXT], double s, bool ascii)
{
	static const struct {
		/* The first row whose `below` exceeds s is used; s is then shown in units of `scale` seconds. */
		double below, scale;
		const char *unit;
		bool fraction;
	} row[] = {
		{0.9995e-6, 1e-9, "ns", false}, {0.9995e-3, 1e-6, "µs", true}, {0.9995, 1e-3, "ms", true},
			{119.5, 1, "s", true},
		{7170, 60, "min", false},       {172800, 3600, "h", false},    {INFINITY, 86400, "d", false},
	};
	const char *minus = s < 0 ? sign_minus(ascii) : "";
	double a = fabs(s), v;
	char digits[24];
	size_t k = 0;

	if (!isfinite(s)) {
		number_put(out, ascii ? "." : "·", "", "");
		return out;
	}
	if (a == 0) {
		number_put(out, "0 s", "", "");
		return out;
	}
	while (a >= row[k].below)
		k++;
	v = a / row[k].scale;
	snprintf(digits, sizeof digits, "%s%.*f ", minus, row[k].fraction && v < 9.95 ? 1 : 0, v > 1e12 ? 1e12 : v);
	number_put(out, digits, ascii && k == 1 ? "us" : row[k].unit, "");
	return out;
}

const char *
plural_s(size_t n)
{
	return n == 1 ? "" : "s";
}

const char *
plural_y(size_t n)
{
	return n == 1 ? "y" : "ies";
}
