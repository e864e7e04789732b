#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/probe/asm_isa.h"
#include "core/probe/asm_lines.h"

#define WORD 8
#define INSTRUCTION 4

/* State between the instructions of a pass. */
struct maker {
	struct asm_pass *pass;
	struct asm_texts *texts;
	const struct asm_isa *isa;
	const struct probe *probe;
	const struct probe_fill *fill;
	const struct probe_code *code;
	size_t i;          /* instruction */
	size_t in_part;    /* instructions since the last load of `block` */
	size_t head, body; /* how many instructions each of them has */
	unsigned coins, sites;
	unsigned coin;     /* the last one, below ASM_COINS */
	bool away;         /* the value of the fill's chain is in `partner` */
	bool goes_far;     /* the fill's chain goes through far lines */
	bool needs_zero;   /* an access waits for `zero_of` the fill's chain */
	bool keeps_line;   /* there is a PROBE_SAME */
	bool moves;        /* there are moves in the chain */
	uint64_t bytes;    /* of code, where instructions have four each */
	struct str form;   /* of the instruction at hand */
	struct err *e;
};

struct regs {
	const char *d, *s, *b;
	unsigned k;
};

static bool
asm_pass_refuse(const struct maker *m, const char *why)
{
	return err_set(m->e, "%s cannot express '%s' of the probe %s: %s", m->isa->name,
		probe_op_name(m->code->insn[m->i].op), m->probe->name, why);
}

/* Adds a form with its registers; %o stays. */
static void
add_form(struct str *out, const char *form, const struct regs *regs)
{
	if (out->n)
		str_add(out, "\n\t");
	for (const char *p = form; *p; p++) {
		if (*p != '%' || !strchr("dsbkq", p[1])) {
			str_addc(out, *p);
			continue;
		}
		switch (*++p) {
		case 'd': str_add(out, regs->d); break;
		case 's': str_add(out, regs->s); break;
		case 'b': str_add(out, regs->b); break;
		case 'k': str_addf(out, "%u", regs->k); break;
		case 'q': str_addf(out, "%u", 63 - regs->k); break;
		}
	}
}

static uint32_t
asm_pass_text_of(struct asm_texts *t, const char *text)
{
	uint32_t at = 0;

	while (at < t->n && !str_eq(t->text[at], text))
		at++;
	if (at == t->n) {
		mem_grow(&t->text, &t->cap, t->n + 1, sizeof *t->text);
		t->text[t->n++] = mem_str(text);
	}
	return at;
}

/* Makes the form at hand a line. */
static void
asm_pass_put(struct maker *m, enum asm_part part, enum asm_number number, uint32_t at)
{
	struct asm_pass *p = m->pass;

	m->bytes += INSTRUCTION;
	for (const char *c = str_text(&m->form); *c; c++)
		m->bytes += *c == '\n' ? INSTRUCTION : 0;
	mem_grow(&p->line, &p->cap, p->n + 1, sizeof *p->line);
	p->line[p->n++] = (struct asm_line){
		asm_pass_text_of(m->texts, str_text(&m->form)), at, (uint8_t)number, (uint8_t)part};
	str_clear(&m->form);
}

static bool
asm_pass_is_fp(enum probe_op op)
{
	return op == PROBE_FADD || op == PROBE_FMUL || op == PROBE_FDIV || op == PROBE_FMA || op == PROBE_FLOAD;
}

/* The register of a chain; of none, what is always ready. */
static const char *
chain_of(const struct maker *m, unsigned chain, bool fp)
{
	if (chain == 0)
		return fp ? m->isa->fp_ready : m->isa->ready;
	if (fp)
		return m->isa->fp_chain;
	return chain == PROBE_FILL_CHAIN && m->away ? m->isa->partner : m->isa->chain[chain];
}

/* The register of a result. */
static const char *
result_of(const struct maker *m, const struct probe_insn *insn)
{
	bool fp = asm_pass_is_fp(insn->op);
	const char *const *result = fp ? m->isa->fp_result : m->isa->result;
	size_t n = 0;

	while (n < ASM_RESULTS_MAX && result[n])
		n++;
	return insn->chain ? chain_of(m, insn->chain, fp) : result[m->in_part % n];
}

