#include "work/diff/measure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/shell.h"
#include "base/str.h"
#include "base/utf8.h"
#include "collect/import/perf_record.h"
#include "core/obs/obs.h"
#include "core/obs/rows.h"
#include "work/diff/sides.h"
#include "work/files/data.h"
#include "work/files/files.h"

#define RESULT_MOST ((size_t)64 << 20) /* bytes of a result file */

bool
recorded_diff_is(const char *word)
{
	struct stat st;

	return stat(word, &st) == 0 && S_ISREG(st.st_mode) && access(word, X_OK) != 0;
}

/* --- building the table ------------------------------------------------------------------------------------------- */

/* Where one side states a mean, the other side's runs become one, too. A mean is the one value of its side. */
static void
align(struct part *a, struct part *b)
{
	struct part *of[2] = {a, b};

	for (int k = 0; k < 2 && (a->is_stated || b->is_stated); k++) {
		if (!of[k]->is_stated)
			part_summarise(of[k]);
		of[k]->n = 0;
		part_add(of[k], of[k]->stated.mean);
	}
}

void
recorded_diff_note(struct recorded_diff *out, char *text)
{
	out->note = mem_resize(out->note, out->n_notes + 1, sizeof *out->note);
	out->note[out->n_notes++] = text;
}

/* Quantities that only one side has; clears the list. */
static void
note_lack(struct recorded_diff *out, const char *side, struct str *list)
{
	char *visible = utf8_visible(str_text(list));

	if (list->n)
		recorded_diff_note(out, str_format("only %s has %.300s%s", side, visible, list->n > 300 ? " …" : ""));
	free(visible);
	str_clear(list);
}

/* Puts the quantities that both sides have into one table: A's runs, then B's. */
static bool
join(struct side side[2], struct recorded_diff *out, struct err *e)
{
	struct diff_table *t = &out->measured.table;
	struct str lacks = {0};
	size_t n[2] = {0};

	t->quantity = mem_new_array(side[0].n + 1, sizeof *t->quantity);
	out->text = mem_new_array(side[0].n + 1, sizeof *out->text);
	for (size_t i = 0; i < side[0].n; i++)
		if (side_find(&side[1], side[0].names.name[i]))
			align(&side[0].part[i], side_find(&side[1], side[0].names.name[i]));
	for (int k = 0; k < 2; k++)
		for (size_t i = 0; i < side[k].n; i++)
			n[k] = side[k].part[i].n > n[k] ? side[k].part[i].n : n[k];
	t->n_runs = n[0] + n[1];
	t->is_b = mem_new_array(t->n_runs + 1, 1);
	memset(t->is_b + n[0], 1, n[1]);
	for (size_t i = 0; i < side[0].n; i++) {
		size_t from = i == 0 ? side->first : i <= side->first ? i - 1 : i;
		const char *name = side[0].names.name[from];
		const struct part *of[2] = {&side[0].part[from], side_find(&side[1], name)};
		struct diff_quantity *q = &t->quantity[t->n];

		if (!of[1]) {
			str_addf(&lacks, "%s%s", lacks.n ? ", " : "", name);
			continue;
		}
		out->text[out->n_texts] = utf8_visible(name);
		*q = (struct diff_quantity){.name = out->text[out->n_texts++],
			.unit = of[0]->unit,
			.is_time = *of[0]->unit != '\0',
			.value = mem_new_array(t->n_runs + 1, sizeof *q->value)};
		for (size_t r = 0; r < t->n_runs; r++) {
			const struct part *p = of[r >= n[0]];
			size_t at = r >= n[0] ? r - n[0] : r;

			q->value[r] = at < p->n ? p->value[at] : NAN;
		}
		if (of[0]->is_stated) {
			q->stated = mem_new_array(2, sizeof *q->stated);
			q->stated[0] = of[0]->stated;
			q->stated[1] = of[1]->stated;
		}
		t->n++;
	}
	note_lack(out, "A", &lacks);
	for (size_t i = 0; i < side[1].n; i++)
		if (!side_find(&side[0], side[1].names.name[i]))
			str_addf(&lacks, "%s%s", lacks.n ? ", " : "", side[1].names.name[i]);
	note_lack(out, "B", &lacks);
	str_free(&lacks);
	out->side[0] = utf8_visible(side[0].name);
	out->side[1] = utf8_visible(side[1].name);
	if (!t->n)
		return err_set(e, "%s and %s have no quantity in common", side[0].name, side[1].name);
	return true;
}

