/* The file of a probe. The longest pass gives the macros of its bodies and the shape of a pass: its lines, and which
 * bodies stand between them with how many lines. Where the pass of another x has the same shape, it is one line. */
#include "core/probe/asm.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/probe/asm_isa.h"
#include "core/probe/asm_lines.h"

#define SHAPE_MAX 32
#define ROW 16

static const struct asm_isa *const isas[] = {&asm_riscv64, &asm_aarch64, &asm_x86_64};

#define N_ISAS (sizeof isas / sizeof *isas)

/* A line, or a body of so many lines. */
struct piece {
	enum asm_part part;
	size_t from, n;
};

struct shape {
	struct piece piece[SHAPE_MAX];
	size_t n;
	bool good; /* false: it has more pieces */
};

/* One of the two sides of a probe: the fill, or `against`. */
struct side {
	const char *name;              /* of its functions */
	const struct probe_fill *fill;
	struct asm_pass longest;
	struct shape shape;
	uint64_t last;                 /* x of the longest */
	bool proportional;             /* a body has so many lines for each x; else one more for each x */
};

struct writer {
	const struct asm_isa *isa;
	const struct probe *probe;
	struct asm_texts texts;
	struct probe_code code;
	struct asm_pass pass; /* the one at hand */
	bool fresh, goes_far, coins; /* what passes have: PROBE_FRESH, a chain of far lines, PROBE_COIN */
	struct str *out;
	struct err *e;
};

const struct asm_isa *
probe_asm_isa(const char *name, struct err *e)
{
	for (size_t i = 0; i < N_ISAS; i++)
		if (str_eq(isas[i]->name, name))
			return isas[i];
	err_set(e, "no instruction set '%s'", name);
	err_hint(e, "--isa is riscv64, aarch64 or x86_64");
	return NULL;
}

const char *
probe_asm_isa_name(const struct asm_isa *isa)
{
	return isa->name;
}

const char *
probe_asm_cross(const struct asm_isa *isa)
{
	return isa->cross;
}

bool
probe_asm_runs_bare(const struct asm_isa *isa)
{
	return isa->bare;
}

static struct shape
shape_of(const struct asm_pass *pass)
{
	struct shape s = {.good = true};

	for (size_t i = 0; i < pass->n;) {
		struct piece piece = {.part = pass->line[i].part, .from = i, .n = 1};

		while (piece.part != ASM_ONCE && i + piece.n < pass->n && pass->line[i + piece.n].part == piece.part)
			piece.n++;
		i += piece.n;
		if (s.n == SHAPE_MAX) {
			s.good = false;
			return s;
		}
		s.piece[s.n++] = piece;
	}
	return s;
}

static bool
same_lines(const struct asm_line *a, const struct asm_line *b, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (a[i].text != b[i].text || a[i].at != b[i].at || a[i].number != b[i].number)
			return false;
	return true;
}

/* The first piece of this part, from which its macro is made. */
static const struct piece *
model_of(const struct shape *s, enum asm_part part)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->piece[i].part == part)
			return &s->piece[i];
	return NULL;
}

/* How many lines the body of the longest pass has at x. */
static size_t
body_lines(const struct side *side, size_t n, uint64_t x)
{
	return side->proportional ? (size_t)(n * x / side->last) : (size_t)(n - (side->last - x));
}

/* Returns true when the shape's macros give the lines of this pass at x. */
static bool
asm_fits(const struct side *side, const struct asm_pass *pass, uint64_t x)
{
	const struct shape *shape = &side->shape;
	struct shape own = shape_of(pass);

	if (!shape->good || !own.good || own.n != shape->n)
		return false;
	for (size_t i = 0; i < shape->n; i++) {
		const struct piece *a = &shape->piece[i], *b = &own.piece[i];
		const struct piece *model = a->part == ASM_ONCE ? a : model_of(shape, a->part);
		size_t n = a->part == ASM_BODY ? body_lines(side, a->n, x) : a->n;

		if (a->part != b->part || b->n != n || n > model->n ||
			!same_lines(side->longest.line + model->from, pass->line + b->from, n))
			return false;
	}
	return true;
}

static bool
make_pass(struct writer *w, const struct probe_fill *fill, uint64_t x, struct asm_pass *out)
{
	probe_code_write(&w->code, w->probe, fill, x);
	for (size_t i = 0; i < w->code.n; i++)
		w->fresh |= w->code.insn[i].place == PROBE_FRESH;
	if (!asm_pass_make(out, &w->texts, w->isa, w->probe, fill, &w->code, x, w->e))
		return false;
	w->goes_far |= out->goes_far;
	w->coins |= out->has_coins;
	return true;
}

