#include "collect/proc/rise.h"

enum proc_rise
proc_rise(uint64_t last, uint64_t now, unsigned bits, uint64_t *rise)
{
	uint64_t full;

	if (now >= last) {
		*rise = now - last;
		return RISE_PLAIN;
	}
	*rise = 0;
	if (bits >= 64)
		return RISE_FELL;
	full = (uint64_t)1 << bits;
	if (last >= full || full - last + now >= full / 2)
		return RISE_FELL;
	*rise = full - last + now;
	return RISE_WRAPPED;
}
