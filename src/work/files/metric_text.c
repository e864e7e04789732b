#include "work/files/metric_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/mem.h"

void
metric_add_label(struct metric_point *p, const char *key, const char *value)
{
	if (value && p->n_labels < METRIC_LABELS)
		p->label[p->n_labels++] = (struct metric_label){key, value};
}

void
metric_add_value(struct metric_point *p, const char *key, double value, bool rises, const char *help)
{
	if (isfinite(value) && p->n_fields < METRIC_FIELDS)
		p->field[p->n_fields++] =
			(struct metric_field){.key = key, .help = help, .rises = rises, .value = value};
}

/* Appends the shortest number that reads back as the same. */
static void
add_value(const struct metric_field *field, struct str *out)
{
	struct json_writer w = {.out = out};

	if (field->whole)
		json_int(&w, NULL, field->count);
	else
		json_num(&w, NULL, field->value);
}

/* --- line protocol ----------------------------------------------------------------------------------------------- */

static void
add_tag_value(const char *value, struct str *out)
{
	size_t n = strlen(value);

	while (n && value[n - 1] == '\\')
		n--;
	for (size_t i = 0; i < n; i++) {
		char c = value[i] == '\n' || value[i] == '\r' ? ' ' : value[i];

		if (c == ',' || c == '=' || c == ' ')
			str_addc(out, '\\');
		str_addc(out, c);
	}
}

static bool
is_tag(const char *value)
{
	return value[strspn(value, "\\")] != '\0';
}

void
metric_line_protocol(const struct metric_point *point, struct str *out)
{
	if (!point->n_fields)
		return;
	str_add(out, point->what);
	for (size_t i = 0; i < point->n_labels; i++)
		if (is_tag(point->label[i].value)) {
			str_addf(out, ",%s=", point->label[i].key);
			add_tag_value(point->label[i].value, out);
		}
	for (size_t i = 0; i < point->n_fields; i++) {
		str_addf(out, "%c%s=", i ? ',' : ' ', point->field[i].key);
		add_value(&point->field[i], out);
		str_add(out, point->field[i].whole ? "i" : "");
	}
	if (point->timed)
		str_addf(out, " %lld", (long long)point->ns);
	str_addc(out, '\n');
}

/* --- Prometheus -------------------------------------------------------------------------------------------------- */

/* Appends a text in which backslashes, line breaks and, on request, quotes are escaped. */
static void
metric_add_escaped(const char *text, bool quotes, struct str *out)
{
	for (; *text; text++) {
		if (*text == '\\' || (quotes && *text == '"'))
			str_addc(out, '\\');
		if (*text == '\n')
			str_add(out, "\\n");
		else
			str_addc(out, *text);
	}
}

static void
add_sample(const struct metric_point *point, const struct metric_field *field, const char *name, struct str *out)
{
	str_add(out, name);
	for (size_t i = 0; i < point->n_labels; i++) {
		str_addf(out, "%c%s=\"", i ? ',' : '{', point->label[i].key);
		metric_add_escaped(point->label[i].value, true, out);
		str_addc(out, '"');
	}
	str_add(out, point->n_labels ? "} " : " ");
	add_value(field, out);
	str_addc(out, '\n');
}

void
metric_families_add(struct metric_families *families, const struct metric_point *point)
{
	struct str name = {0};

	for (size_t i = 0; i < point->n_fields; i++) {
		const struct metric_field *field = &point->field[i];
		size_t known = families->name.n, at;

		str_clear(&name);
		str_addf(&name, "%s_%s%s", point->what, field->key, field->rises ? "_total" : "");
		at = names_add(&families->name, str_text(&name), name.n);
		if (at == known) {
			mem_grow(&families->text, &families->cap, at + 1, sizeof *families->text);
			families->text[at] = (struct str){0};
			str_addf(&families->text[at], "# HELP %s ", str_text(&name));
			metric_add_escaped(field->help, false, &families->text[at]);
			str_addf(&families->text[at], "\n# TYPE %s %s\n", str_text(&name),
				field->rises ? "counter" : "gauge");
		}
		add_sample(point, field, str_text(&name), &families->text[at]);
	}
	str_free(&name);
}

void
metric_families_write(struct metric_families *families, struct str *out)
{
	for (size_t i = 0; i < families->name.n; i++) {
		str_addn(out, str_text(&families->text[i]), families->text[i].n);
		str_free(&families->text[i]);
	}
	free(families->text);
	names_free(&families->name);
	*families = (struct metric_families){0};
}
