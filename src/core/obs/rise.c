#include "core/obs/rise.h"

enum rise
rise_of(uint64_t before, uint64_t now, unsigned width, uint64_t *by)
{
	uint64_t most = width < 64 ? (UINT64_C(1) << width) - 1 : UINT64_MAX;

	*by = 0;
	if (before > most || now > most)
		return RISE_BACKWARDS;
	if (now >= before) {
		*by = now - before;
		return RISE_PLAIN;
	}
	if (width == 64 || ((now - before) & most) > most / 2)
		return RISE_BACKWARDS;
	*by = (now - before) & most;
	return RISE_WRAPPED;
}
