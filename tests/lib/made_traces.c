#include "made_traces.h"

#include <endian.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/str.h"
#include "test.h"

int
made_file(const void *bytes, size_t n)
{
	int fd = memfd_create("trace", MFD_CLOEXEC);

	CHECK(fd >= 0 && (n == 0 || write(fd, bytes, n) == (ssize_t)n) && lseek(fd, 0, SEEK_SET) == 0);
	return fd;
}

static void
check_facts(const struct made_result *r)
{
	uint64_t instructions = 0, branches = 0, taken = 0;

	for (size_t i = 0; i < r->n; i++) {
		const struct sim_op *o = &r->op[i];
		bool last = o->flags & SIM_OP_LAST;

		instructions += last;
		branches += o->branch != SIM_NO_BRANCH;
		taken += o->flags & SIM_OP_TAKEN;
		CHECK(o->length > 0 && o->kind < SIM_N_OP_KINDS && o->branch < SIM_N_BRANCHES);
		CHECK(o->at >> 48 == 0 && (!o->size == !(sim_op_reads(o) || sim_op_writes(o))));
		CHECK((o->kind == SIM_OP_BRANCH) == (o->branch != SIM_NO_BRANCH) && (last || !o->branch));
		CHECK(!(o->flags & SIM_OP_TAKEN) || o->branch);
		CHECK(o->branch == SIM_NO_BRANCH || o->branch == SIM_CONDITIONAL || o->flags & SIM_OP_TAKEN);
		CHECK(o->dst == SIM_NO_REGISTER || o->dst < SIM_REGISTERS);
		for (int k = 0; k < 3; k++)
			CHECK(o->src[k] == SIM_NO_REGISTER || o->src[k] < SIM_REGISTERS);
		CHECK(last || (i + 1 < r->n && r->op[i + 1].pc == o->pc && r->op[i + 1].next == o->next));
	}
	CHECK_INT(r->facts.instructions, instructions);
	CHECK_INT(r->facts.branches, branches);
	CHECK_INT(r->facts.taken, taken);
}

struct made_result
made_read_fd(int fd, int format, size_t at_once)
{
	struct made_result r = {0};
	struct sim_stream *s = format == MADE_GUESS ? sim_op_trace_open(fd, &r.e)
					       : sim_op_trace_new(fd, (enum sim_trace_format)format);
	size_t cap = 0, got = SIZE_MAX;

	while (s) {
		mem_grow(&r.op, &cap, r.n + at_once, sizeof *r.op);
		got = sim_stream_fill(s, r.op + r.n, at_once, &r.e);
		if (got == 0 || got == SIZE_MAX)
			break;
		CHECK(got <= at_once);
		r.n += got;
	}
	if (s) {
		struct err again = {0};

		CHECK(sim_stream_fill(s, &(struct sim_op){0}, 1, &again) == got); /* the end and errors stay */
		CHECK_STR(again.what, r.e.what);
		r.facts = sim_op_trace_facts(s);
		check_facts(&r);
	}
	sim_stream_free(s);
	return r;
}

struct made_result
made_read(const struct str *bytes, int format, size_t at_once)
{
	int fd = made_file(bytes->s, bytes->n);
	struct made_result r = made_read_fd(fd, format, at_once);

	close(fd);
	return r;
}

bool
made_same_op(const struct sim_op *a, const struct sim_op *b)
{
	return a->pc == b->pc && a->at == b->at && a->next == b->next && a->size == b->size && a->length == b->length
		&& a->kind == b->kind && a->branch == b->branch && a->flags == b->flags && a->dst == b->dst
		&& memcmp(a->src, b->src, sizeof a->src) == 0;
}

bool
made_same(const struct made_result *a, const struct made_result *b)
{
	bool same = a->n == b->n;

	for (size_t i = 0; same && i < a->n; i++)
		same = made_same_op(&a->op[i], &b->op[i]);
	return same;
}

static void
add_byte(struct str *b, unsigned x)
{
	str_addc(b, (char)x);
}

static void
add_word(struct str *b, uint64_t x)
{
	x = htole64(x);
	str_addn(b, (const char *)&x, sizeof x);
}

static void
made_add_champ(struct str *b, const struct made_champ *c)
{
	add_word(b, c->ip);
	add_byte(b, c->branch);
	add_byte(b, c->taken);
	str_addn(b, (const char *)c->dst, 2);
	str_addn(b, (const char *)c->src, 4);
	for (int i = 0; i < 2; i++)
		add_word(b, c->store[i]);
	for (int i = 0; i < 4; i++)
		add_word(b, c->load[i]);
}

void
made_add_champs(struct str *b, const struct made_champ *c, size_t n)
{
	for (size_t i = 0; i < n; i++)
		made_add_champ(b, &c[i]);
}