/* The last x that is measured. */
static uint64_t
last_x(const struct probe *p)
{
	uint64_t x = p->first;

	while (probe_next_x(p, x) <= p->last)
		x = probe_next_x(p, x);
	return x;
}

/* Macros of the bodies, and of the whole pass. */
static void
write_macros(struct writer *writer, const struct side *side)
{
	static const char *const part_name[ASM_N_PARTS] = {"", "head", "body", "tail"};

	for (int part = ASM_HEAD; part < ASM_N_PARTS; part++) {
		const struct piece *model = model_of(&side->shape, (enum asm_part)part);
		char *name = str_format("%s_%s", side->name, part_name[part]);

		if (model)
			asm_macro_write(writer->isa, &writer->texts, name, side->longest.line + model->from, model->n,
				writer->out);
		free(name);
	}
	str_addf(writer->out, "\t.macro %s x\n\tbegin\t%s_\\x\n", side->name, side->name);
	for (size_t i = 0; i < side->shape.n; i++) {
		const struct piece *piece = &side->shape.piece[i];

		if (piece->part == ASM_ONCE)
			asm_line_write(writer->isa, &writer->texts, side->longest.line + piece->from, writer->out);
		else if (piece->part != ASM_BODY)
			str_addf(writer->out, "\t%s_%s %zu\n", side->name, part_name[piece->part], piece->n);
		else if (piece->n == side->last)
			str_addf(writer->out, "\t%s_body \\x\n", side->name);
		else if (side->proportional)
			str_addf(writer->out, "\t%s_body (\\x * %zu / %llu)\n", side->name, piece->n,
				(unsigned long long)side->last);
		else
			str_addf(writer->out, "\t%s_body (\\x %c %llu)\n", side->name,
				piece->n > side->last ? '+' : '-',
				(unsigned long long)(piece->n > side->last ? piece->n - side->last
									   : side->last - piece->n));
	}
	str_add(writer->out, "\tend\n\t.endm\n\n");
}

/* A pass of another shape: macros of its own for its bodies. */
static void
write_whole(struct writer *writer, const struct side *side, uint64_t x)
{
	struct shape s = shape_of(&writer->pass);
	struct str pass = {0};

	str_addf(&pass, "\tbegin\t%s_%llu\n", side->name, (unsigned long long)x);
	for (size_t i = 0; i < s.n && s.good; i++) {
		char *name = str_format("%s_%llu_part_%zu", side->name, (unsigned long long)x, i);

		if (s.piece[i].part == ASM_ONCE) {
			asm_line_write(writer->isa, &writer->texts, &writer->pass.line[s.piece[i].from], &pass);
		} else {
			asm_macro_write(writer->isa, &writer->texts, name, &writer->pass.line[s.piece[i].from],
				s.piece[i].n, writer->out);
			str_addf(&pass, "\t%s %zu\n", name, s.piece[i].n);
		}
		free(name);
	}
	for (size_t i = 0; i < writer->pass.n && !s.good; i++)
		asm_line_write(writer->isa, &writer->texts, &writer->pass.line[i], &pass);
	str_addf(writer->out, "%s\tend\n\n", str_text(&pass));
	str_free(&pass);
}

/* "\t.irp\tx, 1,2,3 …" in rows, each with the line `what`. */
struct rows {
	const char *what;
	size_t n;
	struct str *out;
};

static void
rows_end(struct rows *r)
{
	if (r->n % ROW)
		str_addf(r->out, "\n\t%s\n\t.endr\n", r->what);
	r->n = 0;
}

static void
rows_add(struct rows *r, uint64_t x)
{
	str_addf(r->out, "%s%llu", r->n % ROW ? "," : "\t.irp\tx, ", (unsigned long long)x);
	if (++r->n % ROW == 0)
		str_addf(r->out, "\n\t%s\n\t.endr\n", r->what);
}

/* Number of lines of the first body. */
static size_t
body_of(const struct shape *s)
{
	const struct piece *p = model_of(s, ASM_BODY);

	return p ? p->n : 0;
}

/* Makes the longest pass, its shape, and how the body grows with x. */
static bool
survey(struct writer *writer, struct side *side)
{
	uint64_t first = writer->probe->first;
	struct shape shortest;

	side->last = last_x(writer->probe);
	if (!make_pass(writer, side->fill, first, &writer->pass) ||
		!make_pass(writer, side->fill, side->last, &side->longest))
		return false;
	side->shape = shape_of(&side->longest);
	shortest = shape_of(&writer->pass);
	side->proportional = body_of(&side->shape) - body_of(&shortest) != side->last - first &&
		body_of(&side->shape) * first == body_of(&shortest) * side->last;
	return true;
}

