/* The capabilities of capabilities(7) that hecate gets from its program file, or from the process that started it.
 *
 * Root is left alone. For all other users, hecate gives up all capabilities before it opens anything that the user
 * named, except:
 *
 *     CAP_PERFMON           opens counters, and no file: stays in effect
 *     CAP_DAC_READ_SEARCH   opens every file of the machine: in effect within caps_raise() and caps_lower() alone,
 *                           around the open(2) of one file whose name is not the user's
 *     CAP_SYSLOG            likewise, for the addresses in /proc/kallsyms
 *
 * Files of tracefs cannot all be opened at the start: there are thousands, the kernel checks each one when it is
 * opened, and tracefs may be mounted later. Inheritable and ambient sets are emptied, so a program that hecate starts
 * has no capability. Set-user-ID and set-group-ID are given back, too.
 *
 * Each thread has its own sets. So call caps_confine() before the first thread is started, and caps_raise() in the
 * thread that opens the file. */
#ifndef BASE_CAPS_H
#define BASE_CAPS_H

#include <stdbool.h>

struct err;

enum caps_raised { CAPS_READ_ANY = 2, CAPS_KERNEL_ADDRESSES = 34 }; /* numbers of linux/capability.h */

/* Gives up all capabilities but the above. Returns false and sets *e if the kernel refuses; then the program must not
 * go on. */
bool caps_confine(struct err *e);

/* Gives up all capabilities for good, in a process that opens no counters: the engine, or a command that works on
 * files. Root is left alone. */
void caps_drop(void);
/* Like caps_drop(), but the process can still open counters. */
void caps_drop_files(void);

/* Puts a capability that was kept into effect. Returns false if it is in effect already, or was never given. */
bool caps_raise(enum caps_raised);
void caps_lower(enum caps_raised, bool raised); /* with the result of caps_raise() */

#endif