/* The chain for which the address waits. */
static unsigned
address_chain(const struct probe_insn *insn)
{
	return insn->op == PROBE_STORE ? insn->after : insn->from;
}

/* True where the chain's register is a near pointer, so that it can be the base of this access. */
static bool
is_base(const struct maker *m, const struct probe_insn *insn)
{
	return insn->place == PROBE_NEAR && !m->goes_far;
}

static enum asm_part
asm_pass_part_of(const struct maker *m)
{
	bool last = m->in_part + 1 == m->head + m->body;

	if (m->in_part < m->head)
		return ASM_HEAD;
	if (m->in_part >= m->head + m->body)
		return ASM_TAIL;
	/* The last one of a wave is not like the others, wherever it is. */
	return last && m->fill->link == PROBE_WAVES && m->fill->tail.n == 0 ? ASM_ONCE : ASM_BODY;
}

/* After the chain of the fill was written. */
static void
add_zero_of(struct maker *m, const struct probe_insn *insn)
{
	if (insn->chain == PROBE_FILL_CHAIN && m->needs_zero && !asm_pass_is_fp(insn->op))
		add_form(&m->form, m->isa->zero_of, &(struct regs){.s = chain_of(m, PROBE_FILL_CHAIN, false)});
}

static bool
put_far(struct maker *maker, enum asm_part part, const struct probe_insn *insn)
{
	struct regs r = {.d = maker->isa->chain[insn->chain], .s = maker->isa->chain[insn->chain]};

	if (insn->op != PROBE_LOAD || insn->chain == 0 || insn->chain != insn->from || maker->away)
		return asm_pass_refuse(maker, "only loads go through a chain of lines");
	if (maker->keeps_line)
		add_form(&maker->form, maker->isa->keep, &r);
	add_form(&maker->form, maker->isa->far, &r);
	add_zero_of(maker, insn);
	asm_pass_put(maker, part, ASM_NONE, 0);
	return true;
}

/* Words are accessed, and an offset within one is that of the word. Lines that no cache has are accessed at their
 * beginning, or where `same` wants it. */
static uint32_t
offset_of(const struct probe_insn *insn)
{
	return insn->place == PROBE_FRESH ? 0 : insn->offset / WORD * WORD;
}

/* What the instruction set, or the runner's memory, has no way for. */
static const char *
why_no_access(const struct maker *m, const struct probe_insn *insn)
{
	if (insn->op == PROBE_ATOMIC && offset_of(insn))
		return "atomic operations take no offset";
	if (insn->op == PROBE_FLOAD && insn->chain)
		return "what it loads is an address, and no number for a chain of floating-point results; use load";
	if (m->moves && address_chain(insn) == PROBE_ASIDE_CHAIN &&
		str_eq(m->isa->partner, m->isa->chain[PROBE_ASIDE_CHAIN]))
		return "copies in a chain leave no register for an address that waits";
	return NULL;
}

/* The base register, after what it needs. */
static const char *
add_base(struct maker *maker, const struct probe_insn *insn)
{
	unsigned wait = address_chain(insn);
	struct regs r = {.s = chain_of(maker, wait, false),
		.b = insn->place == PROBE_NEAR ? maker->isa->ready : maker->isa->line};

	if (insn->place == PROBE_FRESH)
		add_form(&maker->form, maker->isa->fresh, &r);
	if (wait == 0)
		return r.b;
	if (is_base(maker, insn))
		return r.s;
	add_form(&maker->form, wait == PROBE_FILL_CHAIN ? maker->isa->sum : maker->isa->sum_of, &r);
	return maker->isa->spare;
}

