/* Memory that probes run on: pages of code, and lines of data in huge or small pages. */
#ifndef COLLECT_NATIVE_MEMORY_H
#define COLLECT_NATIVE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/native/encode.h"

struct err;

#define NATIVE_LINE 64
#define NATIVE_PAGE 4096

struct native_map {
	void *at;    /* NULL: nothing is mapped */
	size_t size;
	bool huge;   /* all of it is in huge pages */
};

/* Maps code that can be executed but not written. Returns false and sets *e if the system refuses it. */
bool native_map_code(struct native_map *, const unsigned char *byte, size_t n, struct err *e);

enum native_pages {
	NATIVE_HUGE,  /* pages of 2 MiB, if the system gives them */
	NATIVE_SMALL, /* pages of 4 KiB, with neighbours far from each other in physical memory */
};

/* Maps data that is present, from a multiple of 2 MiB on. Returns false and sets *e if there is no memory. */
bool native_map_data(struct native_map *, size_t n, enum native_pages, struct err *e);
void native_unmap(struct native_map *);
/* Returns the function that begins at this byte of the code. */
native_function *native_map_function(const struct native_map *, size_t begin);

/* A chain of lines in random order: the first 8 bytes of each line are the address of the next one, those of the last
 * line the address of the first. */
struct native_chain {
	void **line; /* n, in the order of the chain */
	size_t n;
};

/* Makes a chain of one line from each of n places of `stride` bytes. `spread`: takes a different line from each place,
 * so that their sets differ. */
void native_chain_make(struct native_chain *, void *at, size_t n, size_t stride, bool spread, bool sequential,
	uint64_t seed);
/* Writes the addresses of the next lines. */
void native_chain_link(const struct native_chain *);
void native_chain_free(struct native_chain *);
/* Removes lines `first` to `first` + n − 1 of the chain, which begins anew at its end, from all caches. */
void native_chain_flush(const struct native_chain *, size_t first, size_t n);

#endif
