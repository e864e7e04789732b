#include "shape/wire.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

void
wire_free(struct wire *w)
{
	free(w->data);
	*w = (struct wire){0};
}

void
wire_bytes(struct wire *wire, void *p, size_t n)
{
	if (!n)
		return;
	if (!wire->reading) {
		mem_grow(&wire->data, &wire->cap, wire->n + n, 1);
		memcpy(wire->data + wire->n, p, n);
		wire->n += n;
		return;
	}
	if (wire->bad || n > wire->n - wire->at) {
		wire->bad = true;
		memset(p, 0, n);
		return;
	}
	memcpy(p, wire->data + wire->at, n);
	wire->at += n;
}

void
wire_u64(struct wire *w, uint64_t *v)
{
	wire_bytes(w, v, sizeof *v);
}

static void
wire_i64(struct wire *w, int64_t *v)
{
	wire_bytes(w, v, sizeof *v);
}

void
wire_double(struct wire *w, double *v)
{
	wire_bytes(w, v, sizeof *v);
}

void
wire_size(struct wire *w, size_t *v)
{
	uint64_t n = *v;

	wire_u64(w, &n);
	*v = (size_t)n;
}

void
wire_int(struct wire *w, int *v)
{
	int64_t n = *v;

	wire_i64(w, &n);
	*v = (int)n;
}

int
wire_word(struct wire *w, int word, int n)
{
	wire_int(w, &word);
	w->bad |= word < 0 || word >= n;
	return w->bad ? 0 : word;
}

void
wire_bool(struct wire *w, bool *v)
{
	unsigned char c = *v;

	wire_bytes(w, &c, 1);
	*v = c != 0;
}

void
wire_array(struct wire *wire, void *array, size_t *n, size_t size, size_t least)
{
	void *p = NULL;

	wire_size(wire, n);
	if (!wire->reading)
		return;
	if (!wire->bad && least && *n > (wire->n - wire->at) / least)
		wire->bad = true;
	if (wire->bad)
		*n = 0;
	p = mem_new_array(*n, size);
	memcpy(array, &p, sizeof p);
}

void
wire_str(struct wire *wire, char **s)
{
	bool some = *s != NULL;
	size_t n = !wire->reading && some ? strlen(*s) : 0;
	char *p = NULL;

	wire_bool(wire, &some);
	if (wire->reading)
		*s = NULL;
	if (!some)
		return;
	if (!wire->reading) {
		wire_size(wire, &n);
		wire_bytes(wire, *s, n);
		return;
	}
	wire_size(wire, &n);
	if (wire->bad || n > wire->n - wire->at) {
		wire->bad = true;
		n = 0;
	}
	p = mem_new(n + 1);
	wire_bytes(wire, p, n);
	*s = p;
}

void
wire_name(struct wire *wire, char **s)
{
	wire_str(wire, s);
	if (*s)
		return;
	wire->bad = true;
	*s = mem_new(1);
}

void
wire_i64s(struct wire *w, int64_t **v, size_t *n)
{
	wire_array(w, v, n, sizeof **v, sizeof **v);
	wire_bytes(w, *v, *n * sizeof **v);
}

void
wire_doubles(struct wire *w, double **v, size_t *n)
{
	wire_array(w, v, n, sizeof **v, sizeof **v);
	wire_bytes(w, *v, *n * sizeof **v);
}
