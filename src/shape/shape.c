#include "shape/shape.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "shape/wire.h"

static bool
shape_is_sent(const struct shape_row *r)
{
	return !r->local && r->type < SHAPE_ZERO;
}

/* The pointer in a field. */
static void *
shape_pointer(const void *field)
{
	void *p;

	memcpy(&p, field, sizeof p);
	return p;
}

/* --- freeing ----------------------------------------------------------------------------------------------------- */

static void
shape_clear_values(const struct shape_row *r, unsigned char *value, size_t n)
{
	for (size_t i = 0; value && i < n; i++)
		if (r->type == SHAPE_TEXT)
			free(shape_pointer(value + i * r->size));
		else if (r->type == SHAPE_RECORD)
			shape_clear(r->of, value + i * r->size);
}

void
shape_clear(const struct shape *shape, void *record)
{
	for (const struct shape_row *row = shape->row; row < shape->row + shape->n; row++) {
		unsigned char *field = (unsigned char *)record + row->at;
		size_t n = row->many == SHAPE_FIXED ? row->count : 1;

		if (!shape_is_sent(row))
			continue;
		if (row->many == SHAPE_LIST)
			memcpy(&n, (unsigned char *)record + row->count, sizeof n);
		if (row->many == SHAPE_LIST || row->many == SHAPE_POINTER) {
			shape_clear_values(row, shape_pointer(field), n);
			free(shape_pointer(field));
		} else {
			shape_clear_values(row, field, n);
		}
	}
}

void
shape_free_array(const struct shape *s, void *array, size_t n)
{
	for (size_t i = 0; array && i < n; i++)
		shape_clear(s, (unsigned char *)array + i * s->size);
	free(array);
}

void
shape_free(const struct shape *s, void *record)
{
	shape_free_array(s, record, 1);
}

/* --- sending ----------------------------------------------------------------------------------------------------- */

/* The bytes that an element takes at least, so that the length of an array can be trusted before it is allocated. */
static size_t
shape_least(const struct shape_row *r)
{
	size_t n = 0;

	if (r->type == SHAPE_TEXT)
		return 1;
	if (r->type != SHAPE_RECORD)
		return r->size;
	for (const struct shape_row *x = r->of->row; x < r->of->row + r->of->n; x++)
		if (shape_is_sent(x))
			n += x->many == SHAPE_LIST ? sizeof(uint64_t)
				: x->many == SHAPE_POINTER ? 1
				: shape_least(x) * (x->many == SHAPE_FIXED ? x->count : 1);
	return n;
}

static void
shape_wire_word(struct wire *w, const struct shape_row *r, void *value)
{
	unsigned word;

	memcpy(&word, value, sizeof word);
	word = (unsigned)wire_word(w, (int)word, (int)r->n_words);
	memcpy(value, &word, sizeof word);
}

static void
shape_wire_values(struct wire *wire, const struct shape_row *row, unsigned char *value, size_t n)
{
	switch (row->type) {
	case SHAPE_BOOL:
		for (size_t i = 0; i < n; i++)
			wire_bool(wire, (bool *)value + i);
		break;
	case SHAPE_TEXT:
		for (size_t i = 0; i < n; i++)
			(row->named ? wire_name : wire_str)(wire, (char **)(void *)value + i);
		break;
	case SHAPE_WORD:
		for (size_t i = 0; i < n; i++)
			shape_wire_word(wire, row, value + i * row->size);
		break;
	case SHAPE_RECORD:
		for (size_t i = 0; i < n; i++)
			shape_wire(wire, row->of, value + i * row->size);
		break;
	case SHAPE_SIGNED:
	case SHAPE_UNSIGNED:
	case SHAPE_REAL:
	case SHAPE_BYTES:
		wire_bytes(wire, value, n * row->size);
		break;
	case SHAPE_ZERO:
	case SHAPE_HAND:
	case SHAPE_ROWS:
		break;
	}
}

void
shape_wire(struct wire *wire, const struct shape *shape, void *record)
{
	for (const struct shape_row *row = shape->row; row < shape->row + shape->n; row++) {
		unsigned char *field = (unsigned char *)record + row->at;
		size_t n = row->many == SHAPE_FIXED ? row->count : 1;
		bool some = true;
		void *made = NULL;

		if (!shape_is_sent(row))
			continue;
		if (row->many == SHAPE_LIST) {
			memcpy(&n, (unsigned char *)record + row->count, sizeof n);
			wire_array(wire, field, &n, row->size, shape_least(row));
			memcpy((unsigned char *)record + row->count, &n, sizeof n);
		} else if (row->many == SHAPE_POINTER) {
			some = shape_pointer(field) != NULL;
			wire_bool(wire, &some);
			made = wire->reading && some ? mem_new(row->size) : NULL;
			if (wire->reading)
				memcpy(field, &made, sizeof made);
		}
		if (some)
			shape_wire_values(wire, row, row->many >= SHAPE_LIST ? shape_pointer(field) : field, n);
	}
}
