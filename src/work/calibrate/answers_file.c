/* Answers that were measured elsewhere: documents of hecate probe --json, and curves. */
#include "work/calibrate/answers.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/curve/curve.h"
#include "core/curve/knee.h"
#include "work/files/files.h"
#include "work/probe/probes.h"

#define DOCUMENT_MAX ((size_t)1 << 26) /* bytes */
#define CURVE_ENDING ".csv"

static size_t
index_of(const struct probe_list *l, const char *name)
{
	size_t i = 0;

	while (i < l->n && !str_eq(l->probe[i]->name, name))
		i++;
	return i;
}

static void
answers_file_add_name(struct str *names, const char *name)
{
	if (names)
		str_addf(names, "%s%s", names->n ? ", " : "", name);
}

/* --- documents of hecate probe --json ---------------------------------------------------------------------------- */

/* Takes one result. False and *e: it has no name, a value that is no number, or another one than before. */
static bool
take_result(const struct json *json, const struct probe_list *list, struct known_answer *out, struct str *others,
	struct err *e)
{
	const struct json *name = json_get(json, "probe"), *value = json_get(json, "value");
	const struct json *least = json_get(json, "at_least");
	struct probe_answer a = {.found = value && value->kind == JSON_NUMBER, .value = json_number(value),
		.low = json_number(json_get(json, "low")), .high = json_number(json_get(json, "high"))};
	size_t i;

	if (!name || name->kind != JSON_STRING || !value || (value->kind != JSON_NUMBER && value->kind != JSON_NULL)) {
		err_set(e, "has no name of a probe, or no value with an interval");
		return err_hint(e, "write it again with: hecate probe --json");
	}
	if (!a.found)
		a = (struct probe_answer){0};
	a.low = isnan(a.low) ? a.value : a.low;
	a.high = least && least->truth ? INFINITY : isnan(a.high) ? a.value : a.high;
	i = index_of(list, name->text);
	if (!(a.low <= a.high)) {
		err_set(e, "has an interval whose ends are the wrong way round");
		return err_hint(e, "write it again with: hecate probe --json");
	}
	if (i == list->n) {
		answers_file_add_name(others, name->text);
		return true;
	}
	if (out[i].known && answers_differ(list->probe[i], &out[i].answer, &a)) {
		err_set(e, "contradicts an earlier one of the probe %s", name->text);
		return err_hint(e, "leave one of them out");
	}
	out[i] = (struct known_answer){true, a};
	return true;
}

static bool
take_document(const struct json *d, const char *path, const struct probe_list *list, struct known_answer *out,
	struct str *others, struct err *e)
{
	const struct json *schema = json_get(d, "schema"), *results = json_get(d, "results");
	size_t n = 0;

	if (!schema || schema->kind != JSON_STRING || !str_eq(schema->text, "hecate.probes/1") || !results ||
		results->kind != JSON_ARRAY) {
		err_set(e, "%s: no document of the schema hecate.probes/1", path);
		return err_hint(e, "hecate probe --on sim:core --json writes one");
	}
	for (const struct json *r = results->first; r; r = r->next, n++) {
		struct err why = {0};

		if (!take_result(r, list, out, others, &why)) {
			err_set(e, "%s: result %zu %s", path, n + 1, why.what);
			return err_hint(e, "%s", why.hint);
		}
	}
	return true;
}

bool
answers_read(
	const char *path, const struct probe_list *list, struct known_answer *out, struct str *others, struct err *e)
{
	size_t n = 0;
	char *text = file_read(path, DOCUMENT_MAX, &n, e);
	struct json *json;
	struct err why = {0};
	bool good;

	if (!text)
		return false;
	json = json_parse(text, n, &why);
	if (json) {
		good = take_document(json, path, list, out, others, e);
	} else {
		good = err_set(e, "%s: no JSON document: %s", path, why.what);
		err_hint(e, "hecate probe --on sim:core --json writes one");
	}
	json_free(json);
	free(text);
	return good;
}

/* --- curves ------------------------------------------------------------------------------------------------------- */

/* The probe that a file is of: the only one of the list, the one that its comment names, or the one whose name it has.
 * list->n: none. */
static size_t
probe_of_curve(const struct curve *curve, const char *path, bool only, const struct probe_list *list)
{
	const char *file = strrchr(path, '/');
	char *stem;
	size_t n, i;

	if (only && list->n == 1)
		return 0;
	if (curve->of)
		return index_of(list, curve->of);
	file = file ? file + 1 : path;
	n = strlen(file);
	stem = mem_strn(file, file_has_ending(file, CURVE_ENDING) ? n - strlen(CURVE_ENDING) : n);
	i = index_of(list, stem);
	free(stem);
	return i;
}

/* only: no other file is read. */
static bool
take_curve(const char *path, bool only, const struct probe_list *l, struct known_answer *out, struct str *others,
	struct err *e)
{
	struct curve c = {0};
	bool good = probe_imported(path, &c, e);
	size_t i = good ? probe_of_curve(&c, path, only, l) : l->n;
	struct knees *knees;

	if (i < l->n && probe_is_pair(l->probe[i]))
		c.means_of_all = false;
	knees = i < l->n ? knees_find(&c) : NULL;
	if (knees && out[i].known) {
		good = err_set(e, "%s is a second curve of the probe %s", path, l->probe[i]->name);
		err_hint(e, "leave one of them out");
	} else if (knees && knees->few) {
		good = err_set(e, "%s has too few points to tell where the curve changes: %zu", path, c.n);
		err_hint(e, "measure %d or more", KNEE_FEWEST);
	} else if (knees) {
		out[i] = (struct known_answer){true, probe_answer_of(l->probe[i], knees)};
	} else if (good) {
		answers_file_add_name(others, c.of ? c.of : path);
	}
	knees_free(knees);
	curve_free(&c);
	return good;
}

static int
is_curve(const struct dirent *d)
{
	return file_has_ending(d->d_name, CURVE_ENDING);
}

bool
answers_import(const char *path, const struct probe_list *list, struct known_answer *out, struct str *others,
	struct err *e)
{
	struct dirent **entry;
	bool good = true;
	int n;

	if (!file_is_folder(path))
		return take_curve(path, true, list, out, others, e);
	n = scandir(path, &entry, is_curve, alphasort);
	if (n < 0)
		return err_set(e, "cannot read %s: %s", path, strerror(errno));
	for (int i = 0; i < n; i++) {
		char *file = str_format("%s/%s", path, entry[i]->d_name);

		good = good && take_curve(file, false, list, out, others, e);
		free(file);
		free(entry[i]);
	}
	free(entry);
	return good;
}
