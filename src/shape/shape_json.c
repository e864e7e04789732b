#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/mem.h"
#include "base/str.h"
#include "shape/shape.h"

/* --- values ------------------------------------------------------------------------------------------------------ */

static uint64_t
shape_number(const struct shape_row *r, const unsigned char *value)
{
	uint64_t whole = 0;
	uint32_t half;

	if (r->size == sizeof half) {
		memcpy(&half, value, sizeof half);
		return r->type == SHAPE_SIGNED ? (uint64_t)(int32_t)half : half;
	}
	memcpy(&whole, value, sizeof whole);
	return whole;
}

static void
shape_json_value(struct json_writer *writer, const char *key, const struct shape_row *row, const unsigned char *value,
	const struct shape_names *names)
{
	uint64_t number;
	double real;
	char *text;

	switch (row->type) {
	case SHAPE_BOOL:
		json_bool(writer, key, *value != 0);
		break;
	case SHAPE_SIGNED:
	case SHAPE_UNSIGNED:
		number = shape_number(row, value);
		if (row->as == SHAPE_COUNTER)
			json_str(writer, key, names->counter(names->ctx, number));
		else
			json_int(writer, key, (int64_t)number + (row->as == SHAPE_FROM_ONE));
		break;
	case SHAPE_REAL:
		memcpy(&real, value, sizeof real);
		json_num(writer, key, real);
		break;
	case SHAPE_TEXT:
		memcpy(&text, value, sizeof text);
		json_str(writer, key, text);
		break;
	case SHAPE_WORD:
		json_str(writer, key, row->word[shape_number(row, value)]);
		break;
	case SHAPE_RECORD:
		shape_json(writer, key, row->of, value, names);
		break;
	case SHAPE_ZERO:
		json_int(writer, key, 0);
		break;
	case SHAPE_BYTES:
	case SHAPE_ROWS:
	case SHAPE_HAND:
		json_null(writer, key);
		break;
	}
}

static void
shape_json_array(struct json_writer *w, const struct shape_row *r, const unsigned char *value, size_t n,
	const struct shape_names *names)
{
	json_open(w, r->key, '[');
	for (size_t i = 0; i < n; i++)
		shape_json_value(w, NULL, r, value + i * r->size, names);
	json_close(w, ']');
}

static void
shape_json_coefficients(struct json_writer *w, const struct shape_row *r, const unsigned char *value, size_t n,
	const struct shape_names *names)
{
	json_open(w, r->key, '{');
	for (size_t i = 0; i < n; i++)
		if (shape_number(r, value + i * r->size))
			shape_json_value(w, names->counter(names->ctx, i), r, value + i * r->size, names);
	json_close(w, '}');
}

static void
shape_json_row(struct json_writer *writer, const struct shape_row *row, const unsigned char *record,
	const struct shape_names *names)
{
	const unsigned char *value = record + row->at;
	size_t n = row->many == SHAPE_FIXED ? row->count : 1;

	if (row->shown && !row->shown(record)) {
		json_null(writer, row->key);
		return;
	}
	if (row->type == SHAPE_HAND) {
		names->by_hand(names->ctx, writer, row->key, record);
		return;
	}
	if (row->many == SHAPE_LIST)
		memcpy(&n, record + row->count, sizeof n);
	if (row->many >= SHAPE_LIST) {
		const void *first;

		memcpy(&first, value, sizeof first);
		value = first;
	}
	if (row->as == SHAPE_COEFFICIENTS)
		shape_json_coefficients(writer, row, value, n, names);
	else if ((row->many == SHAPE_LIST && row->as == SHAPE_FIRST && !n) || (row->many == SHAPE_POINTER && !value))
		json_null(writer, row->key);
	else if (row->many == SHAPE_FIXED || (row->many == SHAPE_LIST && row->as != SHAPE_FIRST))
		shape_json_array(writer, row, value, n, names);
	else
		shape_json_value(writer, row->key, row, value, names);
}

void
shape_json_rows(struct json_writer *w, const struct shape *s, const void *record, const struct shape_names *names)
{
	for (const struct shape_row *r = s->row; r < s->row + s->n; r++)
		if (r->type == SHAPE_ROWS)
			shape_json_rows(w, r->of, record, names);
		else if (r->key)
			shape_json_row(w, r, record, names);
}

void
shape_json(struct json_writer *w, const char *key, const struct shape *s, const void *record,
	const struct shape_names *names)
{
	json_open(w, key, '{');
	shape_json_rows(w, s, record, names);
	json_close(w, '}');
}

/* --- schema ------------------------------------------------------------------------------------------------------ */

