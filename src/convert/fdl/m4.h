/* The part of m4 that .fdlm4 files use: ifdef with quoted arguments. Private to convert/fdl. */
#ifndef CONVERT_FDL_M4_H
#define CONVERT_FDL_M4_H

#include <stddef.h>

struct diags;
struct source;

/* The text as m4 -D NAME … would leave it, but with blanks in place of all removed text, so that every byte stays at
 * its offset. The definitions are NAME or NAME=VALUE. n + 1 bytes; the caller frees. NULL and a diagnostic for
 * everything else that m4 would do: calls of other macros, words that m4 replaces, quotes elsewhere. */
char *fdl_m4(const struct source *, const char *const *define, size_t n, struct diags *);

/* The fault of a definition, as a sentence; NULL if there is none. */
const char *fdl_define_fault(const char *define);

#endif
