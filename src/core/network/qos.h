/* How loaded a module is: light, optimal, moderately or severely overloaded, and what says so.
 *
 * CXL specification 3.1, section 3.3.4: what a device tells of its load is the heaviest that any of its signs tells
 * (3.3.4.3.6); a sign tells a load where it is at the load's threshold or above it (3.3.4.3.4). PathFinder (Li et al.,
 * SIGCOMM 2025, section 3.5) takes them from the packing buffers. Which signs a module has, and thresholds, are the
 * network's. */
#ifndef CORE_NETWORK_QOS_H
#define CORE_NETWORK_QOS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/network/network.h"

struct net_state;

struct net_qos_class {
	enum net_load at_least; /* by what is known; NET_LIGHT also where nothing is */
	enum net_load at_most;  /* whatever the signs say that are not known */
	bool known;             /* both are the same */
	size_t decisive;        /* the sign that tells it; n_qos: none does (light, or nothing is known) */
	size_t unknown;         /* signs that are not known */
};

/* What one sign tells by itself; the value is known. */
enum net_load net_qos_load(const struct net_qos *, double value);
/* The heaviest load that the sign can tell. */
enum net_load net_qos_heaviest(const struct net_qos *);

/* Of a module that has signs. Among those that tell the same load the first decides. */
struct net_qos_class net_qos_class(const struct net_state *, size_t module, size_t owner);

#endif
