#include "text/diag.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "base/utf8.h"
#include "text/source.h"

#define SHOWN_COLUMNS 160

bool
diags_full(const struct diags *d, enum diag_level level)
{
	return (level == DIAG_ERROR ? d->errors : d->warnings) >= DIAGS_MAX;
}

static void
free_one(struct diag *g)
{
	free(g->file);
	free(g->source);
	free(g->text);
	free(g->hint);
}

void
diags_free(struct diags *d)
{
	for (size_t i = 0; i < d->n; i++)
		free_one(&d->item[i]);
	free(d->item);
	*d = (struct diags){0};
}

/* Whether the same sentence was added for the same place. The text of a def is checked once for each way to call it. */
static bool
diag_is_known(const struct diags *d, const struct diag *new)
{
	for (size_t i = 0; i < d->n; i++) {
		const struct diag *g = &d->item[i];

		if (new->line && g->line == new->line && g->col == new->col &&
			g->level == new->level &&str_eq(g->file, new->file) && str_eq(g->text, new->text))
			return true;
	}
	return false;
}

void
diag_add(struct diags *diags, enum diag_level level, const struct place *place, const char *hint, const char *fmt, ...)
{
	size_t *found = level == DIAG_ERROR ? &diags->errors : &diags->warnings;
	struct diag new = {.level = level, .span = 1};
	struct str text = {0};
	va_list ap;

	if (diags_full(diags, level)) {
		++*found;
		diags->dropped++;
		return;
	}
	if (place && place->source) {
		new.file = mem_str(place->source->name);
		new.line = source_line(place->source, place->at);
		new.col = source_column(place->source, place->at);
		new.source = source_show(place->source, place->at, place->len, SHOWN_COLUMNS, &new.caret, &new.span);
	} else {
		new.file = mem_str("");
		new.source = mem_str("");
	}
	va_start(ap, fmt);
	str_addv(&text, fmt, ap);
	va_end(ap);
	new.text = str_take(&text);
	new.hint = hint ? mem_str(hint) : NULL;
	if (diag_is_known(diags, &new)) {
		free_one(&new);
		return;
	}
	++*found;
	mem_grow(&diags->item, &diags->cap, diags->n + 1, sizeof *diags->item);
	diags->item[diags->n++] = new;
}

bool
diags_good(const struct diags *diags, struct err *e)
{
	for (size_t i = 0; i < diags->n; i++) {
		const struct diag *diag = &diags->item[i];

		if (diag->level != DIAG_ERROR)
			continue;
		err_set(e, "%s", diag->text);
		if (diag->hint)
			err_hint(e, "%s", diag->hint);
		return err_place(e, diag->file, diag->line, diag->col);
	}
	return true;
}

void
diag_print(const struct diag *diag, const char *prefix, struct str *out)
{
	str_add(out, prefix);
	if (*diag->file) {
		utf8_add_visible(out, diag->file, strlen(diag->file));
		if (diag->line)
			str_addf(out, ":%d:%d", diag->line, diag->col);
		str_add(out, ": ");
	}
	if (diag->level == DIAG_WARNING)
		str_add(out, "warning: ");
	utf8_add_visible(out, diag->text, strlen(diag->text));
	if (diag->hint) {
		str_add(out, "; ");
		utf8_add_visible(out, diag->hint, strlen(diag->hint));
	}
	str_addc(out, '\n');
	if (!*diag->source)
		return;
	str_addf(out, "%s\n%*s", diag->source, diag->caret, "");
	for (int i = 0; i < diag->span; i++)
		str_addc(out, '^');
	str_addc(out, '\n');
}

void
diags_print(const struct diags *d, const char *prefix, struct str *out)
{
	for (size_t i = 0; i < d->n; i++)
		diag_print(&d->item[i], prefix, out);
	if (d->dropped)
		str_addf(out, "%s%zu more error%s or warnings not shown\n", prefix, d->dropped,
			d->dropped == 1 ? "" : "s");
}
