#include "convert/fdl/parts.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/near.h"
#include "base/str.h"
#include "base/utf8.h"
#include "core/udd/word.h"
#include "text/diag.h"
#include "text/source.h"

#define SIDECAR_MAX ((size_t)1 << 20)

struct reader {
	const struct source *s;
	struct arena *arena;
	struct diags *diags;
};

static const char *const author_keys[] = {"name", "features", NULL};
static const char *const gem5_keys[] = {"model_id", "module_id", "fdl_path", "gem5_revision", "source_refs",
	"counter_bindings", NULL};
static const char *const reference_keys[] = {"path", "symbol", "snippets", NULL};
static const char *const binding_keys[] = {"gem5_stat", "declaration_ref", "increment_refs", NULL};

static bool
sidecar_fail(const struct reader *r, size_t at, const char *hint, const char *what)
{
	struct place p = {r->s, (uint32_t)at, at < r->s->n};

	diag_add(r->diags, DIAG_ERROR, &p, hint, "%s", what);
	return false;
}

static bool
is_key(const char *const *key, const char *word)
{
	while (*key && !str_eq(*key, word))
		key++;
	return *key != NULL;
}

static char *
list_of(const char *const *key)
{
	struct str t = {0};

	for (size_t i = 0; key[i]; i++)
		str_addf(&t, "%s%s", i ? ", " : "", key[i]);
	return str_take(&t);
}

/* Checks that a value is an object with exactly these keys, each once. `what` names it: "a sidecar". */
static bool
check_keys(const struct reader *reader, const struct json *object, const char *const *key, const char *what)
{
	char *all = list_of(key), *hint = str_format("its keys are %s", all), *text = NULL;
	bool good = true;

	if (object->kind != JSON_OBJECT) {
		text = str_format("%s must be an object with the keys %s", what, all);
		good = sidecar_fail(reader, object->at, NULL, text);
	}
	for (const struct json *json = object->first; json && good; json = json->next) {
		if (!is_key(key, json->key))
			text = str_format("'%.80s' is not a key of %s", json->key, what);
		else if (json_get(object, json->key) != json)
			text = str_format("key '%s' appears twice in %s", json->key, what);
		good = !text || sidecar_fail(reader, json->key_at, hint, text);
	}
	for (; *key && good; key++)
		if (!json_get(object, *key)) {
			text = str_format("%s lacks the key '%s'", what, *key);
			good = sidecar_fail(reader, object->at, hint, text);
		}
	free(all);
	free(hint);
	free(text);
	return good;
}

/* Reads a text that must not be empty, and keeps it. */
static bool
sidecar_take_text(const struct reader *reader, const struct json *json, const char *what, const char **out)
{
	char *text;

	if (json->kind == JSON_STRING && *json->text) {
		*out = arena_str(reader->arena, json->text);
		return true;
	}
	text = str_format("%s must be a text, and not empty", what);
	sidecar_fail(reader, json->at, NULL, text);
	free(text);
	return false;
}

/* Reads a text that goes into the model, so a quoted word of the µDD language must be able to hold it. */
static bool
sidecar_take_name(const struct reader *reader, const struct json *json, const char *what, const char **out)
{
	const char *fault;
	char *text;

	if (!sidecar_take_text(reader, json, what, out))
		return false;
	fault = word_fault(WORD_ARGUMENT, *out, true);
	if (!fault)
		return true;
	text = str_format("%s %s", what, fault);
	sidecar_fail(reader, json->at, NULL, text);
	free(text);
	return false;
}

/* Reads a list of texts, none of them empty; keeps the names if `out` is given. */
static bool
take_texts(const struct reader *reader, const struct json *v, const char *what, const char ***out, size_t *n)
{
	const char **list = arena_alloc(reader->arena, (v->n + 1) * sizeof *list);
	char *text = NULL;
	bool good = v->kind == JSON_ARRAY;
	size_t k = 0;

	if (!good) {
		text = str_format("%s must be a list of texts", what);
		sidecar_fail(reader, v->at, NULL, text);
	}
	for (const struct json *c = v->first; c && good; c = c->next)
		good = (out ? sidecar_take_name : sidecar_take_text)(reader, c, "an entry of this list", &list[k++]);
	free(text);
	if (out) {
		*out = list;
		*n = k;
	}
	return good;
}

static bool
read_authors(const struct reader *r, const struct json *root, struct fdl_sidecar *out)
{
	return check_keys(r, root, author_keys, "a sidecar") &&
		sidecar_take_name(r, json_get(root, "name"), "name", &out->name) &&
		take_texts(r, json_get(root, "features"), "features", &out->feature, &out->n_features);
}

static bool
check_references(const struct reader *reader, const struct json *refs)
{
	const char *ignored;
	bool good = refs->kind == JSON_OBJECT || sidecar_fail(reader, refs->at, NULL, "source_refs must be an object");

	for (const struct json *json = refs->first; json && good; json = json->next) {
		if (json_get(refs, json->key) != json)
			good = sidecar_fail(
				reader, json->key_at, NULL, "a source reference of this name appears twice");
		else
			good = check_keys(reader, json, reference_keys, "a source reference") &&
				sidecar_take_text(reader, json_get(json, "path"), "path", &ignored) &&
				sidecar_take_text(reader, json_get(json, "symbol"), "symbol", &ignored) &&
				take_texts(reader, json_get(json, "snippets"), "snippets", NULL, NULL);
	}
	return good;
}

