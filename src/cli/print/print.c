#include "cli/print/print.h"

#include <langinfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/json.h"
#include "base/log.h"
#include "base/number.h"
#include "base/str.h"
#include "base/utf8.h"
#include "cli/model_args.h"
#include "cli/options.h"
#include "core/udd/model.h"
#include "draw/cell.h"
#include "text/diag.h"

int
print_failure(const struct err *e)
{
	struct str text = {0};

	err_print(e, "hecate: ", &text);
	fputs(str_text(&text), stderr);
	str_free(&text);
	return 2;
}

bool
print_failed(const struct err *e)
{
	print_failure(e);
	return false;
}

void
print_diagnostics(const struct options *o, const struct diags *d)
{
	struct str text = {0};

	for (size_t i = 0; i < d->n; i++)
		if (d->item[i].level == DIAG_ERROR || !o->quiet)
			diag_print(&d->item[i], "hecate: ", &text);
	if (d->dropped)
		str_addf(&text, "hecate: %zu more not shown\n", d->dropped);
	fputs(str_text(&text), stderr);
	str_free(&text);
}

void
print_remarks(const struct options *o, struct str *text)
{
	char **line = str_split(str_text(text), '\n', NULL);

	for (size_t i = 0; line[i] && !o->quiet; i++)
		if (*line[i])
			log_line(NULL, "%s", line[i]);
	str_split_free(line);
	str_free(text);
}

bool
print_ascii(const struct options *o)
{
	return o->ascii || !str_eq(nl_langinfo(CODESET), "UTF-8");
}

void
print_signs(struct str *out, const char *s, bool ascii)
{
	char *t = glyph_translate(s, ascii);

	str_add(out, t);
	free(t);
}

void
print_lines(struct str *out, const char *text, bool ascii)
{
	char **line = str_split(text, '\n', NULL);

	for (size_t i = 0; line[i]; i++) {
		struct str safe = {0};

		utf8_add_visible(&safe, line[i], strlen(line[i]));
		print_signs(out, str_text(&safe), ascii);
		if (line[i + 1])
			str_addc(out, '\n');
		str_free(&safe);
	}
	str_split_free(line);
}

void
print_relation(struct str *out, const char *text, bool ascii)
{
	struct str safe = {0};

	utf8_add_visible(&safe, text, strlen(text)); /* a counter's name may hold any characters */
	for (const char *p = str_text(&safe); *p; p++)
		if (!ascii && p[0] == '<' && p[1] == '=') {
			str_add(out, "≤");
			p++;
		} else if (!ascii && p[0] == '>' && p[1] == '=') {
			str_add(out, "≥");
			p++;
		} else {
			str_addc(out, *p);
		}
	str_free(&safe);
}

void
print_constraints_text(
	const struct options *options, const struct udd_model *model, const struct result *result, struct str *out)
{
	bool ascii = print_ascii(options);
	struct str on = {0};

	print_feature_names(model, &result->on, "none", &on);
	str_addf(out, "model %s, features on: %s\n", model->name, str_text(&on));
	print_signs(out, "", ascii);
	str_addf(out, "%s ", result->paths);
	print_signs(out, str_eq(result->paths, "1") ? "µpath" : "µpaths", ascii);
	str_addf(out, ", %zu signature%s, %zu %s%s, %zu equalit%s, %zu inequalit%s%s\n", result->signatures,
		plural_s(result->signatures), result->rays, result->complete ? "extreme ray" : "generator",
		plural_s(result->rays), result->n_equalities, plural_y(result->n_equalities),
		result->n_constraints - result->n_equalities,
		plural_y(result->n_constraints - result->n_equalities), result->complete ? "" : " known");
	if (!result->complete)
		str_addf(out, "not all facets are known: %s\n", result->reason);
	if (result->n_equalities)
		str_add(out, "\nequalities\n");
	for (size_t i = 0; i < result->n_constraints; i++) {
		if (i == result->n_equalities)
			str_add(out, "\ninequalities\n");
		str_add(out, "  ");
		print_relation(out, result->constraint[i].text, ascii);
		str_addc(out, '\n');
	}
	str_free(&on);
}

void
print_padded(struct str *out, const char *s, size_t columns, bool ascii)
{
	struct str safe = {0};
	char *shown;
	size_t w;

	utf8_add_visible(&safe, s, strlen(s));
	shown = glyph_translate(str_text(&safe), ascii);
	str_add(out, shown);
	for (w = utf8_width(shown); w < columns; w++)
		str_addc(out, ' ');
	free(shown);
	str_free(&safe);
}

void
print_right(struct str *out, const char *s, size_t columns, bool ascii)
{
	struct str shown = {0};

	print_padded(&shown, s, 0, ascii);
	for (size_t w = utf8_width(str_text(&shown)); w < columns; w++)
		str_addc(out, ' ');
	str_add(out, str_text(&shown));
	str_free(&shown);
}

void
print_visible(struct str *out, const char *text)
{
	print_padded(out, text, 0, false);
}

#define LISTED 3

void
print_listed(struct str *out, size_t i, const char *name)
{
	if (i >= LISTED)
		return;
	str_add(out, i ? ", " : "");
	print_visible(out, name);
}

void
print_listed_more(struct str *out, size_t n)
{
	if (n > LISTED)
		str_addf(out, " and %zu more", n - LISTED);
}

void
print_coefficients(struct json_writer *w, const char *key, const struct udd_model *m, const int64_t *coef, size_t n)
{
	json_open(w, key, '{');
	for (size_t i = 0; i < n; i++)
		if (coef[i])
			json_int(w, m->counter[i].name, coef[i]);
	json_close(w, '}');
}

void
print_json_set(struct json_writer *w, const char *key, const struct udd_model *m, const struct fset *on)
{
	json_open(w, key, '[');
	for (size_t i = 0; i < m->n_features; i++)
		if (fset_has(on, i))
			json_str(w, NULL, m->feature[i].name);
	json_close(w, ']');
}

void
print_json_head(struct json_writer *w, const char *schema, const struct udd_model *m, const struct fset *on)
{
	json_str(w, "schema", schema);
	json_str(w, "model", m->name);
	json_str(w, "file", m->file);
	print_json_set(w, "features", m, on);
}

void
print_feature_names(const struct udd_model *m, const struct fset *on, const char *none, struct str *out)
{
	size_t some = 0;

	for (size_t i = 0; i < m->n_features; i++)
		if (fset_has(on, i))
			str_addf(out, "%s%s", some++ ? ", " : "", m->feature[i].name);
	if (!some)
		str_add(out, none);
}

void
print_grid(const struct grid *grid, struct str *out)
{
	struct str text = {0};
	char **line;
	size_t n;

	grid_text(grid, &text);
	line = str_split(str_text(&text), '\n', &n);
	for (size_t i = 0; i < (size_t)grid->h && i < n; i++) {
		size_t end = strlen(line[i]);

		while (end && line[i][end - 1] == ' ')
			end--;
		str_addf(out, "%.*s\n", (int)end, line[i]);
	}
	str_split_free(line);
	str_free(&text);
}

void
print_counterpoint(const struct options *o, struct str *out)
{
	if (!o->counterpoint)
		return;
	str_add(out, "judged as CounterPoint does: ");
	counterpoint_words(out);
	str_addc(out, '\n');
}
