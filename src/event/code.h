/* Raw codes of hardware events: r1c0, or event=0xc0,umask=1. */
#ifndef EVENT_CODE_H
#define EVENT_CODE_H

#include <stdbool.h>
#include <stdint.h>

/* Reads "r1c0" or, with terms, "event=0xc0,umask=1,inv" into the layout of x86's event select register, without its
 * bits of modes and interrupts. False for other texts. */
bool event_code_read(const char *text, bool terms, uint64_t *code);

#endif
