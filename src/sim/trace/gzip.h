/* gzip data, as zlib reads and writes them (RFC 1952). */
#ifndef SIM_TRACE_GZIP_H
#define SIM_TRACE_GZIP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct sim_gunzip;
struct sim_gzip;

/* Do the bytes begin as gzip data do? Two suffice. */
bool sim_is_gzip(const void *bytes, size_t n);

struct sim_gunzip *sim_gunzip_new(void);
void sim_gunzip_free(struct sim_gunzip *);
/* Uncompresses from in (n_in bytes) to out (room for n_out bytes, above 0). Returns the number of bytes written, and in
 * *used the number of those read. 0 with all of them used: more input is needed. SIZE_MAX and *e: the data are broken,
 * at the offset in the compressed file. Several gzip files in a row are one; zeros after the last are ignored. */
size_t sim_gunzip_step(struct sim_gunzip *, const uint8_t *in, size_t n_in, size_t *used, uint8_t *out, size_t n_out,
	struct err *e);
/* False and *e if the input must not end here, because the last file is incomplete. */
bool sim_gunzip_may_end(const struct sim_gunzip *, struct err *e);

/* Writes gzip data to a descriptor, which the caller closes. */
struct sim_gzip *sim_gzip_new(int fd);
void sim_gzip_free(struct sim_gzip *);
/* Adds bytes. False and errno when they cannot be written. */
bool sim_gzip_add(struct sim_gzip *, const void *bytes, size_t n);
/* Writes what is left and the end. Nothing may be added after it. False and errno as above. */
bool sim_gzip_end(struct sim_gzip *);

#endif
