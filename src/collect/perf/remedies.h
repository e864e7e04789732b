/* What to do when counting is refused. None of these opens the machine to strangers: capabilities on a program file are
 * every user's who may execute it, so they are proposed with a group alone, in hecate(1). */
#ifndef COLLECT_PERF_REMEDIES_H
#define COLLECT_PERF_REMEDIES_H

#define REMEDY_FOR_A_GROUP "sudo hecate …, or for one group: man hecate, PRIVILEGES"
#define REMEDY_KERNEL_SIDE "sudo hecate …, or sudo sysctl kernel.perf_event_paranoid=1"

#endif
