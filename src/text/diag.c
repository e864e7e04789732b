#include "text/diag.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/number.h"
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

/* Returns whether the same sentence was added for the same place. The text of a def is checked once for each way to
 * call it. */
static bool
diag_is_known(const struct diags *d, const struct diag *new)
{
	for (size_t i = 0; i < d->n; i++) {
		const struct diag *g = &d->item[i];

		if (*new->file && g->at == new->at && g->level == new->level &&str_eq(g->file, new->file) &&
			str_eq(g->text, new->text))
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

	if (diags->closed || diags_full(diags, level)) {
		++*found;
		diags->dropped += !diags->closed;
		return;
	}
	new.at = place && place->source ? place->at : 0;
	new.file = mem_str(place && place->source ? place->source->name : "");
	va_start(ap, fmt);
	str_addv(&text, fmt, ap);
	va_end(ap);
	new.text = str_take(&text);
	if (diag_is_known(diags, &new)) {
		free_one(&new);
		return;
	}
	if (place && place->source) {
		new.line = source_line(place->source, place->at);
		new.col = source_column(place->source, place->at);
		new.source = source_show(place->source, place->at, place->len, SHOWN_COLUMNS, &new.caret, &new.span);
	} else {
		new.source = mem_str("");
	}
	new.hint = hint ? mem_str(hint) : NULL;
	++*found;
	mem_grow(&diags->item, &diags->cap, diags->n + 1, sizeof *diags->item);
	diags->item[diags->n++] = new;
}

static void
diag_show(struct err *e, const char *shown, int caret, int span)
{
	if (!e || strlen(shown) >= sizeof e->source)
		return;
	memcpy(e->source, shown, strlen(shown) + 1);
	e->caret = caret;
	e->span = span;
}

bool
err_at(struct err *e, const struct place *place)
{
	int caret, span;
	char *shown = source_show(place->source, place->at, place->len, SHOWN_COLUMNS, &caret, &span);

	diag_show(e, shown, caret, span);
	free(shown);
	return err_place(e, place->source->name, source_line(place->source, place->at),
		source_column(place->source, place->at));
}

bool
err_within(struct err *e, const char *text, size_t at, size_t len)
{
	struct source source;
	int caret, span;
	char *shown;

	if (!e || *e->file || (*e->source && strlen(text) > SHOWN_COLUMNS))
		return false;
	source_init(&source, mem_str(""), mem_str(text), strlen(text));
	shown = source_show(&source, at, len, SHOWN_COLUMNS, &caret, &span);
	diag_show(e, shown, caret + e->caret, *e->source ? e->span : span);
	free(shown);
	source_free(&source);
	return false;
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
		diag_show(e, diag->source, diag->caret, diag->span);
		return err_place(e, diag->file, diag->line, diag->col);
	}
	return true;
}

static void
print_caret(const char *source, int caret, int span, struct str *out)
{
	if (!*source)
		return;
	str_addf(out, "%s\n%*s", source, caret, "");
	for (int i = 0; i < span; i++)
		str_addc(out, '^');
	str_addc(out, '\n');
}

void
err_print(const struct err *e, const char *prefix, struct str *out)
{
	str_add(out, prefix);
	err_text(e, out);
	str_addc(out, '\n');
	print_caret(e->source, e->caret, e->span, out);
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
	print_caret(diag->source, diag->caret, diag->span, out);
}

void
diags_print(const struct diags *d, const char *prefix, struct str *out)
{
	for (size_t i = 0; i < d->n; i++)
		diag_print(&d->item[i], prefix, out);
	if (d->dropped)
		str_addf(out, "%s%zu more error%s or warnings not shown\n", prefix, d->dropped,
			plural_s(d->dropped));
}
