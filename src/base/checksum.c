/* Four lanes take eight bytes each, multiply and rotate them. The lanes do not depend on each other, so a processor
 * works on all four at once. The end mixes them as splitmix64 does (Steele, Lea and Flood, "Fast splittable
 * pseudorandom number generators", 2014). */
#include "base/checksum.h"

#include <endian.h>
#include <string.h>

#define STRIPE 32

static const uint64_t odd[4] = {
	UINT64_C(0x9e3779b97f4a7c15), UINT64_C(0xbf58476d1ce4e5b9), UINT64_C(0x94d049bb133111eb),
	UINT64_C(0xd6e8feb86659fd93)
};

void
checksum_begin(struct checksum *c)
{
	*c = (struct checksum){.n = 0};
	memcpy(c->lane, odd, sizeof c->lane);
}

static void
add_stripe(uint64_t lane[4], const unsigned char *p)
{
	for (int i = 0; i < 4; i++) {
		uint64_t w;

		memcpy(&w, p + 8 * i, 8);
		lane[i] = (lane[i] ^ le64toh(w)) * odd[i];
		lane[i] ^= lane[i] >> 29;
	}
}

void
checksum_add(struct checksum *checksum, const void *bytes, size_t n)
{
	const unsigned char *p = bytes;
	size_t held = checksum->n % STRIPE;

	checksum->n += n;
	if (held) {
		size_t take = n < STRIPE - held ? n : STRIPE - held;

		memcpy(checksum->rest + held, p, take);
		p += take;
		n -= take;
		if (held + take < STRIPE)
			return;
		add_stripe(checksum->lane, checksum->rest);
	}
	for (; n >= STRIPE; p += STRIPE, n -= STRIPE)
		add_stripe(checksum->lane, p);
	if (n)
		memcpy(checksum->rest, p, n);
}

static uint64_t
mix(uint64_t z)
{
	z = (z ^ (z >> 30)) * odd[1];
	z = (z ^ (z >> 27)) * odd[2];
	return z ^ (z >> 31);
}

uint64_t
checksum_value(const struct checksum *c)
{
	unsigned char last[STRIPE] = {0};
	uint64_t lane[4], sum = c->n;

	memcpy(lane, c->lane, sizeof lane);
	memcpy(last, c->rest, c->n % STRIPE);
	add_stripe(lane, last);
	for (int i = 0; i < 4; i++)
		sum = mix(sum ^ lane[i]);
	return sum;
}