static bool
put_access(struct maker *maker, enum asm_part part, const struct probe_insn *insn)
{
	bool has_result = insn->op == PROBE_LOAD || insn->op == PROBE_FLOAD || insn->op == PROBE_ATOMIC;
	bool direct = !insn->chain || is_base(maker, insn);
	enum asm_number number = insn->place == PROBE_NEAR ? ASM_NEAR : ASM_PLAIN;
	const char *why = why_no_access(maker, insn);
	struct regs r = {.s = chain_of(maker, insn->from, false)};

	if (why)
		return asm_pass_refuse(maker, why);
	r.d = !has_result || direct ? result_of(maker, insn) : maker->isa->spare;
	r.b = add_base(maker, insn);
	if (insn->place == PROBE_NEAR && address_chain(insn) == 0) {
		add_form(&maker->form, maker->isa->form[insn->op], &r);
	} else {
		bool apart = insn->op == PROBE_ATOMIC && maker->isa->apart[insn->op] && !str_eq(r.d, r.b);

		add_form(&maker->form, apart ? maker->isa->apart[insn->op] : maker->isa->based[insn->op], &r);
		number = insn->place == PROBE_NEAR ? ASM_BASED : ASM_PLAIN;
	}
	if (has_result && !direct)
		add_form(&maker->form, maker->isa->join, &(struct regs){.d = chain_of(maker, insn->chain, false)});
	if (has_result)
		add_zero_of(maker, insn);
	asm_pass_put(maker, part, insn->op == PROBE_ATOMIC ? ASM_NONE : number,
		offset_of(insn) % (number == ASM_BASED ? maker->isa->reach : PROBE_NEAR_BYTES));
	return true;
}

static void
put_computation(struct maker *maker, enum asm_part part, const struct probe_insn *insn)
{
	struct regs r = {.d = result_of(maker, insn), .s = chain_of(maker, insn->from, asm_pass_is_fp(insn->op))};
	const char *form = maker->isa->form[insn->op];

	/* A copy from a register to itself would be no copy, so two registers take turns. */
	if (insn->op == PROBE_MOVE && insn->chain == PROBE_FILL_CHAIN) {
		maker->away = !maker->away;
		r.d = chain_of(maker, PROBE_FILL_CHAIN, false);
	}
	if (!str_eq(r.d, r.s) && maker->isa->apart[insn->op])
		form = maker->isa->apart[insn->op];
	add_form(&maker->form, form, &r);
	add_zero_of(maker, insn);
	asm_pass_put(maker, part, ASM_NONE, 0);
}

