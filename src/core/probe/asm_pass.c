#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/probe/asm_isa.h"
#include "core/probe/asm_lines.h"

#define WORD 8
#define LINE 64
#define FILL_CHAIN 3

/* State between the instructions of a pass. */
struct maker {
	struct asm_pass *pass;
	struct asm_texts *texts;
	const struct asm_isa *isa;
	const struct probe *probe;
	const struct probe_code *code;
	size_t i;         /* instruction */
	size_t in_part;   /* since the last ASM_ONCE: results, coins and sites count from there */
	unsigned coins, sites;
	unsigned coin;    /* the last one, below ASM_COINS */
	bool away;        /* the value of the fill's chain is in `partner` */
	struct err *e;
};

struct regs {
	const char *d, *s, *b;
	unsigned k;
};

static bool
refuse(const struct maker *m, const char *why)
{
	return err_set(m->e, "%s cannot express %s of the probe %s: %s", m->isa->name,
		probe_op_name(m->code->insn[m->i].op), m->probe->name, why);
}

static uint32_t
text_of(struct asm_texts *t, const char *form, const struct regs *r)
{
	struct str s = {0};
	uint32_t at = 0;

	for (const char *p = form; *p; p++) {
		if (*p != '%' || !strchr("dsbkq", p[1]) || (p[1] == 'd' && !r->d)) {
			str_addc(&s, *p);
			continue;
		}
		switch (*++p) {
		case 'd': str_add(&s, r->d); break;
		case 's': str_add(&s, r->s); break;
		case 'b': str_add(&s, r->b); break;
		case 'k': str_addf(&s, "%u", r->k); break;
		case 'q': str_addf(&s, "%u", 63 - r->k); break;
		}
	}
	while (at < t->n && !str_eq(t->text[at], str_text(&s)))
		at++;
	if (at == t->n) {
		mem_grow(&t->text, &t->cap, t->n + 1, sizeof *t->text);
		t->text[t->n++] = str_take(&s);
	}
	str_free(&s);
	return at;
}

static void
put(struct maker *m, enum asm_part part, const char *form, const struct regs *r, enum asm_number number, uint32_t at)
{
	struct asm_pass *p = m->pass;

	mem_grow(&p->line, &p->cap, p->n + 1, sizeof *p->line);
	p->line[p->n++] = (struct asm_line){text_of(m->texts, form, r), at, (uint8_t)number, (uint8_t)part};
}

static bool
is_fp(enum probe_op op)
{
	return op == PROBE_FADD || op == PROBE_FMUL || op == PROBE_FMA || op == PROBE_FLOAD;
}

static const char *
result_of(const char *const *result, size_t i)
{
	size_t n = 0;

	while (n < ASM_RESULTS_MAX && result[n])
		n++;
	return result[i % n];
}

/* The registers of an instruction without regard to its place. */
static struct regs
regs_of(const struct maker *m, const struct probe_insn *insn)
{
	const struct asm_isa *isa = m->isa;
	bool fp = is_fp(insn->op);
	struct regs r = {.d = result_of(fp ? isa->fp_result : isa->result, m->in_part),
		.s = fp ? isa->fp_ready : isa->ready, .b = isa->ready};

	if (insn->chain)
		r.s = r.d = fp ? isa->fp_chain : m->away ? isa->partner : isa->chain[insn->chain];
	return r;
}

/* True if an instruction after this one, and before the next of this chain or line, asks for it. */
static bool
is_waited_for(const struct maker *m, unsigned chain)
{
	for (size_t i = m->i + 1; i < m->code->n; i++) {
		if (m->code->insn[i].place == PROBE_FAR && m->code->insn[i].chain == chain)
			return false;
		if (m->code->insn[i].after == chain)
			return true;
	}
	return false;
}

static bool
is_line_used(const struct maker *m)
{
	for (size_t i = m->i + 1; i < m->code->n; i++) {
		if (m->code->insn[i].place == PROBE_FAR || m->code->insn[i].place == PROBE_FRESH)
			return false;
		if (m->code->insn[i].place == PROBE_SAME)
			return true;
	}
	return false;
}

static bool
put_far(struct maker *m, const struct probe_insn *insn)
{
	struct regs r = {.d = m->isa->chain[insn->chain], .s = m->isa->chain[insn->chain]};

	if (insn->op != PROBE_LOAD || insn->chain == 0)
		return refuse(m, "only loads go through a chain of lines");
	if (is_line_used(m))
		put(m, ASM_ONCE, m->isa->keep, &r, ASM_NONE, 0);
	put(m, ASM_ONCE, m->isa->far, &r, ASM_NONE, 0);
	if (is_waited_for(m, insn->chain))
		put(m, ASM_ONCE, m->isa->wait, &r, ASM_NONE, 0);
	m->in_part = 0;
	m->sites = m->coins = 0;
	return true;
}

/* An access at an offset from a register. */
static bool
put_based(struct maker *m, enum asm_part part, const struct probe_insn *insn, struct regs r)
{
	const char *form = m->isa->based[insn->op];
	bool same = insn->place == PROBE_SAME || insn->place == PROBE_FRESH;
	char *fresh = NULL;

	if (!form)
		return refuse(m, "it has no address");
	if (insn->op == PROBE_ATOMIC && insn->offset)
		return refuse(m, "atomic operations take no offset");
	if (same)
		r.b = m->isa->line;
	else if (insn->after)
		r.b = m->isa->late;
	else
		r.b = r.d;
	if (same && insn->offset >= LINE)
		return refuse(m, "the offset is beyond the line");
	if (!same && !insn->after && insn->op == PROBE_FLOAD)
		return refuse(m, "the address of a load comes from no floating-point register; use load");
	if (insn->after && insn->chain && insn->op != PROBE_STORE)
		return refuse(m, "its address would wait for two chains");
	if (insn->after && m->away)
		return refuse(m, "copies of registers in a chain leave none for an address that waits");
	if (insn->place == PROBE_FRESH)
		form = fresh = str_format("%s\n\t%s", m->isa->fresh, form);
	put(m, part, form, &r, insn->op == PROBE_ATOMIC ? ASM_NONE : same ? ASM_PLAIN : ASM_BASED, insn->offset);
	free(fresh);
	return true;
}

