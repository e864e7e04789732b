#include "core/cone/paths_gmp.h"

#include <gmp.h>
#include <stdlib.h>

#include "base/mem.h"

struct paths_big {
	mpz_t z;
};

/* GMP's words may be shorter than 64 bits, so the number is passed as bytes. */
static void
set_u64(mpz_t z, uint64_t v)
{
	mpz_import(z, 1, -1, sizeof v, 0, 0, &v);
}

static void
make_big(struct paths *p)
{
	p->big = mem_new(sizeof *p->big);
	mpz_init(p->big->z);
	set_u64(p->big->z, p->small);
	p->small = 0;
}

void
paths_add(struct paths *into, const struct paths *from)
{
	uint64_t sum;
	mpz_t one;

	if (!into->big && !from->big && !__builtin_add_overflow(into->small, from->small, &sum)) {
		into->small = sum;
		return;
	}
	if (!into->big)
		make_big(into);
	if (from->big) {
		mpz_add(into->big->z, into->big->z, from->big->z);
		return;
	}
	mpz_init(one);
	set_u64(one, from->small);
	mpz_add(into->big->z, into->big->z, one);
	mpz_clear(one);
}

void
paths_copy(struct paths *into, const struct paths *from)
{
	*into = (struct paths){.small = from->small};
	if (!from->big)
		return;
	into->big = mem_new(sizeof *into->big);
	mpz_init_set(into->big->z, from->big->z);
}

bool
paths_is_zero(const struct paths *p)
{
	return !p->big && p->small == 0;
}

/* Each signature has such a number, so small ones are printed without GMP. */
static char *
small_text(uint64_t x)
{
	char digit[20];
	size_t at = sizeof digit;

	do
		digit[--at] = (char)('0' + x % 10);
	while (x /= 10);
	return mem_strn(digit + at, sizeof digit - at);
}

char *
paths_text(const struct paths *p)
{
	char *text;

	if (!p->big)
		return small_text(p->small);
	text = mem_new(mpz_sizeinbase(p->big->z, 10) + 2);
	return mpz_get_str(text, 10, p->big->z);
}

void
paths_free(struct paths *p)
{
	if (p->big) {
		mpz_clear(p->big->z);
		free(p->big);
	}
	*p = (struct paths){0};
}