/* The types of one element, in the words of `json`. */
static const char *
shape_types(const struct shape_row *row)
{
	switch (row->type) {
	case SHAPE_BOOL:
		return "boolean";
	case SHAPE_SIGNED:
	case SHAPE_UNSIGNED:
		return row->as == SHAPE_COUNTER ? "string"
			: row->as == SHAPE_COEFFICIENTS ? "object(integer)" : "integer";
	case SHAPE_ZERO:
		return "integer";
	case SHAPE_REAL:
		return "number|null"; /* NaN and infinities */
	case SHAPE_TEXT:
		return "string|null";
	case SHAPE_WORD:
		return "string";
	case SHAPE_RECORD:
		return "object";
	case SHAPE_BYTES:
	case SHAPE_ROWS:
		return "null";
	case SHAPE_HAND:
		return row->json;
	}
	return NULL;
}

/* The number of bytes up to the end of one type: "array(string|null)" is one. */
static size_t
shape_type_length(const char *types)
{
	size_t n = strcspn(types, "|()");
	int depth = 0;

	if (types[n] != '(')
		return n;
	do {
		depth += (types[n] == '(') - (types[n] == ')');
		n++;
	} while (depth);
	return n;
}

static void shape_schema_object(struct json_writer *, const struct shape *);

/* The schema of one element, in an object that is open. */
static void
shape_schema_value(struct json_writer *writer, const struct shape_row *row, const char *types, bool or_null)
{
	const char *type;
	size_t n;

	json_open(writer, "type", '[');
	for (type = types; (n = shape_type_length(type)) > 0; type += n + (type[n] == '|')) {
		char *name = mem_strn(type, strcspn(type, "|()"));

		json_str(writer, NULL, name);
		or_null &= !str_eq(name, "null");
		free(name);
	}
	if (or_null)
		json_str(writer, NULL, "null");
	json_close(writer, ']');
	for (type = types; (n = shape_type_length(type)) > 0; type += n + (type[n] == '|')) {
		size_t name = strcspn(type, "|()");

		if (name < n) {
			json_open(writer, *type == 'a' ? "items" : "additionalProperties", '{');
			shape_schema_value(writer, row, type + name + 1, false);
			json_close(writer, '}');
		} else if (*type == 'o' && row->of) {
			shape_schema_object(writer, row->of);
		} else if (*type == 's' && row->word) {
			json_open(writer, "enum", '[');
			for (size_t i = 0; i < row->n_words; i++)
				json_str(writer, NULL, row->word[i]);
			if (or_null || strlen(types) > n) /* the other type is null */
				json_null(writer, NULL);
			json_close(writer, ']');
		}
	}
}

static void
shape_schema_row(struct json_writer *writer, const char *key, const struct shape_row *row)
{
	bool or_null = row->shown || row->many == SHAPE_POINTER || row->as == SHAPE_FIRST;
	bool array = row->as != SHAPE_COEFFICIENTS && row->as != SHAPE_FIRST &&
		(row->many == SHAPE_FIXED || row->many == SHAPE_LIST);

	json_open(writer, key, '{');
	if (row->help)
		json_str(writer, "description", row->help);
	if (row->unit)
		json_str(writer, "unit", row->unit);
	if (array) {
		json_open(writer, "type", '[');
		json_str(writer, NULL, "array");
		if (or_null)
			json_str(writer, NULL, "null");
		json_close(writer, ']');
		json_open(writer, "items", '{');
	}
	shape_schema_value(writer, row, shape_types(row), or_null && !array);
	if (array)
		json_close(writer, '}');
	json_close(writer, '}');
}

/* The properties of an object; or the names of those that must be there. */
static void
shape_schema_rows(struct json_writer *writer, const struct shape *shape, bool names)
{
	for (const struct shape_row *row = shape->row; row < shape->row + shape->n; row++) {
		char **key = str_split(row->key ? row->key : "", ' ', NULL);

		for (size_t i = 0; row->key && key[i]; i++)
			if (!names)
				shape_schema_row(writer, key[i], row);
			else if (!row->optional)
				json_str(writer, NULL, key[i]);
		if (row->type == SHAPE_ROWS)
			shape_schema_rows(writer, row->of, names);
		str_split_free(key);
	}
}

static void
shape_schema_object(struct json_writer *writer, const struct shape *shape)
{
	json_open(writer, "properties", '{');
	shape_schema_rows(writer, shape, false);
	json_close(writer, '}');
	json_open(writer, "required", '[');
	shape_schema_rows(writer, shape, true);
	json_close(writer, ']');
}

void
shape_schema(struct json_writer *w, const struct shape *s, const char *title)
{
	json_open(w, NULL, '{');
	json_str(w, "$schema", "https://json-schema.org/draft/2020-12/schema");
	json_str(w, "title", title);
	json_str(w, "type", "object");
	shape_schema_object(w, s);
	json_close(w, '}');
}
