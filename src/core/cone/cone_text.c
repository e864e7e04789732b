#include "core/cone/cone.h"

#include <inttypes.h>

#include "base/str.h"

/* The terms whose coefficient has the given sign, as "a + 2 b"; "0" when there is none. */
static void
cone_text_add_side(const int64_t *coef, const char *const *name, size_t n, int sign, struct str *out)
{
	bool some = false;

	for (size_t i = 0; i < n; i++) {
		uint64_t size = coef[i] < 0 ? -(uint64_t)coef[i] : (uint64_t)coef[i];

		if (coef[i] == 0 || (coef[i] < 0) != (sign < 0))
			continue;
		if (some)
			str_add(out, " + ");
		if (size != 1)
			str_addf(out, "%" PRIu64 " ", size);
		str_add(out, name[i]);
		some = true;
	}
	if (!some)
		str_addc(out, '0');
}

int
cone_row_left(const int64_t *coef, size_t n, bool equality)
{
	size_t plus = 0, minus = 0;
	int lead = -1;

	for (size_t i = 0; i < n; i++) {
		if (coef[i] && plus + minus == 0)
			lead = coef[i] > 0 ? 1 : -1;
		plus += coef[i] > 0;
		minus += coef[i] < 0;
	}
	if (!equality)
		return -1;
	if (plus == minus || !plus || !minus)
		return lead;
	return plus < minus ? 1 : -1;
}

void
cone_row_text(const int64_t *coef, const char *const *name, size_t n, bool equality, bool utf8, struct str *out)
{
	size_t lead = 0;
	int left;

	while (lead < n && coef[lead] == 0)
		lead++;
	equality |= lead == n;
	left = cone_row_left(coef, n, equality);
	cone_text_add_side(coef, name, n, left, out);
	str_add(out, equality ? " = " : utf8 ? " ≤ " : " <= ");
	cone_text_add_side(coef, name, n, -left, out);
}
