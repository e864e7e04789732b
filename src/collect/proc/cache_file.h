/* Files that hecate may make again at any time: $XDG_CACHE_HOME/hecate/NAME, or ~/.cache/hecate/NAME. */
#ifndef COLLECT_PROC_CACHE_FILE_H
#define COLLECT_PROC_CACHE_FILE_H

#include <stdbool.h>
#include <stddef.h>

/* Returns the path of such a file; NULL: there is no place for it. `make`: with its folder. The caller frees. */
char *cache_file_path(const char *name, bool make);

/* Writes the file, first under another name, so that no reader sees half of it. Returns false and sets errno if it
 * cannot be written. */
bool cache_file_write(const char *name, const void *bytes, size_t n);

#endif
