/* The place of an address in a process, as text: mapping, symbol and offset. */
#ifndef COLLECT_WORKLOAD_CODE_PLACE_H
#define COLLECT_WORKLOAD_CODE_PLACE_H

#include <stdint.h>
#include <sys/types.h>

struct str;

/* Adds "main+0x12 (prog)", "libc.so.6+0x2717a" if no symbol is known, "[vdso]+0x7a0", or nothing if the address is in
 * no mapping. Symbols are those of the file's .symtab or .dynsym; a stripped program has few. */
void code_place(pid_t, uint64_t address, struct str *out);

#endif
