/* Flows that were told before: as they stood, or what they did in some time, for all that looks at flows. */
#ifndef CORE_NETWORK_FLOW_GIVEN_H
#define CORE_NETWORK_FLOW_GIVEN_H

#include <stddef.h>

#include "core/network/flow.h"

/* The given flows, the special ones first; so n is FLOW_SPECIALS at least. Their numbers, counts and all else are
 * copied. `most` of the spec counts no further than n. No event need follow; the caller frees with flows_free(). */
struct flows *flows_given(const struct flow_spec *, const struct flow *, size_t n, const struct flow_trouble *);

#endif
