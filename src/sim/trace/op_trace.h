/* Traces of real programs as streams of µops for a simulated pipeline.
 *
 *   champsim   64-byte records (ChampSim's inc/trace_instruction.h)
 *   cbp        records of the championships of value and branch prediction (cbp2025's lib/trace_reader.h)
 *   lackey     text of valgrind --tool=lackey --trace-mem=yes; branches come from the addresses of successive
 *              instructions, registers are unknown
 *
 * A trace is read from a descriptor, which the caller closes. Data that begin with gzip's magic number are
 * uncompressed. Other compressed data must come through a pipe: xz -dc FILE |.
 *
 * Addresses are folded to 48 bits: those of the kernel, 0xffff8000_00000000 and above, become 0x8000_00000000 and
 * above. Others from 2^48 on are an error. */
#ifndef SIM_TRACE_OP_TRACE_H
#define SIM_TRACE_OP_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "sim/op.h"

struct err;

enum sim_trace_format { SIM_CHAMPSIM, SIM_CBP, SIM_LACKEY, SIM_N_TRACE_FORMATS };

const char *sim_trace_format_name(enum sim_trace_format);
bool sim_trace_format_find(const char *name, enum sim_trace_format *);
/* Guesses the format from the first 1024 uncompressed bytes, or all if there are fewer. False: none or several fit. */
bool sim_trace_format_guess(const void *bytes, size_t n, enum sim_trace_format *);

/* Makes a stream of a trace. Its fill() returns what has arrived, at least one µop, and fails with the offset and the
 * reason at a broken record, at truncation, and at another format. Free it with sim_stream_free(). */
struct sim_stream *sim_op_trace_new(int fd, enum sim_trace_format);
/* The same from a function that reads up to n bytes (64 KB at least). It returns their number, 0 at the end, −1 and *e
 * on failure. */
typedef ssize_t sim_trace_read(void *ctx, void *to, size_t n, struct err *e);
struct sim_stream *sim_op_trace_from(sim_trace_read *, void *ctx, enum sim_trace_format);
/* Makes a stream of a trace whose format is guessed from its first bytes. NULL and *e: none fits. */
struct sim_stream *sim_op_trace_open(int fd, struct err *e);

/* What has been read so far. */
struct sim_trace_facts {
	enum sim_trace_format format;
	uint64_t instructions; /* number of instructions */
	uint64_t branches;     /* µops that are branches */
	uint64_t taken;        /* branches that are taken */
	uint64_t bytes; /* offset in the uncompressed trace */
};
struct sim_trace_facts sim_op_trace_facts(const struct sim_stream *);

#endif
