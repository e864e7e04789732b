#include <math.h>
#include <string.h>

#include "base/json.h"
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
shape_json_value(struct json_writer *w, const char *key, const struct shape_row *r, const unsigned char *value,
	const struct shape_names *names)
{
	uint64_t number;
	double real;
	char *text;

	switch (r->type) {
	case SHAPE_BOOL:
		json_bool(w, key, *value != 0);
		break;
	case SHAPE_SIGNED:
	case SHAPE_UNSIGNED:
		number = shape_number(r, value);
		if (r->as == SHAPE_COUNTER)
			json_str(w, key, names->counter(names->ctx, number));
		else
			json_int(w, key, (int64_t)number + (r->as == SHAPE_FROM_ONE));
		break;
	case SHAPE_REAL:
		memcpy(&real, value, sizeof real);
		json_num(w, key, real);
		break;
	case SHAPE_TEXT:
		memcpy(&text, value, sizeof text);
		json_str(w, key, text);
		break;
	case SHAPE_WORD:
		json_str(w, key, r->word[shape_number(r, value)]);
		break;
	case SHAPE_RECORD:
		shape_json(w, key, r->of, value, names);
		break;
	case SHAPE_ZERO:
		json_int(w, key, 0);
		break;
	case SHAPE_BYTES:
	case SHAPE_HAND:
		json_null(w, key);
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
shape_json_row(struct json_writer *w, const struct shape_row *r, const unsigned char *record,
	const struct shape_names *names)
{
	const unsigned char *value = record + r->at;
	size_t n = r->many == SHAPE_FIXED ? r->count : 1;

	if (r->shown && !r->shown(record)) {
		json_null(w, r->key);
		return;
	}
	if (r->type == SHAPE_HAND) {
		names->by_hand(names->ctx, w, r->key, record);
		return;
	}
	if (r->many == SHAPE_LIST)
		memcpy(&n, record + r->count, sizeof n);
	if (r->many >= SHAPE_LIST)
		memcpy(&value, value, sizeof value);
	if (r->as == SHAPE_COEFFICIENTS)
		shape_json_coefficients(w, r, value, n, names);
	else if ((r->many == SHAPE_LIST && r->as == SHAPE_FIRST && !n) || (r->many == SHAPE_POINTER && !value))
		json_null(w, r->key);
	else if (r->many == SHAPE_FIXED || (r->many == SHAPE_LIST && r->as != SHAPE_FIRST))
		shape_json_array(w, r, value, n, names);
	else
		shape_json_value(w, r->key, r, value, names);
}

static void
shape_json_rows(struct json_writer *w, const struct shape *s, const void *record, const struct shape_names *names)
{
	for (const struct shape_row *r = s->row; r < s->row + s->n; r++)
		if (r->key)
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

/* The types of one element; NULL where an object is described instead. */
static const char *
shape_types(const struct shape_row *r)
{
	switch (r->type) {
	case SHAPE_BOOL:
		return "boolean";
	case SHAPE_SIGNED:
	case SHAPE_UNSIGNED:
		return r->as == SHAPE_COUNTER ? "string" : "integer";
	case SHAPE_ZERO:
		return "integer";
	case SHAPE_REAL:
		return "number null"; /* NaN and infinities */
	case SHAPE_TEXT:
		return "string null";
	case SHAPE_WORD:
		return "string";
	case SHAPE_BYTES:
		return "null";
	case SHAPE_RECORD:
		return NULL;
	case SHAPE_HAND:
		return r->json;
	}
	return NULL;
}

static void
shape_schema_types(struct json_writer *w, const char *types, bool or_null)
{
	char **type = str_split(types, ' ', NULL);

	or_null = or_null && !strstr(types, "null");
	json_open(w, "type", '[');
	for (size_t i = 0; type[i]; i++)
		json_str(w, NULL, type[i]);
	if (or_null)
		json_str(w, NULL, "null");
	json_close(w, ']');
	str_split_free(type);
}

static void shape_schema_object(struct json_writer *, const struct shape *);

/* The schema of one element, in an object that is open. */
static void
shape_schema_value(struct json_writer *w, const struct shape_row *r, bool or_null)
{
	const char *types = shape_types(r);

	if (types && r->type != SHAPE_WORD) {
		shape_schema_types(w, types, or_null);
	} else if (types) {
		json_open(w, "enum", '[');
		for (size_t i = 0; i < r->n_words; i++)
			json_str(w, NULL, r->word[i]);
		if (or_null)
			json_null(w, NULL);
		json_close(w, ']');
	} else if (or_null) {
		json_open(w, "anyOf", '[');
		shape_schema(w, NULL, r->of, NULL);
		json_open(w, NULL, '{');
		json_str(w, "type", "null");
		json_close(w, '}');
		json_close(w, ']');
	} else {
		shape_schema_object(w, r->of);
	}
}

static void
shape_schema_row(struct json_writer *w, const struct shape_row *r)
{
	bool or_null = r->shown || r->many == SHAPE_POINTER || r->as == SHAPE_FIRST;

	json_open(w, r->key, '{');
	if (r->help)
		json_str(w, "description", r->help);
	if (r->unit)
		json_str(w, "unit", r->unit);
	if (r->as == SHAPE_COEFFICIENTS) {
		shape_schema_types(w, "object", or_null);
		json_open(w, "additionalProperties", '{');
		json_str(w, "type", "integer");
		json_close(w, '}');
	} else if (r->many == SHAPE_FIXED || (r->many == SHAPE_LIST && r->as != SHAPE_FIRST)) {
		shape_schema_types(w, "array", or_null);
		json_open(w, "items", '{');
		shape_schema_value(w, r, false);
		json_close(w, '}');
	} else {
		shape_schema_value(w, r, or_null);
	}
	json_close(w, '}');
}

static void
shape_schema_object(struct json_writer *w, const struct shape *s)
{
	json_str(w, "type", "object");
	json_open(w, "properties", '{');
	for (const struct shape_row *r = s->row; r < s->row + s->n; r++)
		if (r->key)
			shape_schema_row(w, r);
	json_close(w, '}');
	json_open(w, "required", '[');
	for (const struct shape_row *r = s->row; r < s->row + s->n; r++)
		if (r->key && !r->optional)
			json_str(w, NULL, r->key);
	json_close(w, ']');
}

void
shape_schema(struct json_writer *w, const char *key, const struct shape *s, const char *title)
{
	json_open(w, key, '{');
	if (title) {
		json_str(w, "$schema", "https://json-schema.org/draft/2020-12/schema");
		json_str(w, "title", title);
	}
	shape_schema_object(w, s);
	json_close(w, '}');
}
