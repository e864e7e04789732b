/* Reads digits, eight characters at a time in one 64-bit word: how many of them are digits, and the number they form,
 * without a loop (Lemire, "Quickly parsing eight digits", 2018, with Langdale's method of three multiplications). Every
 * function here may read up to 24 bytes past the text it returns. */
#ifndef COLLECT_IMPORT_DIGITS_H
#define COLLECT_IMPORT_DIGITS_H

#include <endian.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define DIGITS_MOST 18 /* digits of a number that is read here: it fits into 63 bits */

static const int64_t digits_power[DIGITS_MOST + 1] = {
	1,
	10,
	100,
	1000,
	10000,
	100000,
	1000000,
	10000000,
	100000000,
	1000000000,
	10000000000,
	100000000000,
	1000000000000,
	10000000000000,
	100000000000000,
	1000000000000000,
	10000000000000000,
	100000000000000000,
	1000000000000000000,
};

/* Returns the number formed by the digits at p, at most eight; *n is how many there are. */
static inline uint64_t
digits_eight(const char *p, unsigned *n)
{
	uint64_t w, other;

	memcpy(&w, p, sizeof w);
	w = le64toh(w) ^ UINT64_C(0x3030303030303030);
	/* the high bit of each byte is set if the byte is not a digit: above 9, or above 127. */
	other = (((w & UINT64_C(0x7f7f7f7f7f7f7f7f)) + UINT64_C(0x7676767676767676)) | w) &
		UINT64_C(0x8080808080808080);
	*n = other ? (unsigned)__builtin_ctzll(other) / 8 : 8;
	if (*n == 0)
		return 0;
	w <<= 64 - 8 * *n;
	w = w * 10 + (w >> 8);
	return (((w & UINT64_C(0x000000ff000000ff)) * UINT64_C(0x000f424000000064)) +
		(((w >> 16) & UINT64_C(0x000000ff000000ff)) * UINT64_C(0x0000271000000001))) >> 32;
}

/* Reads all digits at *p and moves it past them; *n is how many there are. With more than DIGITS_MOST the result is
 * meaningless. */
static inline int64_t
digits_take(const char **p, unsigned *n)
{
	unsigned more;
	uint64_t v = digits_eight(*p, n);

	for (more = *n; more == 8; *n += more) {
		uint64_t next = digits_eight(*p + *n, &more);

		if (*n + more > DIGITS_MOST) {
			*n = DIGITS_MOST + 1;
			break;
		}
		v = v * (uint64_t)digits_power[more] + next;
	}
	*p += *n;
	return (int64_t)v;
}

struct digits {
	int64_t all;     /* all digits, without the point */
	unsigned places; /* digits after the point */
};

/* Reads "123" or "12.5": at most DIGITS_MOST digits, perhaps with a point followed by digits. Returns what follows, or
 * NULL for anything else. */
static inline const char *
digits_number(const char *p, struct digits *v)
{
	unsigned n, places;
	int64_t fraction;

	v->all = digits_take(&p, &n);
	v->places = 0;
	if (n == 0 || n > DIGITS_MOST)
		return NULL;
	if (*p != '.')
		return p;
	p++;
	fraction = digits_take(&p, &places);
	if (places == 0 || n + places > DIGITS_MOST)
		return NULL;
	v->all = v->all * digits_power[places] + fraction;
	v->places = places;
	return p;
}

/* Removes trailing zeros after the point, as decimal_parse() does. */
static inline void
digits_trim(struct digits *v)
{
	for (; v->places && v->all % 10 == 0; v->places--)
		v->all /= 10;
}

/* Returns the number as a double. Below 2^53 both numbers are exact as doubles, so the quotient is the double nearest
 * to the text. */
static inline double
digits_value(const struct digits *v)
{
	return v->places ? (double)v->all / (double)digits_power[v->places] : (double)v->all;
}
#define DIGITS_EXACT (INT64_C(1) << 53)

#endif
