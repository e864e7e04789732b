/* A body of a pass as a macro whose argument says how many of its lines are wanted.
 *
 * Lines that repeat after a period (the same texts, offsets that rise by the same step) are written once, in .rept.
 * Lines without a period, but of few texts, are a list of the numbers of texts. Others are all written. */
#include "base/str.h"
#include "core/probe/asm_isa.h"
#include "core/probe/asm_lines.h"

#define PERIOD_MAX 128
#define TEXTS_MAX 16
#define ROW 32

/* Near offsets start over. */
static uint32_t
mask_of(const struct asm_isa *isa, const struct asm_line *l)
{
	if (l->number == ASM_PLAIN)
		return UINT32_MAX;
	return l->number == ASM_BASED ? isa->reach - 1 : PROBE_NEAR_BYTES - 1;
}

/* The number of a line: at, or `at` + a symbol where `moves`. */
static void
asm_macro_add_number(const struct asm_isa *isa, const struct asm_line *l, bool moves, struct str *out)
{
	uint32_t mask = mask_of(isa, l);
	int bias = l->number == ASM_BASED ? isa->bias : 0;

	if (!moves)
		str_addf(out, "%ld", (long)l->at - bias);
	else if (bias)
		str_addf(out, "(((at+%u)&%u)-%d)", l->at, mask, bias);
	else
		str_addf(out, "((at+%u)&%u)", l->at, mask);
}

static void
asm_macro_add_line(const struct asm_isa *isa, const struct asm_texts *texts, const struct asm_line *line, bool moves,
	struct str *out)
{
	str_addc(out, '\t');
	for (const char *p = texts->text[line->text]; *p; p++) {
		if (*p == '%' && p[1] == 'o') {
			asm_macro_add_number(isa, line, moves, out);
			p++;
		} else {
			str_addc(out, *p);
		}
	}
	str_addc(out, '\n');
}

void
asm_line_write(const struct asm_isa *isa, const struct asm_texts *t, const struct asm_line *l, struct str *out)
{
	asm_macro_add_line(isa, t, l, false, out);
}

/* The shortest period, and by how much numbers rise in each; 0: there is none. */
static size_t
period_of(const struct asm_isa *isa, const struct asm_line *line, size_t n, uint32_t *step)
{
	for (size_t p = 1; p <= PERIOD_MAX && 2 * p <= n; p++) {
		bool good = true, known = false;

		*step = 0;
		for (size_t i = 0; i + p < n && good; i++) {
			good = line[i].text == line[i + p].text && line[i].number == line[i + p].number;
			if (!good || line[i].number == ASM_NONE)
				continue;
			if (!known)
				*step = (line[i + p].at - line[i].at) & mask_of(isa, &line[i]);
			known = true;
			good = ((line[i + p].at - line[i].at) & mask_of(isa, &line[i])) == *step;
		}
		if (good)
			return p;
	}
	return 0;
}

static void
write_periodic(const struct asm_isa *isa, const struct asm_texts *texts, const struct asm_line *line, size_t period,
	uint32_t step, struct str *out)
{
	if (step)
		str_add(out, "\t.set\tat, 0\n");
	if (period == 1)
		str_add(out, "\t.rept\t\\n\n");
	else
		str_addf(out, "\t.rept\t(\\n) / %zu\n", period);
	for (size_t i = 0; i < period; i++)
		asm_macro_add_line(isa, texts, &line[i], step, out);
	if (step)
		str_addf(out, "\t.set\tat, at + %u\n", step);
	str_add(out, "\t.endr\n");
	for (size_t i = 0; i + 1 < period; i++) {
		str_addf(out, "\t.if\t(\\n) %% %zu > %zu\n", period, i);
		asm_macro_add_line(isa, texts, &line[i], step, out);
		str_add(out, "\t.endif\n");
	}
}

/* One macro for each text, and the list of which comes when. */
static void
write_list(const char *name, const struct asm_line *l, size_t n, struct str *out)
{
	str_add(out, "\t.set\tleft, \\n\n");
	for (size_t i = 0; i < n; i++) {
		if (i % ROW == 0)
			str_add(out, "\t.irp\tk, ");
		str_addf(out, "%u%s", l[i].text, i + 1 < n && i % ROW + 1 < ROW ? "," : "\n");
		if (i + 1 == n || i % ROW + 1 == ROW)
			str_addf(out, "\t.if\tleft > 0\n\t%s_\\k\n\t.set\tleft, left - 1\n\t.endif\n\t.endr\n", name);
	}
}

static bool
asm_macro_is_list(const struct asm_line *line, size_t n, bool *occurs, size_t n_texts)
{
	size_t different = 0;

	for (size_t i = 0; i < n_texts; i++)
		occurs[i] = false;
	for (size_t i = 0; i < n; i++) {
		if (line[i].number != ASM_NONE || line[i].text >= n_texts)
			return false;
		different += !occurs[line[i].text];
		occurs[line[i].text] = true;
	}
	return different <= TEXTS_MAX;
}

void
asm_macro_write(const struct asm_isa *isa, const struct asm_texts *texts, const char *name, const struct asm_line *l,
	size_t n, struct str *out)
{
	bool occurs[4 * TEXTS_MAX];
	size_t n_texts = texts->n < sizeof occurs / sizeof *occurs ? texts->n : sizeof occurs / sizeof *occurs;
	uint32_t step = 0;
	size_t period = period_of(isa, l, n, &step);
	bool list = period == 0 && n > 1 && asm_macro_is_list(l, n, occurs, n_texts);

	for (size_t i = 0; i < n_texts && list; i++) {
		if (!occurs[i])
			continue;
		str_addf(out, "\t.macro %s_%zu\n", name, i);
		asm_macro_add_line(isa, texts, &(struct asm_line){.text = (uint32_t)i}, false, out);
		str_add(out, "\t.endm\n");
	}
	str_addf(out, "\t.macro %s n\n", name);
	if (period) {
		write_periodic(isa, texts, l, period, step, out);
	} else if (list) {
		write_list(name, l, n, out);
	} else {
		for (size_t i = 0; i < n; i++) {
			str_addf(out, "\t.if\t\\n > %zu\n", i);
			asm_macro_add_line(isa, texts, &l[i], false, out);
			str_add(out, "\t.endif\n");
		}
	}
	str_add(out, "\t.endm\n\n");
}