static bool
check_reference(const struct reader *r, const struct json *refs, const struct json *name)
{
	char *text;

	if (json_get(refs, name->text))
		return true;
	text = str_format("there is no source reference '%.80s'", name->text);
	sidecar_fail(r, name->at, NULL, text);
	free(text);
	return false;
}

static bool
read_binding(const struct reader *reader, const struct json *v, const struct json *refs, struct fdl_binding *out)
{
	const struct json *declaration, *increments;
	const char *ignored;

	if (!check_keys(reader, v, binding_keys, "the binding of a counter"))
		return false;
	declaration = json_get(v, "declaration_ref");
	increments = json_get(v, "increment_refs");
	*out = (struct fdl_binding){.counter = arena_str(reader->arena, v->key), .at = (uint32_t)v->key_at,
		.len = (uint32_t)strlen(v->key) + 2};
	if (!sidecar_take_name(reader, json_get(v, "gem5_stat"), "gem5_stat", &out->stat) ||
		!sidecar_take_text(reader, declaration, "declaration_ref", &ignored) ||
		!take_texts(reader, increments, "increment_refs", NULL, NULL) ||
		!check_reference(reader, refs, declaration))
		return false;
	for (const struct json *c = increments->first; c; c = c->next)
		if (!check_reference(reader, refs, c))
			return false;
	return true;
}

static bool
read_bindings(
	const struct reader *reader, const struct json *bindings, const struct json *refs, struct fdl_sidecar *out)
{
	bool good = bindings->kind == JSON_OBJECT ||
		sidecar_fail(reader, bindings->at, NULL, "counter_bindings must be an object");

	out->binding = arena_alloc(reader->arena, (bindings->n + 1) * sizeof *out->binding);
	for (const struct json *json = bindings->first; json && good; json = json->next) {
		if (json_get(bindings, json->key) != json)
			good = sidecar_fail(reader, json->key_at, NULL, "a counter of this name is bound twice");
		else
			good = read_binding(reader, json, refs, &out->binding[out->n_bindings++]);
	}
	return good;
}

static bool
check_path(const struct reader *r, const struct json *path, const char *model)
{
	char *text;

	if (path->kind == JSON_STRING && str_eq(path->text, model))
		return true;
	text = str_format("fdl_path must be \"%s\", the model next to this file", model);
	sidecar_fail(r, path->at, NULL, text);
	free(text);
	return false;
}

static bool
read_gem5(const struct reader *reader, const struct json *root, const char *model, struct fdl_sidecar *out)
{
	const char *ignored;

	out->binds = true;
	return check_keys(reader, root, gem5_keys, "a sidecar of a gem5 model") &&
		sidecar_take_name(reader, json_get(root, "model_id"), "model_id", &out->name) &&
		sidecar_take_text(reader, json_get(root, "module_id"), "module_id", &ignored) &&
		check_path(reader, json_get(root, "fdl_path"), model) &&
		sidecar_take_text(reader, json_get(root, "gem5_revision"), "gem5_revision", &ignored) &&
		check_references(reader, json_get(root, "source_refs")) &&
		read_bindings(reader, json_get(root, "counter_bindings"), json_get(root, "source_refs"), out);
}

/* The offset of a line and a column in bytes. */
static size_t
offset_of(const struct source *s, int line, int col)
{
	size_t at = line >= 1 && (size_t)line <= s->n_lines ? s->line[line - 1] + (size_t)col - 1 : 0;

	return at < s->n ? at : s->n;
}

bool
fdl_sidecar_read(const struct source *source, const char *model, struct arena *arena, struct diags *diags,
	struct fdl_sidecar *out)
{
	const struct reader r = {source, arena, diags};
	struct err e = {0};
	struct json *root = json_parse(source->text, source->n, &e);
	bool good, gem5 = false;
	size_t bad;

	*out = (struct fdl_sidecar){0};
	if (!utf8_valid(source->text, source->n, &bad)) {
		json_free(root);
		return sidecar_fail(
			&r, bad, "save the file as UTF-8 text", "this is not text: a NUL or a byte that is not UTF-8");
	}
	if (source->n > SIDECAR_MAX) {
		json_free(root);
		return sidecar_fail(&r, 0, "is it the right file?", "a sidecar has at most 1 MB");
	}
	if (!root)
		return sidecar_fail(&r, offset_of(source, e.line, e.col), NULL, e.what);
	for (size_t i = 0; gem5_keys[i]; i++)
		gem5 |= json_get(root, gem5_keys[i]) != NULL;
	good = gem5 ? read_gem5(&r, root, model, out) : read_authors(&r, root, out);
	json_free(root);
	return good;
}
