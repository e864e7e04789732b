/* A hash table from thread ids to values that the table owns. */
#ifndef BASE_TID_TABLE_H
#define BASE_TID_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tid_slot {
	int32_t tid;
	void *value; /* NULL: a free slot */
};

/* Zero-initialise, add, free with tid_table_free(). To visit all values, walk over `slot`. Adding and removing values
 * moves slots, so start again after either. The values themselves do not move. */
struct tid_table {
	struct tid_slot *slot; /* open addressing */
	size_t cap, n;         /* slots (0 or a power of two); values */
};

void *tid_table_get(const struct tid_table *, int32_t tid); /* NULL: not in the table */
/* Adds a zeroed value of `size` > 0 bytes for a tid that is not in the table, and returns it. */
void *tid_table_add(struct tid_table *, int32_t tid, size_t size);
/* Frees the value of tid, if the table has one. */
void tid_table_remove(struct tid_table *, int32_t tid);
/* Frees and removes every value for which goes() returns true. */
void tid_table_sweep(struct tid_table *, bool (*goes)(const void *value));
void tid_table_free(struct tid_table *);

#endif
