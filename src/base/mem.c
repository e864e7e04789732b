#include "base/mem.h"

#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/panic.h"

#define LARGE (256 * 1024)
#define ARENA_BLOCK ((size_t)64 * 1024) /* the first block has ARENA_LEAST bytes, each later one twice as many */
#define ARENA_LEAST ((size_t)2 * 1024)

struct arena_block {
	struct arena_block *next;
	size_t used, size;
	max_align_t data[];
};

struct arena {
	struct arena_block *head;
};

void *
mem_new(size_t size)
{
	return mem_new_array(1, size);
}

void *
mem_new_array(size_t n, size_t size)
{
	void *p = calloc(n ? n : 1, size ? size : 1);

	if (!p)
		panic("out of memory: %zu times %zu bytes", n, size);
	return p;
}

void *
mem_resize(void *p, size_t n, size_t size)
{
	void *q = NULL;

	if (!size || n <= SIZE_MAX / size)
		q = realloc(p, n && size ? n * size : 1);
	if (!q)
		panic("out of memory: %zu times %zu bytes", n, size);
	return q;
}

void *
mem_copy(const void *p, size_t size)
{
	void *q = mem_new(size);

	if (size)
		memcpy(q, p, size);
	return q;
}

char *
mem_strn(const char *s, size_t n)
{
	char *t = mem_new(n + 1);

	if (n)
		memcpy(t, s, n);
	return t;
}

char *
mem_str(const char *s)
{
	return mem_strn(s, strlen(s));
}

void
mem_grow(void *array, size_t *cap, size_t need, size_t size)
{
	void *p;
	size_t n = *cap;

	if (need <= n)
		return;
	while (n < need) {
		if (n > SIZE_MAX / 2)
			panic("out of memory: an array of %zu elements", need);
		n = n ? n * 2 : 8;
	}
	memcpy(&p, array, sizeof p);
	p = mem_resize(p, n, size);
	memcpy(array, &p, sizeof p);
	*cap = n;
}

void
mem_return_large(void)
{
#ifdef M_MMAP_THRESHOLD
	mallopt(M_MMAP_THRESHOLD, LARGE);
#endif
}

void
mem_return_free(void)
{
#ifdef M_MMAP_THRESHOLD
	malloc_trim(0);
#endif
}

struct arena *
arena_new(void)
{
	return mem_new(sizeof(struct arena));
}

void
arena_free(struct arena *a)
{
	if (!a)
		return;
	for (struct arena_block *b = a->head, *next; b; b = next) {
		next = b->next;
		free(b);
	}
	free(a);
}

void *
arena_alloc(struct arena *arena, size_t size)
{
	const size_t unit = sizeof(max_align_t);
	struct arena_block *block = arena->head;
	char *p;

	if (size > SIZE_MAX / 2)
		panic("out of memory: %zu bytes", size);
	size = (size + unit - 1) / unit * unit;
	if (!block || block->size - block->used < size) {
		size_t room = block ? 2 * block->size : ARENA_LEAST;

		room = room > ARENA_BLOCK ? ARENA_BLOCK : room;
		room = room < size ? size : room;
		block = mem_new(sizeof *block + room);
		block->size = room;
		block->next = arena->head;
		arena->head = block;
	}
	p = (char *)block->data + block->used;
	block->used += size;
	return p;
}

void *
arena_copy(struct arena *a, const void *p, size_t size)
{
	void *q = arena_alloc(a, size);

	if (size)
		memcpy(q, p, size);
	return q;
}

char *
arena_strn(struct arena *a, const char *s, size_t n)
{
	char *t = arena_alloc(a, n + 1);

	if (n)
		memcpy(t, s, n);
	return t;
}

char *
arena_str(struct arena *a, const char *s)
{
	return arena_strn(a, s, strlen(s));
}
