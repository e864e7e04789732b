/* What to do when counting is refused. None of these remedies opens the machine to strangers. Every user who may
 * execute a program file gets its capabilities, so hecate(1) proposes them only together with a group. */
#ifndef COLLECT_PERF_REMEDIES_H
#define COLLECT_PERF_REMEDIES_H

#define REMEDY_FOR_A_GROUP "sudo hecate …, or for one group: man hecate, PRIVILEGES"
#define REMEDY_KERNEL_SIDE "sudo hecate …, or sudo sysctl kernel.perf_event_paranoid=1"

#endif
