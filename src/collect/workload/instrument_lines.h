/* Counts from what instrumenting tools print, line by line. It uses no process and no file. */
#ifndef COLLECT_WORKLOAD_INSTRUMENT_LINES_H
#define COLLECT_WORKLOAD_INSTRUMENT_LINES_H

#include <stddef.h>

#include "collect/workload/instrument.h"

struct instrument_lines;

/* Reads the output of lackey (--trace-mem=yes) or qemu (-d nochain,exec,in_asm, one instruction a
 * block). `wide`: the program is 64-bit x86; qemu's branches are known for x86 programs only. */
enum instrument_code { INSTRUMENT_CODE_X86, INSTRUMENT_CODE_X86_64, INSTRUMENT_CODE_OTHER };
struct instrument_lines *instrument_lines_new(enum instrument_method, enum instrument_code);
void instrument_lines_free(struct instrument_lines *);

/* Takes a line of n characters, without its end. */
void instrument_lines_take(struct instrument_lines *, const char *line, size_t n);
/* Sets the counts so far: count, reps, threads, unknown. */
void instrument_lines_result(const struct instrument_lines *, struct instrument_result *);
/* Returns the last messages of the tool, one per line; "" if there were none. */
const char *instrument_lines_messages(const struct instrument_lines *);

#endif
