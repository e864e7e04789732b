/* Messages between the explorer and its engine. One function for each structure both writes and reads it, so that
 * writing and reading cannot disagree. Reading never trusts a length: a malformed message sets `bad`. */
#ifndef SHAPE_WIRE_H
#define SHAPE_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wire {
	bool reading;
	bool bad;      /* a message that was read ended early, or held an impossible length */
	unsigned char *data;
	size_t n, cap; /* n: bytes written, or bytes to read */
	size_t at;     /* position of reading */
};

void wire_free(struct wire *);
void wire_bytes(struct wire *, void *p, size_t n);
void wire_size(struct wire *, size_t *v);
void wire_u64(struct wire *, uint64_t *v);
void wire_int(struct wire *, int *v);
/* Writes or reads the number of one of n words. If a number that was read is out of range, sets `bad` and returns 0. */
int wire_word(struct wire *, int word, int n);
void wire_bool(struct wire *, bool *v);
void wire_double(struct wire *, double *v);
void wire_str(struct wire *, char **s); /* NULL stays NULL; the caller frees strings that were read */

/* The same for a text that always exists: NULL in a message that was read sets `bad`, and becomes "". */
void wire_name(struct wire *, char **s);

/* Writes the number of elements of an array, or reads it and allocates zeroed elements; `size`: bytes of an element in
 * memory. The caller then passes each element to its own function. An element takes at least `least` bytes in the
 * message. */
void wire_array(struct wire *, void *array, size_t *n, size_t size, size_t least);

/* Write or read whole arrays of numbers. */
void wire_i64s(struct wire *, int64_t **v, size_t *n);
void wire_doubles(struct wire *, double **v, size_t *n);

#endif
