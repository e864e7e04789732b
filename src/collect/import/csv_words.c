/* Words in the cells of a wide CSV: dates, what stands for a missing count, and groups of digits. */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "collect/import/csv_reader.h"

bool
csv_is_missing(const char *s)
{
	static const char *const word[] = {"na", "n/a", "nan", "-nan", "null", "none", "-", "--", "<na>", "#n/a",
		"<not counted>", "<not supported>"};

	for (size_t i = 0; i < sizeof word / sizeof *word; i++)
		if (strcasecmp(s, word[i]) == 0)
			return true;
	return false;
}

/* Reads n digits. False where there are fewer. */
static bool
take_digits(const char **s, int n, int *out)
{
	*out = 0;
	for (; n > 0 && isdigit((unsigned char)**s); n--)
		*out = *out * 10 + (*(*s)++ - '0');
	return n == 0;
}

/* Returns days since 1970-01-01. Source: Hinnant, "chrono-compatible low-level date algorithms". */
static double
days(int y, int m, int d)
{
	int era, of_era, of_year;

	y -= m <= 2;
	era = y / 400;
	of_year = (153 * (m + (m > 2 ? -3 : 9)) + 2) / 5 + d - 1;
	of_era = (y - era * 400) * 365 + (y - era * 400) / 4 - (y - era * 400) / 100 + of_year;
	return (double)era * 146097 + of_era - 719468;
}

/* Reads "Z", "+02:00", "-0500" or nothing, as seconds. */
static bool
take_zone(const char *s, double *seconds)
{
	int hours, minutes, sign = *s == '-' ? -1 : 1;

	*seconds = 0;
	if (!*s || (*s == 'Z' && !s[1]))
		return true;
	if (*s != '+' && *s != '-')
		return false;
	s++;
	if (!take_digits(&s, 2, &hours))
		return false;
	s += *s == ':';
	if (!take_digits(&s, 2, &minutes) || *s)
		return false;
	*seconds = sign * (hours * 3600.0 + minutes * 60.0);
	return true;
}

bool
csv_is_date(const char *s, double *seconds)
{
	int y, m, d, hour = 0, minute = 0, second = 0;
	double fraction = 0, zone;

	if (!take_digits(&s, 4, &y) || *s++ != '-' || !take_digits(&s, 2, &m) || *s++ != '-' ||
		!take_digits(&s, 2, &d) || m < 1 || m > 12 || d < 1 || d > 31)
		return false;
	if (*s == 'T' || *s == ' ') {
		s++;
		if (!take_digits(&s, 2, &hour) || *s++ != ':' || !take_digits(&s, 2, &minute))
			return false;
		if (*s == ':' && (s++, !take_digits(&s, 2, &second)))
			return false;
		if (*s == '.' || *s == ',')
			for (double unit = 0.1; isdigit((unsigned char)*++s); unit /= 10)
				fraction += unit * (*s - '0');
	}
	if (!take_zone(s, &zone))
		return false;
	*seconds = days(y, m, d) * 86400 + hour * 3600.0 + minute * 60.0 + second - zone + fraction;
	return true;
}

bool
csv_ungroup(const char *s, struct str *out)
{
	size_t digits = 0, groups = 0;

	str_clear(out);
	for (; isdigit((unsigned char)*s) || *s == ','; s++) {
		if (*s == ',') {
			if (groups ? digits != 3 : digits == 0 || digits > 3)
				return false;
			groups++;
			digits = 0;
			continue;
		}
		digits++;
		str_addc(out, *s);
	}
	if (!groups || digits != 3)
		return false;
	if (*s == '.')
		do
			str_addc(out, *s++);
		while (isdigit((unsigned char)*s));
	return !*s;
}
