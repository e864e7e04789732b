/* The lines of a pass in an instruction set, and how they are written. Private to core/probe/. */
#ifndef CORE_PROBE_ASM_LINES_H
#define CORE_PROBE_ASM_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct asm_isa;
struct err;
struct probe;
struct probe_code;
struct probe_fill;
struct str;

/* What the number in a line is, if it has one. */
enum asm_number {
	ASM_NONE,
	ASM_NEAR,  /* an offset in the near region */
	ASM_BASED, /* an offset from a register that points to the near region */
	ASM_PLAIN,
};

/* Where in a pass a line is: once, or in the head, body or tail of the fill. */
enum asm_part { ASM_ONCE, ASM_HEAD, ASM_BODY, ASM_TAIL, ASM_N_PARTS };

/* One instruction, or several if the instruction set has no single one for it. In its text, %o stands for the number.
 */
struct asm_line {
	uint32_t text; /* index into the texts */
	uint32_t at;
	uint8_t number, part;
};

/* The distinct texts of lines. */
struct asm_texts {
	char **text;
	size_t n, cap;
};

struct asm_pass {
	struct asm_line *line; /* n */
	size_t n, cap;
	bool goes_far;  /* the chain of the fill goes through lines that no cache has */
	bool has_coins;
};

/* Makes the lines of the pass at x. Returns false and sets *e if the instruction set cannot express it. */
bool asm_pass_make(struct asm_pass *, struct asm_texts *, const struct asm_isa *, const struct probe *,
	const struct probe_fill *, const struct probe_code *, uint64_t x, struct err *e);
void asm_pass_free(struct asm_pass *);
void asm_texts_free(struct asm_texts *);

/* Writes one line, outside a macro. */
void asm_line_write(const struct asm_isa *, const struct asm_texts *, const struct asm_line *, struct str *out);
/* Writes a macro `name` whose argument n gives the first n of these lines. */
void asm_macro_write(const struct asm_isa *, const struct asm_texts *, const char *name, const struct asm_line *,
	size_t n, struct str *out);

#endif
