/* Joins the files of a model into one text. udd_print() prints what was parsed; this keeps what was written. */
#include <string.h>

#include "base/str.h"
#include "core/udd/ast.h"
#include "core/udd/model.h"

static const char byte_order_mark[] = "\xef\xbb\xbf";

static void
end_line(struct str *out)
{
	if (out->n && out->s[out->n - 1] != '\n')
		str_addc(out, '\n');
}

static size_t
line_end(const struct source *s, size_t at)
{
	const char *end = memchr(s->text + at, '\n', s->n - at);

	return end ? (size_t)(end - s->text) : s->n;
}

/* Returns true if the rest of the line is empty or a comment that ends with the line. */
static bool
line_is_over(const struct source *s, size_t at)
{
	while (at < s->n && s->text[at] != '\n' && strchr(" \t\r\f\v", s->text[at]))
		at++;
	return at == s->n || s->text[at] == '\n' || (at + 1 < s->n && s->text[at] == '/' && s->text[at + 1] == '/');
}

/* Append each line of the text as a comment. */
static void
add_remark(const struct source *s, size_t at, size_t end, struct str *out)
{
	while (at < end) {
		size_t stop = line_end(s, at);

		stop = stop < end ? stop : end;
		str_add(out, "// ");
		str_addn(out, s->text + at, stop - at);
		end_line(out);
		at = stop + 1;
	}
}

static void
join_add_file(const struct udd_ast *ast, uint32_t number, struct str *out)
{
	const struct source *source = &ast->file[number];
	/* a byte order mark may stand at the very beginning only */
	size_t at = number && source->n >= 3 && memcmp(source->text, byte_order_mark, 3) == 0 ? 3 : 0;

	for (const struct udd_include *include = ast->include; include; include = include->next) {
		size_t end = include->end;

		if (include->file != number)
			continue;
		str_addn(out, source->text + at, include->at - at);
		if (line_is_over(source, end))
			end = line_end(source, end);
		add_remark(source, include->at, end, out);
		if (include->into == UDD_READ_BEFORE) {
			str_addf(out, "// \"%s\" stands above", include->path);
		} else {
			join_add_file(ast, include->into, out);
			str_addf(out, "// end of \"%s\"", include->path);
		}
		at = end;
		if (at == source->n || source->text[at] != '\n')
			str_addc(out, '\n');
	}
	str_addn(out, source->text + at, source->n - at);
	end_line(out);
}

void
udd_join(const struct udd_model *m, struct str *out)
{
	join_add_file(m->ast, 0, out);
}
