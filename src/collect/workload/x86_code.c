#include "collect/workload/x86_code.h"

static bool
is_prefix(unsigned char b)
{
	switch (b) {
	case 0x26: case 0x2e: case 0x36: case 0x3e: case 0x64: case 0x65: case 0x66: case 0x67: case 0xf0: case 0xf2:
	case 0xf3:
		return true;
	}
	return false;
}

static bool
is_string(unsigned char op)
{
	return (op >= 0x6c && op <= 0x6f) || (op >= 0xa4 && op <= 0xa7) || (op >= 0xaa && op <= 0xaf);
}

static bool
is_conditional(unsigned char op)
{
	return (op >= 0x70 && op <= 0x7f) || (op >= 0xe0 && op <= 0xe3);
}

static bool
is_branch(unsigned char op, bool wide)
{
	switch (op) {
	case 0xc2: case 0xc3: case 0xca: case 0xcb: case 0xcf: /* ret, iret */
	case 0xe8: case 0xe9: case 0xeb:                       /* call, jmp */
		return true;
	case 0x9a: case 0xea:                                  /* far call and jmp */
		return !wide;
	}
	return is_conditional(op);
}

/* The bytes of cpuid, rdtsc, rdpmc, rdtscp, xgetbv, after 0x0f (Intel SDM volume 3, 26.1: they may exit to the
 * hypervisor). 0 for all others. */
static unsigned
emulated_size(unsigned char op, unsigned char next)
{
	switch (op) {
	case 0x31: case 0x33: case 0xa2:
		return 2;
	case 0x01:
		return next == 0xf9 || next == 0xd0 ? 3 : 0;
	}
	return 0;
}

struct x86_code
x86_code_of(const unsigned char *byte, size_t n, bool wide)
{
	struct x86_code c = {0};
	bool repeated = false;
	size_t i = 0;
	unsigned char op, next;

	for (; i < n && is_prefix(byte[i]); i++)
		repeated |= byte[i] == 0xf2 || byte[i] == 0xf3;
	if (wide && i < n && (byte[i] & 0xf0) == 0x40)
		i++;
	if (i >= n)
		return c;
	op = byte[i];
	next = i + 1 < n ? byte[i + 1] : 0;
	if (op == 0x0f) {
		c.conditional = next >= 0x80 && next <= 0x8f;
		c.branch = c.conditional;
		c.syscall = next == 0x05 || next == 0x34;
		c.emulated = emulated_size(next, i + 2 < n ? byte[i + 2] : 0);
		c.emulated += c.emulated ? (unsigned)i : 0;
	} else if (op == 0xff) { /* group 5: 2 and 3 are calls, 4 and 5 jumps */
		unsigned reg = next >> 3 & 7;

		c.branch = reg >= 2 && reg <= 5;
	} else {
		c.rep = repeated && is_string(op);
		c.conditional = is_conditional(op);
		c.branch = is_branch(op, wide);
		c.syscall = op == 0xcd;
		c.trap = op == 0xcc || op == 0xf1;
	}
	return c;
}
