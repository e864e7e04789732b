/* What a session file notes of an import that has not ended, together with the rows that came until then. */
#ifndef APP_FILES_INGEST_MARK_H
#define APP_FILES_INGEST_MARK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct session_file;

/* Bytes from their beginning by which data are known again before anything is done: a line or so, and what makes it
 * sure. */
#define INGEST_FIRST ((uint64_t)512)
#define INGEST_HEAD ((uint64_t)65536)

struct ingest_mark {
	size_t finished, finished_rows; /* data that are in the file whole, and their rows */
	/* Of the one that is being read: */
	int64_t *id;                    /* of its observations in the file */
	size_t n, rows;
	uint64_t bytes;                 /* that had been read; 0: none */
	/* checksums of no more than INGEST_FIRST and INGEST_HEAD of them, and of all */
	uint64_t first_sum, head_sum, sum;
	/* what was said of them, by the numbers of the file's notes; first_note 0: nothing */
	int64_t first_note, last_note;
};

/* Of an import of these data; else all is 0, also where there is none. ingest_mark_free() in any case. */
void ingest_mark_read(struct session_file *, const char *const *path, size_t n, bool exact, struct ingest_mark *);
/* NULL in the place of a mark: the import has ended. */
bool ingest_mark_write(struct session_file *, const char *const *path, size_t n, bool exact, const struct ingest_mark *,
	struct err *e);
void ingest_mark_free(struct ingest_mark *);

/* A sentence about an import that has not ended, of whatever it is; NULL: there is none. The caller frees. */
char *ingest_mark_text(struct session_file *);

#endif