/* Joins the sides if they are good, and frees them. On failure *out is empty. */
static bool
join_and_clear(struct side side[2], bool good, struct recorded_diff *out, struct err *e)
{
	good = good && join(side, out, e);
	side_clear(&side[0]);
	side_clear(&side[1]);
	if (!good)
		recorded_diff_clear(out);
	return good;
}

/* --- results of other tools --------------------------------------------------------------------------------------- */

/* A result of hyperfine: "times", and where it is there the user and system time of all runs together. */
static void
take_hyperfine(const struct json *result, struct side *side)
{
	const struct json *command = json_get(result, "command"), *times = json_get(result, "times");

	if (!side->name)
		side->name = mem_str(command && command->kind == JSON_STRING ? command->text : "?");
	for (const struct json *t = times ? times->first : NULL; t; t = t->next)
		part_add(side_part(side, "wall time", "s"), json_number(t));
}

static double
seconds_of(const char *unit)
{
	return !unit || str_eq(unit, "ns") ? 1e-9 : str_eq(unit, "us") ? 1e-6 : str_eq(unit, "ms") ? 1e-3 : 1;
}

/* Repetitions of google/benchmark's benchmarks; its own aggregates are left out. */
static void
take_benchmarks(const struct json *list, struct side *side)
{
	for (const struct json *b = list->first; b; b = b->next) {
		const struct json *name = json_get(b, "run_name"), *type = json_get(b, "run_type"),
				  *unit = json_get(b, "time_unit");
		double seconds = seconds_of(unit && unit->kind == JSON_STRING ? unit->text : NULL), real, cpu;
		char *of_cpu;

		if (!name || name->kind != JSON_STRING)
			name = json_get(b, "name");
		if (!name || name->kind != JSON_STRING ||
			(type && type->kind == JSON_STRING && str_eq(type->text, "aggregate")))
			continue;
		real = json_number(json_get(b, "real_time"));
		cpu = json_number(json_get(b, "cpu_time"));
		part_add(side_part(side, name->text, "s"), real * seconds);
		of_cpu = str_format("%s (CPU)", name->text);
		part_add(side_part(side, of_cpu, "s"), cpu * seconds);
		free(of_cpu);
	}
}

static const char *
string_or(const struct json *json, const char *otherwise)
{
	return json && json->kind == JSON_STRING ? json->text : otherwise;
}

/* Means of A and of B that stand instead of runs. False: they do not fit the values. */
static bool
take_own_stated(const struct json *list, size_t n_runs, struct diff_quantity *to)
{
	size_t k = 0;

	if (!list || list->kind != JSON_ARRAY || !list->n)
		return true;
	if (list->n != 2 || n_runs != 2)
		return false;
	to->stated = mem_new_array(2, sizeof *to->stated);
	for (const struct json *s = list->first; s; s = s->next) {
		const struct json *of_runs = json_get(s, "of_runs");
		double runs = json_number(json_get(s, "runs"));

		to->stated[k++] = (struct diff_stated){.mean = json_number(json_get(s, "mean")),
			.spread = json_number(json_get(s, "spread")),
			.grain = fmax(0, json_number(json_get(s, "grain"))),
			.runs = runs > 0 && runs < 1e9 ? (size_t)runs : 0,
			.of_runs = of_runs && of_runs->kind == JSON_BOOL && of_runs->truth};
	}
	return true;
}