static bool
put_access(struct maker *m, enum asm_part part, const struct probe_insn *insn)
{
	struct regs r = regs_of(m, insn);

	if (insn->offset % WORD)
		return refuse(m, "the offset of an access is a multiple of 8");
	if (insn->place != PROBE_NEAR || insn->after || (insn->chain && insn->op != PROBE_STORE))
		return put_based(m, part, insn, r);
	if (insn->op == PROBE_ATOMIC && insn->offset)
		return refuse(m, "atomic operations take no offset");
	put(m, part, m->isa->form[insn->op], &r, insn->op == PROBE_ATOMIC ? ASM_NONE : ASM_NEAR, insn->offset);
	return true;
}

static void
put_move(struct maker *m, enum asm_part part, const struct probe_insn *insn)
{
	struct regs r = regs_of(m, insn);

	/* A copy from a register to itself would be no copy, so two registers take turns. */
	if (insn->chain) {
		m->away = !m->away;
		r.d = m->away ? m->isa->partner : m->isa->chain[insn->chain];
	}
	put(m, part, m->isa->form[PROBE_MOVE], &r, ASM_NONE, 0);
}

static bool
put_jump(struct maker *m, enum asm_part part, const struct probe_insn *insn)
{
	static const struct regs none = {0};

	if (insn->offset == 0) {
		put(m, part, m->isa->form[PROBE_JUMP], &none, ASM_NONE, 0);
		return true;
	}
	if (insn->offset % 4 || insn->offset > m->isa->max_skip)
		return refuse(m, "it skips a multiple of 4 bytes, and not too many for a jump");
	put(m, part, m->isa->jump_skip, &none, ASM_PLAIN, insn->offset);
	return true;
}

/* A random bit for each site, which never changes. */
static unsigned
bit_of_site(uint64_t site)
{
	uint64_t z = (site + 1) * UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return (unsigned)(z >> 63);
}

static void
put_branch(struct maker *m, enum asm_part part, const struct probe_insn *insn)
{
	const char *form = m->isa->form[insn->op];
	char *toss = NULL;

	if (insn->op == PROBE_SITE)
		form = m->isa->site[bit_of_site(m->sites++)];
	if (insn->op == PROBE_COIN) {
		m->coin = m->coins++ % ASM_COINS;
		if (m->coin == 0)
			form = toss = str_format("%s\n\t%s", m->isa->toss, form);
	}
	put(m, part, form, &(struct regs){.k = m->coin}, ASM_NONE, 0);
	free(toss);
}

static bool
put_insn(struct maker *m, const struct probe_insn *insn)
{
	enum asm_part part = m->in_part < m->probe->prefill ? ASM_PREFILL : ASM_FILL;
	struct regs r;

	switch (insn->op) {
	case PROBE_NOP: case PROBE_ADD: case PROBE_MUL: case PROBE_FADD: case PROBE_FMUL: case PROBE_FMA:
		r = regs_of(m, insn);
		put(m, part, m->isa->form[insn->op], &r, ASM_NONE, 0);
		return true;
	case PROBE_MOVE:
		put_move(m, part, insn);
		return true;
	case PROBE_LOAD: case PROBE_FLOAD: case PROBE_STORE: case PROBE_ATOMIC:
		return put_access(m, part, insn);
	case PROBE_BRANCH: case PROBE_COIN: case PROBE_ECHO: case PROBE_SITE:
		put_branch(m, part, insn);
		return true;
	case PROBE_JUMP:
		return put_jump(m, part, insn);
	case PROBE_N_OPS:
		break;
	}
	return refuse(m, "it is not known");
}

bool
asm_pass_make(struct asm_pass *pass, struct asm_texts *texts, const struct asm_isa *isa, const struct probe *p,
	const struct probe_code *code, struct err *e)
{
	struct maker m = {.pass = pass, .texts = texts, .isa = isa, .probe = p, .code = code, .e = e};
	struct regs fill = {.d = isa->chain[FILL_CHAIN]};

	pass->n = 0;
	for (m.i = 0; m.i < code->n; m.i++) {
		const struct probe_insn *insn = &code->insn[m.i];

		if (insn->place == PROBE_FAR) {
			if (!put_far(&m, insn))
				return false;
		} else if (insn->place == PROBE_CHASE) {
			put(&m, ASM_FILL, isa->far, &fill, ASM_NONE, 0);
		} else {
			if (!put_insn(&m, insn))
				return false;
			m.in_part++;
		}
	}
	if (m.away)
		put(&m, ASM_ONCE, isa->home, &fill, ASM_NONE, 0);
	return true;
}

void
asm_pass_free(struct asm_pass *p)
{
	free(p->line);
	*p = (struct asm_pass){0};
}

void
asm_texts_free(struct asm_texts *t)
{
	for (size_t i = 0; i < t->n; i++)
		free(t->text[i]);
	free(t->text);
	*t = (struct asm_texts){0};
}
