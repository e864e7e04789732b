/* Diagnostics of the µDD language: places in its files, the calls that lead there, the nearest name. */
#include <stdlib.h>
#include <string.h>

#include "base/near.h"
#include "base/str.h"
#include "core/udd/ast.h"
#include "text/diag.h"

#define CALLS_SHOWN 4

struct place
udd_place(const struct udd_ast *ast, uint32_t file, uint32_t at, uint32_t len)
{
	return (struct place){&ast->file[file], at, len};
}

/* "in walk(load), called at m.udd:58:3, in uop(load), called at …" */
static void
add_calls(const struct udd_ast *ast, const struct udd_frame *frame, struct str *out)
{
	for (int shown = 0; frame && frame->caller; frame = frame->caller, shown++) {
		const struct source *source = &ast->file[frame->caller->body->file];

		if (out->n)
			str_add(out, ", ");
		if (shown == CALLS_SHOWN) {
			str_add(out, "and calls above");
			return;
		}
		str_addf(out, "in %s(", frame->body->name.text);
		for (size_t i = 0; i < frame->body->n_words; i++)
			str_addf(out, frame->arg[i].quoted ? "%s\"%.40s\"" : "%s%.40s", i ? ", " : "",
				frame->arg[i].text);
		str_addf(out, "), called at %s:%d:%d", source->name, source_line(source, frame->at),
			source_column(source, frame->at));
	}
}

static void __attribute__((format(printf, 8, 0))) add(const struct udd_ast *ast, struct diags *d, enum diag_level level,
	const struct udd_frame *f, uint32_t at, uint32_t len, const char *hint, const char *fmt, va_list ap)
{
	struct place p = udd_place(ast, f->body->file, at, len);
	struct str text = {0}, more = {0};

	if (!diags_full(d, level)) {
		str_addv(&text, fmt, ap);
		if (hint)
			str_add(&more, hint);
		if (f->arg)
			add_calls(ast, f, &more);
	}
	diag_add(d, level, &p, more.n ? str_text(&more) : NULL, "%s", str_text(&text));
	str_free(&text);
	str_free(&more);
}

void
udd_complain(const struct udd_ast *ast, struct diags *d, const struct udd_frame *f, uint32_t at, uint32_t len,
	const char *hint, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	add(ast, d, DIAG_ERROR, f, at, len, hint, fmt, ap);
	va_end(ap);
}

void
udd_warn(const struct udd_ast *ast, struct diags *d, const struct udd_frame *f, uint32_t at, uint32_t len,
	const char *hint, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	add(ast, d, DIAG_WARNING, f, at, len, hint, fmt, ap);
	va_end(ap);
}

char *
udd_nearest(const struct diags *d, const struct names *names, const char *word)
{
	return diags_full(d, DIAG_ERROR) ? NULL : near_hint(word, (const char *const *)names->name, names->n);
}
