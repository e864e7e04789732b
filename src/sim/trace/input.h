/* The bytes of a trace, uncompressed, in a buffer that slides over them. */
#ifndef SIM_TRACE_INPUT_H
#define SIM_TRACE_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/trace/op_trace.h"

struct err;

/* The window holds at least this many bytes once as many were asked for. No record is longer. */
#define SIM_INPUT_REACH ((size_t)1 << 16)

struct sim_input {
	const uint8_t *at; /* unread bytes */
	size_t n;          /* number of unread bytes */
	uint64_t offset;   /* offset of the first unread byte in the uncompressed trace */
	bool ended;        /* no more bytes will come */
};

/* Reads from a descriptor, which the caller closes. Data that begin with gzip's magic number are uncompressed. */
struct sim_input *sim_input_new(int fd);
/* The same from a function. */
struct sim_input *sim_input_from(sim_trace_read *, void *ctx);
void sim_input_free(struct sim_input *);

static inline void
sim_input_skip(struct sim_input *in, size_t n)
{
	in->at += n;
	in->n -= n;
	in->offset += n;
}

/* Waits for more bytes, and moves the unread ones. At most SIM_INPUT_REACH bytes may be unread. Returns false with
 * `ended` if there are no more, and false with *e if they cannot be read. */
bool sim_input_more(struct sim_input *, struct err *e);

/* Returns the kind of another file by its first bytes, such as "xz"; NULL: unknown. Sets *program to the program that
 * uncompresses it; NULL: none does. */
const char *sim_input_kind(const uint8_t *bytes, size_t n, const char **program);

#endif