/* The functions of one side. */
static bool
write_side(struct writer *writer, struct side *side)
{
	const struct probe *probe = writer->probe;
	char *call = str_format("%s\t\\x", side->name);
	struct rows rows = {.what = call, .out = writer->out};
	bool good = survey(writer, side), named = false;

	for (uint64_t x = probe->first; x <= probe->last && good; x = probe_next_x(probe, x)) {
		good = make_pass(writer, side->fill, x, &writer->pass);
		if (good && asm_fits(side, &writer->pass, x)) {
			if (!named)
				write_macros(writer, side);
			named = true;
			rows_add(&rows, x);
		} else if (good) {
			rows_end(&rows);
			write_whole(writer, side, x);
		}
	}
	rows_end(&rows);
	free(call);
	asm_pass_free(&side->longest);
	return good;
}

/* A footprint has one function for all x: a row of its loads. */
static bool
write_chase(struct writer *w)
{
	if (!make_pass(w, &w->probe->fill, w->probe->first, &w->pass))
		return false;
	str_addf(w->out, "\tbegin\tchase\n\t.rept\t%d\n", ASM_UNROLLED);
	for (size_t i = 0; i < w->pass.n; i++)
		asm_line_write(w->isa, &w->texts, &w->pass.line[i], w->out);
	str_add(w->out, "\t.endr\n\tend\n");
	return true;
}

static void
asm_write_text(struct str *out, const char *label, const char *text)
{
	str_addf(out, "%s:\n\t.asciz\t\"", label);
	for (const char *p = text; *p; p++) {
		if (*p == '"' || *p == '\\' || (unsigned char)*p < ' ' || (unsigned char)*p > '~')
			str_addf(out, "\\%03o", (unsigned)(unsigned char)*p);
		else
			str_addc(out, *p);
	}
	str_add(out, "\"\n");
}

/* What the runner reads: struct probe and struct probe_point of runner.h. */
static void
write_table(struct writer *writer)
{
	const struct probe *probe = writer->probe;
	struct rows rows = {.what = probe->footprint ? ".quad\t\\x, chase, 0" : probe_is_pair(probe) ?
		".quad\t\\x, fill_\\x, against_\\x" : ".quad\t\\x, fill_\\x, 0", .out = writer->out};
	bool divides = probe_pair_value(probe, 1, 1) > 0; /* else it subtracts */
	uint64_t n = 0;

	for (uint64_t x = probe->first; x <= probe->last; x = probe_next_x(probe, x))
		n++;
	str_add(writer->out, "\n\t.data\n\t.p2align 3\n\t.globl\thecate_probe\nhecate_probe:\n");
	str_addf(writer->out, "\t.quad\tname, measures, isa, points, %llu\n", (unsigned long long)n);
	str_addf(writer->out, "\t.quad\t%d, %d, %d, %d, %d, %d\t/* block, far, fresh, coins, ratio, small pages */\n",
		probe->block, writer->goes_far, writer->fresh, writer->coins, divides, probe->small_pages);
	str_addf(writer->out, "\t.quad\t%d, %d, %u, %d, %d\t/* footprint, sequential, stride, unrolled, bias */\n",
		probe->footprint, probe->sequential, probe->stride, probe->footprint ? ASM_UNROLLED : 1,
		writer->isa->bias);
	str_add(writer->out, "points:\n");
	for (uint64_t x = probe->first; x <= probe->last; x = probe_next_x(probe, x))
		rows_add(&rows, x);
	rows_end(&rows);
	asm_write_text(writer->out, "name", probe->name);
	asm_write_text(writer->out, "measures", probe->text);
	asm_write_text(writer->out, "isa", writer->isa->name);
	str_add(writer->out, "\t.section .note.GNU-stack, \"\", %progbits\n");
}

bool
probe_asm_write(const struct asm_isa *isa, const struct probe *probe, struct str *out, struct err *e)
{
	struct writer w = {.isa = isa, .probe = probe, .out = out, .e = e};
	struct side fill = {.name = "fill", .fill = &probe->fill},
		    against = {.name = "against", .fill = &probe->against};
	bool good;

	if (probe->needs_sim && (probe->footprint || probe_has_calls(probe)))
		return err_set(e, "the probe %s is for a simulated core alone", probe->name);
	str_addf(out, "/* A probe of hecate for %s; runner.c runs it. fill_X is a pass at pressure X%s. */\n",
		isa->name, probe_is_pair(probe) ? ", against_X what it is compared with" : "");
	str_add(out, isa->head);
	str_add(out, "\n\t.text\n");
	if (probe->footprint)
		good = write_chase(&w);
	else
		good = write_side(&w, &fill) && (!probe_is_pair(probe) || write_side(&w, &against));
	if (good)
		write_table(&w);
	asm_texts_free(&w.texts);
	asm_pass_free(&w.pass);
	probe_code_free(&w.code);
	return good;
}
