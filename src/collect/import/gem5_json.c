/* Statistics that gem5 writes as JSON (m5.stats with json://, or Simulator.get_simstats()):
 *
 *	{ "type": "SimStat", "creation_time": "…", "simulated_begin_time": 0, "simulated_end_time": 36000000,
 *	  "system": { "type": "SimObject", "processor": { "cores": [ { "core": {
 *	    "numCycles": { "value": 71002.0, "type": "Scalar", "unit": "Cycle", "datatype": "f64" },
 *	    "ipc": { "value": 0.52, "type": "Scalar", "unit": "(Count/Cycle)" },
 *	    "committedInsts": { "type": "Vector", "value": { "total": { "value": 12.0, "type": "Scalar" } } }
 *	  } } ] } } }
 *
 * A statistic is an object with a value; all others are groups. Names become those of stats.txt: groups joined by
 * points, an element of an array by its number (cores0), an element of a vector after "::". Numbers are doubles there,
 * so a count beyond 2^53 has lost its last digits. Python writes NaN and Infinity, which JSON lacks. Several documents
 * in an array are an observation each.
 *
 * Source: src/python/m5/ext/pystats and src/python/m5/stats/gem5stats.py of gem5 22 to 24. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/names.h"
#include "base/number.h"
#include "base/str.h"
#include "base/utf8.h"
#include "collect/import/decimal.h"
#include "collect/import/feed.h"
#include "collect/import/import.h"
#include "collect/import/tools.h"
#include "core/obs/obs.h"

#define EXACT_MOST ((int64_t)1 << 53)
#define NAMES_SHOWN 3

enum gem5_left { GEM5_LEFT_METRIC, GEM5_LEFT_LARGE, GEM5_LEFT_SPREAD, GEM5_LEFTS };
static const char *const left_text[GEM5_LEFTS] = {
	[GEM5_LEFT_METRIC] = "not a count but an average, a ratio, nan and the like",
	[GEM5_LEFT_LARGE] = "beyond 2^53, where gem5's JSON loses digits",
	[GEM5_LEFT_SPREAD] = "describes a distribution",
};

struct gem5_cell {
	size_t column, dump;
	int64_t count;
};

struct gem5_json {
	const char *name;
	struct names columns, left[GEM5_LEFTS];
	struct gem5_cell *cell;
	size_t n_cells, cap_cells;
	size_t dump;
};

static bool
is_type(const struct json *v, const char *type)
{
	const struct json *t = json_get(v, "type");

	return t && t->kind == JSON_STRING && str_eq(t->text, type);
}

static void
gem5_json_leave(struct gem5_json *g, enum gem5_left why, const char *path)
{
	names_add(&g->left[why], path, strlen(path));
}

/* Returns whether the unit is one of a ratio: "(Count/Cycle)", "Ratio". */
static bool
is_ratio(const struct json *statistic)
{
	const struct json *unit = json_get(statistic, "unit");

	return unit && unit->text && (strchr(unit->text, '/') || strstr(unit->text, "Ratio"));
}

/* Adds the count of a value: a number, or a scalar. */
static void
gem5_json_take_value(struct gem5_json *json, const char *path, const struct json *v)
{
	const struct json *number = v->kind == JSON_OBJECT ? json_get(v, "value") : v;
	struct decimal d = {0};

	if (!number || number->kind != JSON_NUMBER || is_ratio(v) || decimal_parse(number->text, &d) != DECIMAL_GOOD ||
		d.decimals) {
		gem5_json_leave(json, GEM5_LEFT_METRIC, path);
		return;
	}
	if (d.digits > EXACT_MOST) {
		gem5_json_leave(json, GEM5_LEFT_LARGE, path);
		return;
	}
	mem_grow(&json->cell, &json->cap_cells, json->n_cells + 1, sizeof *json->cell);
	json->cell[json->n_cells++] = (struct gem5_cell){
		names_add(&json->columns, path, strlen(path)), json->dump, d.digits};
}

/* Takes the elements of a vector, a histogram or a distribution. */
static void
take_elements(struct gem5_json *json, const char *path, const struct json *values)
{
	size_t i = 0;

	for (const struct json *v = values->first; v; v = v->next, i++) {
		char *own = v->key ? str_format("%s::%s", path, v->key) : str_format("%s::%zu", path, i);
		const struct json *inner = v->kind == JSON_OBJECT ? json_get(v, "value") : NULL;

		if (inner && (inner->kind == JSON_OBJECT || inner->kind == JSON_ARRAY))
			take_elements(json, own, inner);
		else
			gem5_json_take_value(json, own, v);
		free(own);
	}
}

/* Adds a statistic. Returns false if the object is a group. */
static bool
take_statistic(struct gem5_json *json, const char *path, const struct json *v)
{
	const struct json *value = json_get(v, "value");

	if (is_type(v, "Accumulator") || is_type(v, "Formula")) {
		gem5_json_leave(json, is_type(v, "Formula") ? GEM5_LEFT_METRIC : GEM5_LEFT_SPREAD, path);
		return true;
	}
	if (!value || is_type(v, "Group") || is_type(v, "SimObject"))
		return false;
	if (value->kind == JSON_OBJECT || value->kind == JSON_ARRAY) {
		static const char *const tail[] = {"underflow", "overflow"};

		/* an array of groups is a vector of objects */
		if (value->kind == JSON_ARRAY && value->first && value->first->kind == JSON_OBJECT &&
			!json_get(value->first, "value"))
			return false;
		take_elements(json, path, value);
		for (size_t i = 0; i < 2; i++)
			if (json_get(v, tail[i])) {
				char *own = str_format("%s::%ss", path, tail[i]);

				gem5_json_take_value(json, own, json_get(v, tail[i]));
				free(own);
			}
	} else {
		gem5_json_take_value(json, path, v);
	}
	return true;
}

