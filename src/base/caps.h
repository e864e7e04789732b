/* The capabilities of capabilities(7) that a user lends to hecate by its program file, or that started it.
 *
 * Root is left alone. For everybody else all capabilities are given up before anything of the user's choice is opened,
 * except:
 *
 *     CAP_PERFMON           opens counters, and no file: stays in effect
 *     CAP_DAC_READ_SEARCH   opens every file of the machine: in effect within caps_raise() and caps_lower() alone,
 *                           around the open(2) of one file whose name is not the user's
 *     CAP_SYSLOG            likewise, for the addresses in /proc/kallsyms
 *
 * tracefs cannot be opened once and for all: each of its thousands of files is checked when it is opened, and tracefs
 * may be mounted later. Inheritable and ambient sets are emptied, so a program that hecate starts has no capability.
 * Set-user-ID and set-group-ID are given back, too.
 *
 * A thread has its own sets: confine before the first is started, and raise in the thread that opens. */
#ifndef BASE_CAPS_H
#define BASE_CAPS_H

#include <stdbool.h>

struct err;

enum caps_raised { CAPS_READ_ANY = 2, CAPS_KERNEL_ADDRESSES = 34 }; /* numbers of linux/capability.h */

/* Gives up all but the above. Returns false and sets *e if the kernel refuses: then go no further. */
bool caps_confine(struct err *e);

/* Gives up all for good, in a process that opens no counters: the engine, or a command about files. Root is left alone.
 */
void caps_drop(void);
/* As caps_drop(), but counters can be opened. */
void caps_drop_files(void);

/* Puts a capability into effect that was kept. False: it is in effect already, or was never given. */
bool caps_raise(enum caps_raised);
void caps_lower(enum caps_raised, bool raised); /* with the result of caps_raise() */

#endif
