/* Probes as assembly, for machines that hecate cannot reach: the passes of probe_code_write() as functions, one for
 * each pressure x, and a table of them that the runner reads (models/runner/, docs/probe-export.md).
 *
 * Bodies of passes are macros with .rept, so that a file of hundreds of passes stays short. What a macro gives for n
 * instructions are the first n lines of the longest body; a pass of which this is not true is written out. */
#ifndef CORE_PROBE_ASM_H
#define CORE_PROBE_ASM_H

#include <stdbool.h>
#include <stddef.h>

struct asm_isa;
struct err;
struct probe;
struct str;

/* The instruction set of this name, such as "riscv64". NULL and *e, which names those that there are. */
const struct asm_isa *probe_asm_isa(const char *name, struct err *e);
const char *probe_asm_isa_name(const struct asm_isa *);
/* Prefix of its usual cross compiler: "riscv64-linux-gnu-". "": that of the host. */
const char *probe_asm_cross(const struct asm_isa *);
/* Returns true if its programs run without a system, too: models/runner/ has bare-ISA.s. */
bool probe_asm_runs_bare(const struct asm_isa *);

/* Writes the file of a probe. False and *e, which says what the instruction set cannot express. */
bool probe_asm_write(const struct asm_isa *, const struct probe *, struct str *out, struct err *e);

#endif
