/* The mark that a session file keeps of an unfinished import, together with the rows so far. */
#ifndef WORK_FILES_INGEST_MARK_H
#define WORK_FILES_INGEST_MARK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct session_file;

/* Bytes at the beginning of the data by which they are recognised: first a line or so, then enough to be sure. */
#define INGEST_FIRST ((uint64_t)512)
#define INGEST_HEAD ((uint64_t)65536)

struct ingest_mark {
	size_t finished, finished_rows; /* files that were imported completely, and their rows */
	/* The file that is being read: */
	int64_t *id;                    /* ids of its observations in the session file */
	size_t n, rows;
	uint64_t bytes;                 /* bytes read so far; 0: none */
	/* checksums of its first INGEST_FIRST bytes, of its first INGEST_HEAD bytes, and of all bytes read */
	uint64_t first_sum, head_sum, sum;
	/* ids of the notes about it in the session file; first_note 0: none */
	int64_t first_note, last_note;
};

/* Reads the mark of an unfinished import of these files; without one, all fields are 0. Call ingest_mark_free() in any
 * case. */
void ingest_mark_read(struct session_file *, const char *const *path, size_t n, bool exact, struct ingest_mark *);
/* Writes the mark; NULL removes it: the import is complete. */
bool ingest_mark_write(struct session_file *, const char *const *path, size_t n, bool exact, const struct ingest_mark *,
	struct err *e);
void ingest_mark_free(struct ingest_mark *);

/* Returns a sentence about an unfinished import of any data; NULL: there is none. The caller frees it. */
char *ingest_mark_text(struct session_file *);

#endif
