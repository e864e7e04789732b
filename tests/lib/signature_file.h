/* A file of signatures: a line of counter names, then a line of counts for each signature. */
#ifndef TESTS_LIB_SIGNATURE_FILE_H
#define TESTS_LIB_SIGNATURE_FILE_H

#include <stddef.h>
#include <stdint.h>

struct signature_file {
	size_t n_counters, n;
	char **name;
	int64_t *signature; /* n × n_counters */
};

/* Reads a file below $HECATE_TESTS. If it is broken, a check fails and there are no signatures. */
struct signature_file *signature_file_read(const char *path);
void signature_file_free(struct signature_file *);

#endif