/* A document of hecate diff: runs in the order in which they ran. */
static bool
take_own(const char *path, const struct json *document, struct recorded_diff *out, struct err *e)
{
	const struct json *commands = json_get(document, "commands"), *order = json_get(document, "order"),
			  *list = json_get(document, "quantities"), *recorded = json_get(document, "recorded"),
			  *a = commands ? commands->first : NULL;
	struct diff_table *t = &out->measured.table;
	size_t n = list && list->kind == JSON_ARRAY ? list->n : 0;
	bool good = n && order && order->kind == JSON_ARRAY && order->n;

	for (const struct json *o = good ? order->first : NULL; o; o = o->next)
		good &= o->kind == JSON_STRING && (str_eq(o->text, "A") || str_eq(o->text, "B"));
	if (good) {
		t->is_b = mem_new_array(order->n, 1);
		for (const struct json *o = order->first; o; o = o->next)
			t->is_b[t->n_runs++] = str_eq(o->text, "B");
		t->quantity = mem_new_array(n, sizeof *t->quantity);
		out->text = mem_new_array(2 * n, sizeof *out->text);
	}
	for (const struct json *q = good ? list->first : NULL; q && good; q = q->next) {
		const struct json *value = json_get(q, "values");
		const char *unit = string_or(json_get(q, "unit"), "");
		struct diff_quantity *to = &t->quantity[t->n++];
		size_t r = 0;

		good = value && value->kind == JSON_ARRAY && value->n == t->n_runs;
		*to = (struct diff_quantity){.is_time = *unit != '\0',
			.name = out->text[out->n_texts++] = utf8_visible(string_or(json_get(q, "name"), "?")),
			.unit = out->text[out->n_texts++] = utf8_visible(unit),
			.value = mem_new_array(t->n_runs, sizeof *to->value)};
		for (const struct json *v = good ? value->first : NULL; v; v = v->next)
			to->value[r++] = json_number(v);
		good = good && take_own_stated(json_get(q, "stated"), t->n_runs, to);
	}
	for (int k = 0; k < 2; k++) {
		out->side[k] = utf8_visible(string_or(a, k ? "B" : "A"));
		a = a ? a->next : NULL;
	}
	out->measured.seconds = json_number(json_get(document, "seconds"));
	out->measured.random_layout = json_get(document, "randomised") && json_get(document, "randomised")->n > 1;
	out->drawn = recorded && recorded->kind == JSON_BOOL && !recorded->truth && t->n_runs % SHIFT_BLOCK == 0;
	if (!good) {
		err_set(e, "%s is a document of hecate diff, but its runs are not whole", path);
		err_hint(e, "hecate diff --json -o FILE writes one");
		recorded_diff_clear(out);
	}
	return good;
}

/* Takes a result file of another tool into sides from `*n` on. False: it is none. */
static bool
take_results(const char *path, const struct json *document, struct side side[2], size_t *n)
{
	const struct json *results = json_get(document, "results"), *benchmarks = json_get(document, "benchmarks");

	if (results && results->kind == JSON_ARRAY && results->first && json_get(results->first, "times")) {
		for (const struct json *r = results->first; r && *n < 2; r = r->next)
			take_hyperfine(r, &side[(*n)++]);
		return true;
	}
	if (!benchmarks || benchmarks->kind != JSON_ARRAY || *n >= 2)
		return false;
	side[*n].name = mem_str(path);
	take_benchmarks(benchmarks, &side[(*n)++]);
	return true;
}

/* A file as a text, and as a JSON document if it is one. */
struct result_file {
	char *text;
	struct json *document;
};

static void
result_file_read(struct result_file *f, const char *path)
{
	struct err ignored = {0};
	size_t size;

	f->text = file_read(path, RESULT_MOST, &size, &ignored);
	f->document = f->text && strchr(" \t\r\n{", *f->text) ? json_parse(f->text, size, &ignored) : NULL;
}

static void
result_file_free(struct result_file *f)
{
	json_free(f->document);
	free(f->text);
	*f = (struct result_file){0};
}

/* --- data --------------------------------------------------------------------------------------------------------- */

static double
cell(const struct obs *obs, size_t row, size_t column)
{
	size_t at = row * obs->n_columns + column;

	return obs->counted[at] == OBS_COUNTED ? (double)obs->count[at] * pow(10, -obs->decimals) : NAN;
}

static void
take_samples(const struct obs_table *table, const struct obs *obs, struct side *side)
{
	struct obs near = obs_near(obs);

	for (size_t r = 0; r < obs->n_rows; r++)
		for (size_t c = 0; c < table->n_columns && c < obs->n_columns; c++)
			part_add(side_part(side, table->column[c], ""), cell(&near, r, c));
	obs_near_free(&near, obs);
}