static bool
put_jump(struct maker *m, enum asm_part part, const struct probe_insn *insn)
{
	static const struct regs none = {0};

	if (insn->offset % 4 || insn->offset > m->isa->max_skip)
		return asm_pass_refuse(m, "it skips a multiple of 4 bytes, and not too many for a jump");
	add_form(&m->form, insn->offset ? m->isa->jump_skip : m->isa->form[PROBE_JUMP], &none);
	m->bytes += insn->offset;
	asm_pass_put(m, part, insn->offset ? ASM_PLAIN : ASM_NONE, insn->offset);
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
put_branch(struct maker *maker, enum asm_part part, const struct probe_insn *insn)
{
	struct regs r = {0};

	if (insn->op == PROBE_COIN) {
		maker->coin = maker->coins++ % ASM_COINS;
		if (maker->coin == 0)
			add_form(&maker->form, maker->isa->toss, &r);
	}
	r.k = maker->coin;
	add_form(&maker->form,
		insn->op == PROBE_SITE ? maker->isa->site[bit_of_site(maker->sites++)] : maker->isa->form[insn->op],
		&r);
	asm_pass_put(maker, part, ASM_NONE, 0);
}

static bool
put_insn(struct maker *maker, const struct probe_insn *insn)
{
	enum asm_part part = asm_pass_part_of(maker);

	maker->moves |= insn->op == PROBE_MOVE && insn->chain;
	if (insn->place == PROBE_FAR)
		return put_far(maker, part, insn);
	switch (insn->op) {
	case PROBE_NOP: case PROBE_ADD: case PROBE_MUL: case PROBE_DIV: case PROBE_MOVE:
	case PROBE_FADD: case PROBE_FMUL: case PROBE_FDIV: case PROBE_FMA:
		put_computation(maker, part, insn);
		return true;
	case PROBE_LOAD: case PROBE_FLOAD: case PROBE_STORE: case PROBE_ATOMIC: case PROBE_PREFETCH:
		return put_access(maker, part, insn);
	case PROBE_BRANCH: case PROBE_COIN: case PROBE_ECHO: case PROBE_SITE:
		put_branch(maker, part, insn);
		return true;
	case PROBE_JUMP:
		return put_jump(maker, part, insn);
	case PROBE_CALL: case PROBE_RETURN: /* of simulated cores */
	case PROBE_N_OPS:
		break;
	}
	return asm_pass_refuse(maker, "it is not known");
}

/* Instructions that probe_code_write() makes of one: a late store has one more. */
static unsigned
written(const struct probe_fill *f, enum probe_op op)
{
	return f->late && op == PROBE_STORE ? 2 : 1;
}

/* What the pass as a whole has. */
static void
survey(struct maker *maker, uint64_t x)
{
	unsigned turn = 0, i = 0;

	for (size_t k = 0; k < maker->code->n; k++) {
		const struct probe_insn *insn = &maker->code->insn[k];

		maker->goes_far |= insn->place == PROBE_FAR && insn->chain == PROBE_FILL_CHAIN;
		maker->keeps_line |= insn->place == PROBE_SAME;
	}
	for (size_t k = 0; k < maker->code->n; k++) {
		const struct probe_insn *insn = &maker->code->insn[k];

		maker->needs_zero |= probe_op_is_access(insn->op) && insn->place != PROBE_FAR &&
			insn->place != PROBE_CHASE && address_chain(insn) == PROBE_FILL_CHAIN && !is_base(maker, insn);
	}
	for (unsigned k = 0; k < maker->fill->head.n; k++)
		maker->head += maker->fill->head.step[k].count * written(maker->fill, maker->fill->head.step[k].op);
	for (unsigned k = 0; k < maker->fill->body.n; k++)
		turn += maker->fill->body.step[k].count;
	for (uint64_t k = maker->fill->stride_is_x ? (uint64_t)PROBE_TURNS * turn : x, of_step = 0; k; k--) {
		const struct probe_step *step = &maker->fill->body.step[i];

		maker->body += written(maker->fill, step->op);
		if (++of_step == step->count) {
			of_step = 0;
			i = i + 1 == maker->fill->body.n ? 0 : i + 1;
		}
	}
}

bool
asm_pass_make(struct asm_pass *pass, struct asm_texts *texts, const struct asm_isa *isa, const struct probe *probe,
	const struct probe_fill *fill, const struct probe_code *code, uint64_t x, struct err *e)
{
	struct maker m = {.pass = pass, .texts = texts, .isa = isa, .probe = probe, .fill = fill, .code = code, .e = e};
	struct regs r = {.d = isa->chain[PROBE_FILL_CHAIN], .s = isa->chain[PROBE_FILL_CHAIN]};
	bool good = true;

	pass->n = 0;
	if (!probe->footprint)
		survey(&m, x);
	if (m.needs_zero) {
		add_form(&m.form, isa->zero_of, &r);
		asm_pass_put(&m, ASM_ONCE, ASM_NONE, 0);
	}
	for (m.i = 0; m.i < code->n && good; m.i++) {
		const struct probe_insn *insn = &code->insn[m.i];

		if (insn->place == PROBE_CHASE) {
			add_form(&m.form, isa->far, &r);
			asm_pass_put(&m, ASM_ONCE, ASM_NONE, 0);
		} else if (insn->place == PROBE_FAR && insn->chain < PROBE_FILL_CHAIN) {
			good = put_far(&m, ASM_ONCE, insn);
			m.in_part = 0;
			m.sites = m.coins = 0;
		} else {
			good = put_insn(&m, insn);
			m.in_part++;
		}
		if (good && isa->max_pass && m.bytes > isa->max_pass)
			good = asm_pass_refuse(&m, "the pass is longer than its loop can jump");
	}
	if (m.away) {
		add_form(&m.form, isa->home, &r);
		asm_pass_put(&m, ASM_ONCE, ASM_NONE, 0);
	}
	pass->goes_far = m.goes_far;
	pass->has_coins = m.coins > 0;
	str_free(&m.form);
	return good;
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
