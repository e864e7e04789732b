/* Memory functions that never return failure: they panic() when there is no memory. An arena owns many small things
 * that are freed together, such as a parse or a frame. */
#ifndef BASE_MEM_H
#define BASE_MEM_H

#include <stddef.h>

void *mem_new(size_t size);                       /* zeroed; size 0 gives a valid pointer */
void *mem_new_array(size_t n, size_t size);       /* zeroed; panics when n × size overflows */
void *mem_resize(void *p, size_t n, size_t size); /* realloc of n × size bytes; the new part is not zeroed */
char *mem_str(const char *s);
char *mem_strn(const char *s, size_t n);
void *mem_copy(const void *p, size_t size);

/* Makes room for `need` elements of `size` bytes each. `array` is the address of the pointer to the array; *cap is the
 * number of elements that the array has room for. The room doubles, so a loop that appends takes linear time. */
void mem_grow(void *array, size_t *cap, size_t need, size_t size);

/* From now on, 256 KB and more go back to the system when they are freed. Otherwise malloc() learns from the first
 * large block that is freed to keep the next ones. For the explorer and its engine, which stay open for hours. */
void mem_return_large(void);
/* Gives free memory back to the system, also from between blocks in use. */
void mem_return_free(void);

struct arena;

struct arena *arena_new(void);
void arena_free(struct arena *);
void *arena_alloc(struct arena *, size_t size); /* zeroed, aligned for any type */
char *arena_strn(struct arena *, const char *s, size_t n);
char *arena_str(struct arena *, const char *s);
void *arena_copy(struct arena *, const void *p, size_t size);

#endif