bool
recorded_diff_of(const struct obs_table *const table[2], const struct obs *const obs[2], struct recorded_diff *out,
	struct err *e)
{
	struct side side[2] = {{0}};
	bool good = true;

	*out = (struct recorded_diff){0};
	for (int k = 0; k < 2 && good; k++) {
		good = obs[k]->n_rows > 1;
		side[k].name = mem_str(obs[k]->name);
		take_samples(table[k], obs[k], &side[k]);
		if (!good) {
			err_set(e, "%s has one sample, which says nothing of its spread", obs[k]->name);
			err_hint(e, "hecate diff 'A' 'B' runs two commands often enough");
		}
	}
	return join_and_clear(side, good, out, e);
}

/* Runs of a table: its observations, or the rows of the only one. */
static void
take_table(const struct obs_table *table, struct side *side)
{
	if (table->n == 1)
		take_samples(table, table->obs[0], side);
	for (size_t k = 0; k < table->n && table->n > 1; k++) {
		const struct obs *obs = table->obs[k];

		if (obs->n_rows == 1 && obs->elapsed > 0)
			part_add(side_part(side, "wall time", "s"), obs->elapsed);
		for (size_t c = 0; c < table->n_columns && c < obs->n_columns; c++) {
			double sum = 0;

			for (size_t r = 0; r < obs->n_rows; r++)
				sum += cell(obs, r, c);
			part_add(side_part(side, table->column[c], ""), obs->n_rows ? sum : NAN);
		}
	}
}

/* Means with a stated error, as perf stat -r writes them, are no runs. */
static bool
is_mean(const struct obs *obs)
{
	return obs->n_rows == 1 && obs->error;
}

/* Exact totals of runs; or, where there are means, these, which no reader takes for exact. */
static struct obs_table *
read_runs(const char *path, struct err *e)
{
	struct obs_table *table = data_read(path, true, e);
	bool means = false;

	for (size_t i = 0; table && i < table->n; i++)
		means |= is_mean(table->obs[i]);
	if (!means)
		return table;
	obs_table_free(table);
	return data_read(path, false, e);
}

static void
take_means(const struct obs_table *table, const struct obs *obs, struct side *side)
{
	struct diff_stated stated = {.mean = obs->elapsed, .spread = obs->elapsed_error, .runs = (size_t)obs->runs};

	if (obs->elapsed > 0 && obs->elapsed_error > 0)
		side_add_stated(side, "wall time", "s", &stated);
	for (size_t c = 0; c < table->n_columns && c < obs->n_columns; c++) {
		stated.mean = cell(obs, 0, c);
		/* perf rounds the share to two decimals */
		stated.spread = obs->error[c] + fabs(stated.mean) * PERF_SPREAD_GRAIN;
		stated.grain = 0.5 * pow(10, -obs->decimals);
		side_add_stated(side, table->column[c], "", &stated);
	}
}

/* Two columns of one table are A and B. */
static bool
take_columns(const struct obs_table *table, char *const *column, const char *path, struct side side[2], struct err *e)
{
	size_t at[2] = {0, 1};

	if (!column && table->n_columns != 2) {
		err_set(e, "%s has %zu columns of numbers", path, table->n_columns);
		return err_hint(e, "--columns A,B names the two to compare");
	}
	for (int k = 0; k < 2; k++) {
		for (at[k] = column ? 0 : (size_t)k; column && at[k] < table->n_columns; at[k]++)
			if (str_eq(table->column[at[k]], column[k]))
				break;
		if (at[k] >= table->n_columns)
			return err_set(e, "%s has no column %s", path, column[k]);
		side[k].name = mem_str(table->column[at[k]]);
		for (size_t o = 0; o < table->n; o++)
			for (size_t r = 0; r < table->obs[o]->n_rows; r++)
				part_add(side_part(&side[k], "value", ""), cell(table->obs[o], r, at[k]));
	}
	return true;
}

static void
keep_notes(const struct obs_table *table, struct recorded_diff *out)
{
	for (size_t i = 0; table && i < table->n_notes; i++)
		recorded_diff_note(out, mem_str(table->note[i]));
}