/* Registers as Pin numbers them: 5 rbp, 6 rsp, 7 rbx, 8 rdx, 9 rcx, 10 rax, 25 flags, 26 rip; 100 a vector register. */
static const struct made_champ champ_program[] = {
	{.ip = 0x1000, .dst = {10, 25}, .src = {10, 8}},                                        /* add rax, rdx */
	{.ip = 0x1003, .branch = 1, .dst = {26}, .src = {25, 26}},                              /* jz: not taken */
	{.ip = 0x1005, .dst = {7}, .src = {7}, .load = {0x5000}},                               /* mov rbx, [rbx] */
	{.ip = 0x1008, .dst = {10, 25}, .src = {10, 7}, .load = {0x507c}},                      /* add rax, [rbx] */
	{.ip = 0x100c, .dst = {6}, .src = {6, 5}, .store = {0x7ff8}},                           /* push rbp */
	{.ip = 0x100d, .dst = {5, 6}, .src = {6}, .load = {0x7ff8}},                            /* pop rbp */
	{.ip = 0x100e, .src = {7, 10}, .store = {0x6000}},                                      /* mov [rbx], rax */
	{.ip = 0x1011, .dst = {25}, .src = {7}, .store = {0x6000}, .load = {0x6000}},           /* inc [rbx] */
	{.ip = 0x1014, .dst = {100}, .src = {100, 7}, .load = {0x6100}},                        /* addsd xmm, [rbx] */
	{.ip = 0x1018, .dst = {4, 3}, .src = {3, 4}, .store = {0x8000}, .load = {0x9000}},      /* movsq */
	{.ip = 0x101a},                                                                        /* nop */
	{.ip = 0x101b, .branch = 1, .taken = 1, .dst = {26, 6}, .src = {26, 6}, .store = {0x7ff8}}, /* call */
	{.ip = 0x2000, .branch = 1, .taken = 1, .dst = {26, 6}, .src = {6}, .load = {0x7ff8}},  /* ret */
	{.ip = 0x1020, .branch = 1, .taken = 1, .dst = {26}, .src = {25, 26}},                  /* jz, taken */
	{.ip = 0x1003, .branch = 1, .taken = 1, .dst = {26}, .src = {25, 26}},                  /* jz, now taken */
	{.ip = 0x101b, .branch = 1, .taken = 1, .dst = {26, 6}, .src = {26, 6}, .store = {0xffff800000000010}},
	{.ip = 0xffff800000000040, .dst = {200}, .src = {100, 200, 25, 9}},
};

static void
add_cbp(struct str *b, uint64_t pc, unsigned class, const struct str *middle, const char *in, const char *out,
	const uint64_t *values)
{
	size_t n_in = strlen(in), n_out = strlen(out);

	add_word(b, pc);
	add_byte(b, class);
	str_addn(b, str_text(middle), middle->n);
	/* a register's character is its number + 1, so that 0 can stand in a string */
	add_byte(b, (unsigned)n_in);
	for (size_t i = 0; i < n_in; i++)
		add_byte(b, (unsigned char)in[i] - 1u);
	add_byte(b, (unsigned)n_out);
	for (size_t i = 0; i < n_out; i++)
		add_byte(b, (unsigned char)out[i] - 1u);
	for (size_t i = 0; i < n_out; i++) {
		unsigned r = (unsigned char)out[i] - 1u;

		add_word(b, *values++);
		if (r >= 32 && r < 64)
			add_word(b, *values++);
	}
}

static void
add_plain(struct str *b, uint64_t pc, unsigned class, const char *in, const char *out, const uint64_t *values)
{
	struct str none = {0};

	add_cbp(b, pc, class, &none, in, out, values);
}

void
made_add_load(struct str *b, uint64_t pc, uint64_t at, unsigned size, unsigned update, const char *in, const char *out,
	const uint64_t *values)
{
	struct str m = {0};

	add_word(&m, at);
	add_byte(&m, size);
	add_byte(&m, update);
	add_cbp(b, pc, 1, &m, in, out, values);
	str_free(&m);
}

void
made_add_store(struct str *b, uint64_t pc, uint64_t at, unsigned size, unsigned update, unsigned offset, const char *in,
	const char *out, const uint64_t *values)
{
	struct str m = {0};

	add_word(&m, at);
	add_byte(&m, size);
	add_byte(&m, update);
	add_byte(&m, offset);
	add_cbp(b, pc, 2, &m, in, out, values);
	str_free(&m);
}

void
made_add_branch(struct str *b, uint64_t pc, unsigned class, unsigned taken, uint64_t target, const char *in,
	const char *out)
{
	static const uint64_t values[8] = {0};
	struct str m = {0};

	add_byte(&m, taken);
	if (taken)
		add_word(&m, target);
	add_cbp(b, pc, class, &m, in, out, values);
	str_free(&m);
}

