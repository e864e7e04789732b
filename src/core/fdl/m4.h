/* The part of m4 that .fdlm4 files use: ifdef with quoted arguments. Private to core/fdl. */
#ifndef CORE_FDL_M4_H
#define CORE_FDL_M4_H

#include <stddef.h>

struct diags;
struct source;

/* The text as m4 -D NAME … would leave it, with blanks in the place of all that goes, so that every byte stands
 * where the source has it. n + 1 bytes, the caller frees. NULL and a diagnostic for anything that m4 would do and
 * this does not: calls of other macros, words that m4 replaces, quotes elsewhere. The definitions are NAME or
 * NAME=VALUE. */
char *fdl_m4(const struct source *, const char *const *define, size_t n, struct diags *);

/* What is wrong with a definition: a sentence without it, or NULL. */
const char *fdl_define_fault(const char *define);

#endif
