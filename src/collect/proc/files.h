/* Where the kernel's files are, how they are read, and which block devices they describe. */
#ifndef COLLECT_PROC_FILES_H
#define COLLECT_PROC_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct str;

/* "/proc" and "/sys", or the test trees $HECATE_PROC and $HECATE_SYSFS. */
struct proc_roots {
	char proc[512], sysfs[512];
};

void proc_roots_find(struct proc_roots *);

/* Reads a whole file into *out, which is cleared first. Returns false and sets errno when that fails. */
bool proc_file_read(const char *path, struct str *out);

/* Reads the first size - 1 bytes of a small file, without newlines at its end. Returns false and sets errno when it
 * cannot be opened. */
bool proc_text_read(const char *path, char *text, size_t size);
/* Like proc_text_read(), but reads from an open file and closes it. */
void proc_text_take(int fd, char *text, size_t size);

/* Reads the n-th number (from 0) of a text; false when it has fewer. */
bool proc_number_at(const char *text, unsigned n, uint64_t *v);

/* Reads the n-th number of the line that begins with `key` and a blank, tab or colon. Returns false without such a
 * number. */
bool proc_number_of(const char *text, const char *key, unsigned n, uint64_t *v);

/* Reads the number after "total=" in the line that begins with `key`. */
bool proc_pressure_of(const char *text, const char *key, uint64_t *v);

/* Returns the devices that a pattern matches, sorted by name, NULL-terminated; the caller frees them with
 * str_split_free(). The pattern `*` matches every whole disk, but not devices in memory (loop, ram, zram), devices made
 * of other devices, which do their work (dm, md), hidden devices, and devices of size 0. Any other pattern matches
 * names like fnmatch(3). Returns NULL and sets errno when the folder of block devices cannot be read. */
char **proc_disks(const char *pattern, size_t *n);

#endif
