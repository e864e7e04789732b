/* Synthetic programs for a simulated pipeline: endless streams of µops that are executed by interpreting generated
 * code, each with the character of a program that the field knows. hecate sim --list lists them.
 *
 * A program is a control-flow graph of basic blocks at fixed addresses. Registers make its dependences; each static
 * load and store has a pattern of addresses, each branch a pattern of outcomes. So the same pc is always the same
 * instruction, as in a real program. */
#ifndef SIM_PROGRAM_PROGRAM_H
#define SIM_PROGRAM_PROGRAM_H

#include <stddef.h>
#include <stdint.h>

#include "sim/op.h"

struct err;

/* Makes a program from its name: "mcf-like", or with parameters "mcf-like:footprint=64M". The same text and seed give
 * the same stream. NULL and *e: unknown program or parameter (the hint lists the known ones), value out of range. Free
 * it with sim_stream_free(). */
struct sim_stream *sim_program_new(const char *text, uint64_t seed, struct err *e);
/* Returns the name and all parameters of a text that sim_program_new() takes. The caller frees it. */
char *sim_program_text(const char *text);

/* Return the names and texts of all programs, for help, completions and messages. NULL beyond the last. */
const char *sim_program_name(size_t i);
const char *sim_program_about(size_t i);

#endif
