/* What a network's expressions use: what is lost with a counter. */
#ifndef CORE_NETWORK_USES_H
#define CORE_NETWORK_USES_H

#include <stddef.h>

#include "core/network/network.h"

/* Call f with the name of each thing whose expression names the counter: "L2.DRd.hit", "L2.DRd.miss delay", "the clock
 * of L2", "L2 -> LLC, DRd", "total …", "law …". Each once; what is made of these in turn is not named. */
void net_each_use(const struct network *, size_t counter, void (*f)(void *ctx, const char *what), void *ctx);

#endif
