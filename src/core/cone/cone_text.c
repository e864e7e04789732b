#include "core/cone/cone.h"

#include <inttypes.h>

#include "base/str.h"

/* The terms whose coefficient has the given sign, as "a + 2 b"; "0" when there is none. */
static void
add_side(const int64_t *coef, const char *const *name, size_t n, int sign, struct str *out)
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

void
cone_row_text(const int64_t *coef, const char *const *name, size_t n, bool equality, bool utf8, struct str *out)
{
	size_t lead = 0;
	int left;

	while (lead < n && coef[lead] == 0)
		lead++;
	equality |= lead == n;
	left = equality && lead < n && coef[lead] > 0 ? 1 : -1;
	add_side(coef, name, n, left, out);
	str_add(out, equality ? " = " : utf8 ? " ≤ " : " <= ");
	add_side(coef, name, n, -left, out);
}
