/* Files of laws (core/laws/laws.h): a file by its path or name, or all that are installed. */
#ifndef WORK_FILES_LAWS_FILES_H
#define WORK_FILES_LAWS_FILES_H

#include <stddef.h>

struct diags;
struct err;
struct laws;

/* Reads the named file, or for NULL all installed ones. Returns a list of *n, which laws_files_free() frees; NULL after
 * diagnostics or *e. */
struct laws **laws_files_load(const char *name, size_t *n, struct diags *, struct err *e);
void laws_files_free(struct laws **, size_t n);

#endif
