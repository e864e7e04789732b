/* Probes as a folder of stand-alone programs, for machines that hecate cannot reach (docs/probe-export.md). */
#ifndef WORK_PROBE_EXPORT_H
#define WORK_PROBE_EXPORT_H

#include <stdbool.h>
#include <stddef.h>

struct err;
struct probe;
struct str;

/* Writes the assembly of n probes for `isa` ("riscv64"), the runner and a Makefile into a folder, which is made if it
 * does not exist. Files that an export wrote are replaced; if another file has the name of one, nothing is written.
 * Probes that the instruction set cannot express are left out: `left_out` gets a line about each. False and *e: there
 * is nothing to write, or it could not be written. */
bool probe_export(const char *folder, const char *isa, struct probe *const *, size_t n, struct str *left_out,
	struct err *e);

#endif