/* Takes data as the next side, or as both. */
static bool
take_data(const char *path, bool alone, char *const *column, struct side side[2], size_t *taken,
	struct recorded_diff *out, struct err *e)
{
	struct obs_table *table = read_runs(path, e);
	bool good = table != NULL;

	if (good && alone && !column && table->n == 2 && is_mean(table->obs[0]) && is_mean(table->obs[1])) {
		for (; *taken < 2; ++*taken) { /* before and after a change in one text */
			side[*taken].name = mem_str(table->obs[*taken]->name);
			take_means(table, table->obs[*taken], &side[*taken]);
		}
	} else if (good && table->n == 1 && is_mean(table->obs[0]) && *taken < 2) {
		side[*taken].name = mem_str(path);
		take_means(table, table->obs[0], &side[(*taken)++]);
	} else if (good && alone) {
		good = take_columns(table, column, path, side, e);
		*taken = 2;
	} else if (good && *taken < 2) {
		side[*taken].name = mem_str(path);
		take_table(table, &side[(*taken)++]);
	}
	keep_notes(table, out);
	obs_table_free(table);
	return good;
}

bool
recorded_diff_read(char *const *path, size_t n, char *const *column, struct recorded_diff *out, struct err *e)
{
	struct side side[2] = {{0}};
	size_t taken = 0;
	bool good = true, own = false;

	*out = (struct recorded_diff){0};
	for (size_t i = 0; i < n && good && !own; i++) {
		struct result_file f = {0};

		if (!column)
			result_file_read(&f, path[i]);
		own = n == 1 && str_starts(string_or(json_get(f.document, "schema"), ""), "hecate.diff/");
		if (own) {
			good = take_own(path[i], f.document, out, e);
		} else if (n == 1 && f.text && published_take(path[i], f.text, side, out, e)) {
			good = !*e->what;
			taken = 2;
		} else if (!take_results(path[i], f.document, side, &taken)) {
			result_file_free(&f); /* before it is read again */
			good = take_data(path[i], n == 1, column, side, &taken, out, e);
		}
		result_file_free(&f);
	}
	if (own)
		return good;
	if (good && taken < 2) {
		good = err_set(e, "%s has the results of one command", path[0]);
		err_hint(e, "name a second file");
	}
	return join_and_clear(side, good, out, e);
}

bool
recorded_diff_narrow(struct recorded_diff *r, size_t runs, const char *const *name, size_t n, struct err *e)
{
	struct diff_table *t = &r->measured.table;

	for (size_t i = 0; i < t->n && runs > 1; i++)
		for (int k = 0; k < 2 && t->quantity[i].stated; k++)
			if (!t->quantity[i].stated[k].runs)
				t->quantity[i].stated[k].runs = runs;
	for (size_t i = 0; i < n; i++) {
		struct diff_quantity found;
		size_t at = i;

		while (at < t->n && !str_eq(t->quantity[at].name, name[i]))
			at++;
		if (at == t->n) {
			err_set(e, "A and B have no quantity %s in common", name[i]);
			return err_hint(e, "without --counters, all that they have in common are listed");
		}
		found = t->quantity[at];
		t->quantity[at] = t->quantity[i];
		t->quantity[i] = found;
	}
	for (; n && t->n > n; t->n--)
		diff_quantity_clear(&t->quantity[t->n - 1]);
	return true;
}

void
recorded_diff_judge(struct recorded_diff *r, const struct diff_rule *rule)
{
	if (r->drawn)
		diff_judge(&r->measured.table, rule, &r->measured.report);
	else
		diff_judge_recorded(&r->measured.table, rule, &r->measured.report);
}

void
recorded_diff_clear(struct recorded_diff *r)
{
	measured_diff_clear(&r->measured);
	for (size_t i = 0; i < r->n_texts; i++)
		free(r->text[i]);
	for (size_t i = 0; i < r->n_notes; i++)
		free(r->note[i]);
	free(r->text);
	free(r->note);
	free(r->side[0]);
	free(r->side[1]);
	*r = (struct recorded_diff){0};
}
