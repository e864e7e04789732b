/* Where the kernel's files are, and reading them. */
#ifndef COLLECT_PROC_FILES_H
#define COLLECT_PROC_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct str;

/* "/proc" and "/sys", or $HECATE_PROC and $HECATE_SYSFS: trees made for tests. */
struct proc_roots {
	char proc[512], sysfs[512];
};

void proc_roots_look(struct proc_roots *);

/* All of a file, into *out, which is cleared first. False and errno when it cannot be opened or read. */
bool proc_file_read(const char *path, struct str *out);

/* The first size - 1 bytes of a small file, without newlines at the end. False and errno when it cannot be opened. */
bool proc_text_read(const char *path, char *text, size_t size);

/* The n-th number (from 0) of a text; false when there are fewer. */
bool proc_number_at(const char *text, unsigned n, uint64_t *v);

/* The n-th number of the line that begins with `key` and a blank, a tab or a colon; false when there is none. */
bool proc_number_of(const char *text, const char *key, unsigned n, uint64_t *v);

/* The number behind "total=" in the line that begins with `key`. */
bool proc_pressure_of(const char *text, const char *key, uint64_t *v);

#endif
