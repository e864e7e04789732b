/* Probes as assembly, for machines that hecate cannot reach: the passes of probe_code_write() as functions, one for
 * each pressure x, and a table of them that the runner reads (models/runner/, docs/probe-export.md).
 *
 * Bodies of passes are macros with .rept, so that a file of hundreds of passes stays short. For n instructions a macro
 * gives the first n lines of the longest body; a pass for which this is wrong is written in full. */
#ifndef CORE_PROBE_ASM_H
#define CORE_PROBE_ASM_H

#include <stdbool.h>
#include <stddef.h>

struct asm_isa;
struct err;
struct probe;
struct str;

/* Returns the instruction set with this name, such as "riscv64". If there is none, returns NULL and sets *e, which
 * lists the names. */
const struct asm_isa *probe_asm_isa(const char *name, struct err *e);
const char *probe_asm_isa_name(const struct asm_isa *);
/* Returns the prefix of its usual cross compiler, "riscv64-linux-gnu-"; "": use the host's compiler. */
const char *probe_asm_cross(const struct asm_isa *);
/* Returns true if its programs also run without an operating system: models/runner/ has bare-ISA.s. */
bool probe_asm_runs_bare(const struct asm_isa *);

/* Writes the file of a probe. On failure returns false and sets *e, which says what the instruction set cannot express.
 */
bool probe_asm_write(const struct asm_isa *, const struct probe *, struct str *out, struct err *e);

#endif
