/* Lines that valgrind's tool lackey prints with --trace-mem=yes:
 *
 *	I  0401ab70,3        an instruction of 3 bytes was fetched
 *	 S 1fff000708,8      8 bytes were stored
 *	 L 04032e70,4        4 bytes were loaded
 *	 M 0403a2c8,1        1 byte was loaded and stored again
 *
 * Sources: lackey/lk_main.c of valgrind; its manual, section "Lackey: an example tool". Messages of valgrind itself
 * begin with "==", "--" or "**" and are skipped. */
#ifndef SIM_TRACE_LACKEY_H
#define SIM_TRACE_LACKEY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/trace/input.h"

struct err;

struct sim_lackey_record {
	uint64_t at;   /* address; that of data is below 2^48 */
	uint32_t size; /* bytes, above 0 */
	char what;     /* 'I', 'L', 'S' or 'M' */
};

/* Zero-initialise it. */
struct sim_lackey {
	uint64_t lines;   /* number of lines read */
	uint64_t records; /* number of records read */
	bool in_message;  /* the unread bytes are the rest of a message */
};

/* Reads the next record. 1: it is in *out; 0: more bytes are needed, or the trace has ended; −1 and *e: the
 * next line is broken, and stays unread. */
int sim_lackey_next(struct sim_lackey *, struct sim_input *, struct sim_lackey_record *out, struct err *e);

#endif
