#include "core/lang/diag.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "base/utf8.h"
#include "core/lang/source.h"

#define SHOWN_COLUMNS 160

void
diags_free(struct diags *d)
{
	for (size_t i = 0; i < d->n; i++) {
		free(d->item[i].file);
		free(d->item[i].source);
		free(d->item[i].text);
		free(d->item[i].hint);
	}
	free(d->item);
	*d = (struct diags){0};
}

bool
diags_full(const struct diags *d, enum diag_level level)
{
	return (level == DIAG_ERROR ? d->errors : d->warnings) >= DIAGS_MAX;
}

void
diag_add(struct diags *d, enum diag_level level, const struct place *place, const char *hint, const char *fmt, ...)
{
	bool full = diags_full(d, level);
	struct diag *new;
	struct str text = {0};
	va_list ap;

	*(level == DIAG_ERROR ? &d->errors : &d->warnings) += 1;
	if (full) {
		d->dropped++;
		return;
	}
	mem_grow(&d->item, &d->cap, d->n + 1, sizeof *d->item);
	new = &d->item[d->n++];
	*new = (struct diag){.level = level, .span = 1};
	if (place && place->source) {
		new->file = mem_str(place->source->name);
		new->line = source_line(place->source, place->at);
		new->col = source_column(place->source, place->at);
		new->source = source_show(place->source, place->at, place->len, SHOWN_COLUMNS, &new->caret, &new->span);
	} else {
		new->file = mem_str("");
		new->source = mem_str("");
	}
	va_start(ap, fmt);
	str_addv(&text, fmt, ap);
	va_end(ap);
	new->text = str_take(&text);
	new->hint = hint ? mem_str(hint) : NULL;
}

void
diag_print(const struct diag *g, const char *prefix, struct str *out)
{
	str_add(out, prefix);
	if (*g->file) {
		utf8_add_visible(out, g->file, strlen(g->file));
		if (g->line)
			str_addf(out, ":%d:%d", g->line, g->col);
		str_add(out, ": ");
	}
	if (g->level == DIAG_WARNING)
		str_add(out, "warning: ");
	utf8_add_visible(out, g->text, strlen(g->text));
	if (g->hint) {
		str_add(out, "; ");
		utf8_add_visible(out, g->hint, strlen(g->hint));
	}
	str_addc(out, '\n');
	if (!*g->source)
		return;
	str_addf(out, "%s\n%*s", g->source, g->caret, "");
	for (int i = 0; i < g->span; i++)
		str_addc(out, '^');
	str_addc(out, '\n');
}

void
diags_print(const struct diags *d, const char *prefix, struct str *out)
{
	for (size_t i = 0; i < d->n; i++)
		diag_print(&d->item[i], prefix, out);
	if (d->dropped)
		str_addf(out, "%s%zu more error%s or warnings not shown\n", prefix, d->dropped, d->dropped == 1 ? "" : "s");
}