/* The path of a group's child. Elements of an array, and keys that are numbers, belong to the name before them. */
static char *
child_path(const char *path, const struct json *child, size_t i, bool array)
{
	if (array)
		return str_format("%s%zu", path, i);
	if (*path && isdigit((unsigned char)*child->key))
		return str_format("%s%s", path, child->key);
	return str_format("%s%s%s", path, *path ? "." : "", child->key);
}

static void
take_group(struct gem5_json *json, const char *path, const struct json *group)
{
	size_t i = 0;

	for (const struct json *v = group->first; v; v = v->next, i++) {
		bool array = group->kind == JSON_ARRAY;
		char *own;

		if ((v->kind != JSON_OBJECT && v->kind != JSON_ARRAY) ||
			(!array && (str_eq(v->key, "time_conversion") || str_starts(v->key, "host"))))
			continue;
		own = !array && str_eq(v->key, "value") ? mem_str(path) : child_path(path, v, i, array);
		if (v->kind == JSON_ARRAY || !take_statistic(json, own, v))
			take_group(json, own, v);
		free(own);
	}
}

/* Returns the text with an empty string in the place of each NaN and Infinity. The caller frees it. */
static char *
without_nan(const char *text, size_t n)
{
	static const char *const word[] = {"NaN", "-Infinity", "Infinity"};
	char *out = mem_strn(text, n);
	bool quoted = false;

	for (size_t i = 0; i < n; i++) {
		if (quoted && out[i] == '\\') {
			i++; /* whatever follows is no end of the text */
			continue;
		}
		quoted ^= out[i] == '"';
		for (size_t k = 0; k < sizeof word / sizeof *word && !quoted; k++) {
			size_t m = strlen(word[k]);

			if (n - i >= m && memcmp(out + i, word[k], m) == 0) {
				memset(out + i, ' ', m);
				out[i] = out[i + 1] = '"';
				break;
			}
		}
	}
	return out;
}

static void
note_left(const struct gem5_json *json, struct obs_table *table)
{
	for (int why = 0; why < (int)GEM5_LEFTS; why++) {
		const struct names *names = &json->left[why];
		struct str s = {0};

		if (!names->n)
			continue;
		str_addf(&s, "%s: %zu statistic%s left out (%s): ", json->name, names->n, plural_s(names->n),
			left_text[why]);
		for (size_t i = 0; i < names->n && i < NAMES_SHOWN; i++) {
			str_add(&s, i ? ", " : "");
			utf8_add_visible(&s, names->name[i], strlen(names->name[i]));
		}
		str_add(&s, names->n > NAMES_SHOWN ? ", …" : "");
		obs_table_note(table, OBS_NOTE_NO_COUNT, str_take(&s));
	}
}

static struct obs_table *
gem5_json_make_table(const struct gem5_json *json)
{
	size_t n = json->columns.n;
	struct obs_table *table = obs_table_new((const char *const *)json->columns.name, n);
	int64_t *count = mem_new_array(n, sizeof *count);
	unsigned char *counted = mem_new_array(n, 1);
	char *name = feed_own_name(json->name);

	for (size_t i = 0; i < json->n_cells;) {
		struct obs *obs = obs_table_add(table, name, json->name);
		size_t dump = json->cell[i].dump;

		memset(count, 0, n * sizeof *count);
		memset(counted, 0, n);
		for (; i < json->n_cells && json->cell[i].dump == dump; i++) {
			count[json->cell[i].column] = json->cell[i].count;
			counted[json->cell[i].column] = 1;
		}
		obs->exact = true;
		obs_add_row(obs, count, counted, NAN);
	}
	note_left(json, table);
	free(count);
	free(counted);
	free(name);
	return table;
}

static struct obs_table *
read_document(struct gem5_json *json, const struct json *document, struct err *e)
{
	if (document->kind == JSON_ARRAY) {
		for (const struct json *v = document->first; v; v = v->next, json->dump++)
			take_group(json, "", v);
	} else {
		take_group(json, "", document);
		json->dump = 1;
	}
	if (json->n_cells && json->columns.n <= IMPORT_CELLS_MAX / json->dump)
		return gem5_json_make_table(json);
	err_set(e, json->n_cells ? "the file has too many statistics and dumps to be kept in memory" :
		"no statistic of this output of gem5 is a count");
	err_hint(e, "import what gem5 wrote with json://FILE, each dump from a file of its own");
	err_place(e, json->name, 0, 0);
	return NULL;
}

struct obs_table *
gem5_json_read(const char *name, const char *text, size_t n, bool exact, struct err *e)
{
	struct gem5_json g = {.name = name};
	size_t mark = n >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
	char *plain = without_nan(text + mark, n - mark);
	struct json *document = json_parse(plain, n - mark, e);
	struct obs_table *table = NULL;

	(void)exact; /* they always are */
	if (document)
		table = read_document(&g, document, e);
	else if (e) {
		err_place(e, name, e->line, e->col);
		err_hint(e, "import the file as gem5 wrote it; is the simulation still running?");
	}
	json_free(document);
	free(plain);
	for (int why = 0; why < (int)GEM5_LEFTS; why++)
		names_free(&g.left[why]);
	names_free(&g.columns);
	free(g.cell);
	return table;
}
