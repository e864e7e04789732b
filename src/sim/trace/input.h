/* The bytes of a trace, uncompressed, in a buffer that slides over them. */
#ifndef SIM_TRACE_INPUT_H
#define SIM_TRACE_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/trace/op_trace.h"

struct err;

/* a window is never smaller than this once so many bytes were asked for: no record is longer */
#define SIM_INPUT_REACH ((size_t)1 << 16)

struct sim_input {
	const uint8_t *at; /* unread bytes */
	size_t n;          /* number of unread bytes */
	uint64_t offset;   /* of the first of them, uncompressed */
	bool ended;        /* no more will come */
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

/* Waits for more bytes, and moves the unread ones. At most SIM_INPUT_REACH bytes may be unread. False with `ended`:
 * there are none. False and *e: they cannot be read. */
bool sim_input_more(struct sim_input *, struct err *e);

/* Returns what the first bytes of a file of another kind show: "xz", with the program that uncompresses it in *program
 * (NULL: none does). NULL: nothing known. */
const char *sim_input_kind(const uint8_t *bytes, size_t n, const char **program);

#endif
