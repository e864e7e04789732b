/* What a format of traces does: it turns records into µops, one instruction after the other. */
#ifndef SIM_TRACE_READER_H
#define SIM_TRACE_READER_H

#include <endian.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "sim/op.h"
#include "sim/trace/input.h"
#include "sim/trace/op_trace.h"

struct err;

#define SIM_CRACK_MAX 200 /* most µops of an instruction */

/* First member of each reader. */
struct sim_op_reader {
	const struct sim_op_reader_ops *ops;
	struct sim_trace_facts facts; /* facts about what take() has returned, without `bytes` */
};

struct sim_op_reader_ops {
	const char *name;
	struct sim_op_reader *(*new)(void);
	void (*free)(struct sim_op_reader *);
	/* Writes the µops of the next instruction into out, which has room for SIM_CRACK_MAX, and returns their number.
	 * 0: more bytes are needed, or if the input has ended, the trace has ended. −1 and *e: a record is broken. */
	int (*take)(struct sim_op_reader *, struct sim_input *, struct sim_op *out, struct err *e);
	/* Can a trace begin with these bytes? */
	bool (*fits)(const uint8_t *bytes, size_t n);
};

extern const struct sim_op_reader_ops sim_champsim_reader, sim_cbp_reader, sim_lackey_reader;

static inline uint64_t
sim_le64(const uint8_t *p)
{
	uint64_t x;

	memcpy(&x, p, sizeof x);
	return le64toh(x);
}

/* Folds an address of 64 bits into 48: those of the upper half, where kernels live, get bit 47. False: the address is
 * not canonical, and no processor with 48-bit addresses accesses it (Intel's manual, volume 1, 3.3.7.1). */
static inline bool
sim_fold_address(uint64_t *at)
{
	uint64_t top = *at >> 47;

	*at &= ((uint64_t)1 << 48) - 1;
	return top <= 1 || top == 0x1ffff;
}

#endif
