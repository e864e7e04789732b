/* The bytes of signatures: numbers of 7 bits a byte, low bits first, all but the last byte with the bit 128. Nearly all
 * numbers are small, and most entries of a signature are 0.
 *
 *     counters, signatures; entries, a 0 followed by the number of further zeros; numbers of µpaths as text
 *     states: distance to the previous one (0: none), edge, value; then the last state of each signature */
#include "core/cone/signatures.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/panic.h"
#include "base/str.h"
#include "core/cone/walk.h"

static void
put_number(struct str *out, uint64_t v)
{
	for (; v > 127; v >>= 7)
		str_addc(out, (char)(v | 128));
	str_addc(out, (char)v);
}

static uint64_t
take_number(const unsigned char **at)
{
	uint64_t v = 0;

	for (int shift = 0;; shift += 7) {
		unsigned char byte = *(*at)++;

		v |= (uint64_t)(byte & 127) << shift;
		if (byte < 128)
			return v;
	}
}

static char *
unpack_text(const unsigned char **at)
{
	char *text = mem_str((const char *)*at);

	*at += strlen(text) + 1;
	return text;
}

static void
put_entries(struct str *out, const int64_t *coef, size_t n)
{
	for (size_t i = 0, end; i < n; i = end) {
		end = i + 1;
		put_number(out, (uint64_t)coef[i]);
		while (!coef[i] && end < n && !coef[end])
			end++;
		if (!coef[i])
			put_number(out, end - i - 1);
	}
}

static void
take_entries(const unsigned char **at, int64_t *coef, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		coef[i] = (int64_t)take_number(at);
		if (!coef[i])
			i += take_number(at);
	}
}

char *
signatures_pack(const struct signatures *s, size_t *bytes)
{
	struct str out = {0};

	if (!s->walk || s->marked)
		panic("signatures without links or with marks were packed");
	put_number(&out, s->n_counters);
	put_number(&out, s->n);
	put_entries(&out, s->coef, s->n * s->n_counters);
	for (size_t k = 0; k < s->n; k++)
		str_addn(&out, s->paths[k], strlen(s->paths[k]) + 1);
	str_addn(&out, s->total, strlen(s->total) + 1);
	put_number(&out, s->walk->n);
	for (size_t i = 0; i < s->walk->n; i++) {
		const struct walk_state *state = &s->walk->state[i];

		put_number(&out, state->prev == STATE_NONE ? 0 : i - state->prev);
		put_number(&out, state->edge);
		put_number(&out, state->value);
	}
	for (size_t k = 0; k < s->n; k++)
		put_number(&out, s->walk->last[k]);
	*bytes = out.n;
	return mem_resize(str_take(&out), *bytes, 1);
}

struct signatures *
signatures_unpack(const char *packed)
{
	const unsigned char *at = (const unsigned char *)packed;
	struct signatures *s = mem_new(sizeof *s);
	struct walk *walk = s->walk = mem_new(sizeof *walk);

	s->n_counters = take_number(&at);
	s->n = take_number(&at);
	s->coef = mem_new_array(s->n, s->n_counters * sizeof *s->coef);
	take_entries(&at, s->coef, s->n * s->n_counters);
	s->paths = mem_new_array(s->n, sizeof *s->paths);
	for (size_t k = 0; k < s->n; k++)
		s->paths[k] = unpack_text(&at);
	s->total = unpack_text(&at);
	walk->n = walk->cap = take_number(&at);
	walk->state = mem_new_array(walk->n, sizeof *walk->state);
	for (size_t i = 0; i < walk->n; i++) {
		size_t back = take_number(&at);

		walk->state[i].prev = back ? (uint32_t)(i - back) : STATE_NONE;
		walk->state[i].edge = (uint32_t)take_number(&at);
		walk->state[i].value = (uint32_t)take_number(&at);
	}
	walk->last = mem_new_array(s->n, sizeof *walk->last);
	for (size_t k = 0; k < s->n; k++)
		walk->last[k] = (uint32_t)take_number(&at);
	return s;
}
