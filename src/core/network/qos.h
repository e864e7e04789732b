/* The load class of a module: light, optimal, moderate overload or severe overload, and which sign decides it.
 *
 * CXL specification 3.1, section 3.3.4: a device reports the heaviest class that any of its signs reports
 * (3.3.4.3.6). A sign reports a class if its value is at the class's threshold or above (3.3.4.3.4). PathFinder (Li
 * et al., SIGCOMM 2025, section 3.5) uses the packing buffers as signs. The network file says which signs a module
 * has, and their thresholds. */
#ifndef CORE_NETWORK_QOS_H
#define CORE_NETWORK_QOS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/network/network.h"

struct net_state;

struct net_qos_class {
	enum net_load at_least; /* class by the known signs; NET_LIGHT if none is known */
	enum net_load at_most;  /* the heaviest class if unknown signs reported as much as they can */
	bool known;             /* at_least equals at_most */
	size_t decisive;        /* number of the sign that decides; n_qos: none (light, or nothing is known) */
	size_t unknown;         /* number of unknown signs */
};

/* Returns the class that one sign reports; `value` must not be NAN. */
enum net_load net_qos_load(const struct net_qos *, double value);
/* Returns the heaviest class that the sign can report. */
enum net_load net_qos_heaviest(const struct net_qos *);

/* Returns the class of a module with signs. If several signs report the heaviest class, the first is the decisive one.
 */
struct net_qos_class net_qos_class(const struct net_state *, size_t module, size_t owner);

#endif