static void
made_cbp(struct str *b)
{
	static const uint64_t plain[8] = {1, 2, 3, 4, 5, 6, 7, 8}, halves[8] = {1, 0, 3, 4}, low[8] = {1, 0};

	add_plain(b, 0x1000, 0, "\2\3", "\4", plain);                                   /* add x3, x1, x2 */
	add_plain(b, 0x1004, 0, "\2\102", "\4\101", plain);                             /* adds x3, x1, xzr */
	add_plain(b, 0x1008, 7, "\2\3\4", "\1", plain);                                 /* madd x0, x1, x2, x3 */
	add_plain(b, 0x100c, 6, "\41\42", "\43", low);                                  /* fadd d2, d0, d1 */
	add_plain(b, 0x1010, 6, "\41\42", "\43", plain);                                /* fadd v2.2d */
	made_add_load(b, 0x1014, 0x5000, 8, 0, "\2", "\3", plain);                           /* ldr x2, [x1] */
	made_add_load(b, 0x1018, 0x5000, 16, 1, "\4", "\2\3\4", plain);                      /* ldp x1, x2, [x3], #16 */
	made_add_load(b, 0x101c, 0x5000, 32, 0, "\2", "\41\42", halves);                     /* ldp q0, q1, [x1] */
	made_add_load(b, 0x1020, 0xaa00000000005003, 2, 0, "\2", "\41", plain);         /* ldr h0, a tagged address */
	made_add_store(b, 0x1024, 0x6000, 8, 0, 0, "\2\3", "", plain);                       /* str x2, [x1] */
	made_add_store(b, 0x1028, 0x6000, 16, 1, 0, "\40\2\3", "\40", plain);         /* stp x1, x2, [sp, #-16]! */
	made_add_store(b, 0x102c, 0xffff000000006000, 4, 0, 1, "\2\3\4", "", plain);         /* str w3, [x1, x2] */
	made_add_store(b, 0x1030, 0x6000, 64, 0, 0, "\2", "", plain);                        /* dc zva */
	made_add_branch(b, 0x1034, 3, 0, 0, "\101", "");                                     /* b.eq */
	made_add_branch(b, 0x1038, 3, 1, 0x1040, "\2", "");                                  /* cbz x1 */
	made_add_branch(b, 0x1040, 4, 1, 0x2000, "", "");                                    /* b */
	made_add_branch(b, 0x2000, 5, 1, 0x2010, "\2", "");                                  /* br x1 */
	made_add_branch(b, 0x2010, 9, 1, 0x3000, "", "\37");                                 /* bl */
	made_add_branch(b, 0x3000, 10, 1, 0x4000, "\2", "\37");                              /* blr x1 */
	made_add_branch(b, 0x4000, 11, 1, 0x3004, "\37", "");                                /* ret */
	add_plain(b, 0x3004, 0, "", "", plain);                                         /* nop */
}

static const char lackey_program[] =
	"==7== Lackey, an example Valgrind tool\n==7== \n"
	"I  00001000,3\n L 1fff000700,8\n"           /* a load */
	"I  00001003,5\n S 1fff0006f8,8\n"           /* a call */
	"I  00002000,3\n"
	"I  00002003,2\n"                            /* a conditional branch, not yet known */
	"I  00002005,4\n M 0403a2c8,4\n"             /* add [m], … */
	"I  00002009,2\n"                            /* jumps back, */
	"I  00002003,2\n"                            /* and this one jumps too */
	"I  00002010,1\n L 1fff0006f8,8\n"           /* a return */
	"I  00001008,3\n L 00005000,8\n S 00006000,8\n" /* movsq, twice: rep */
	"I  00001008,3\n L 00005008,8\n S 00006008,8\r\n"
	"I  0000100b,6\n L 04000010,8\n"             /* jmp [got] */
	"--7-- chatter\n\n"
	"I  00002009,2\n"                            /* not taken */
	"I  0000200b,3\n L 04000010,8\n S 1fff0006f8,8\n" /* call [m] */
	"I  00003000,5\n"                            /* jmp */
	"I  00002009,2\n"                            /* taken */
	"I  00002003,2\n"                            /* not taken */
	"I  00002005,3\n"                            /* jmp r11 */
	"I  ffffffffff600000,7\n"
	"==7== Exit code:       0\n";

void
made_trace(struct str *b, enum sim_trace_format f)
{
	switch (f) {
	case SIM_CHAMPSIM:
		made_add_champs(b, champ_program, sizeof champ_program / sizeof *champ_program);
		break;
	case SIM_CBP:
		made_cbp(b);
		break;
	case SIM_LACKEY:
		str_add(b, lackey_program);
		break;
	case SIM_N_TRACE_FORMATS:
		break;
	}
}
