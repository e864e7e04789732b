/* The readers of recorded data against damaged files, and against files whose contents are known.
 *
 * Mutated fixtures: each gives either a table or an error, and the table is valid. Generated files: counts are drawn
 * first, written in a form of perf stat or as a wide CSV, with noise between the lines. Each count must be read back
 * into its cell. Deterministic. With HECATE_SLOW more rounds. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "collect/import/import.h"
#include "core/obs/obs.h"
#include "models.h"
#include "mutate.h"
#include "test.h"

static const char *const pieces[] = {
	",",
	";",
	"\t",
	"\n",
	"\r\n",
	"\"",
	"{",
	"}",
	"[",
	"]",
	"<not counted>",
	"<not supported>",
	",,",
	"100.00",
	"0.00",
	"# started on Sat\n",
	"summary,",
	" Performance counter stats for 'x':\n",
	" seconds time elapsed\n",
	"9223372036854775807",
	"9223372036854775808",
	"-1",
	"nan",
	"1e18",
	"0.1",
	"/",
	":u",
	"\xff",
	"\0x",
	"\xe2\x80\xaf",
	"( +- 1.00% )",
	"(50.00%)",
	"%",
	"CPU0,",
	"\"interval\" : ",
	"observation,time,a\n",
	"     0.100000000",
	"CPI Time\n",
	"Core 1\n",
	"total 1.00 100.00%\n",
	" = ",
	"ncores = 3\n",
	"roi-end.",
	"[1]",
	"Event,Counter,HWThread 0\n",
	"TABLE,Group 2 Raw,X,3\n",
	"# GID|EventCount|CpuCount|Total runtime [s]|A\n",
	"|",
	"Performance counter statistics,\n",
	"# thread_name,pid,tid,count,event_name\n",
	"2021-09-27,00:07:40.507",
	"Timestamp,A,B\n",
	"NaN",
	"\"regions\":",
	"\"value\":",
};

/* Whether the table has what every table must have. */
static bool
is_sound(const struct obs_table *t)
{
	bool good = t->n > 0 && t->n_columns > 0;

	for (size_t i = 0; i < t->n; i++) {
		const struct obs *o = t->obs[i];

		good = good && o->n_rows > 0 && o->decimals >= 0 && o->decimals <= 18 && *o->name;
		for (size_t k = 0; k < o->n_rows * o->n_columns && good; k++) {
			good = o->count[k] >= 0 && (o->counted[k] == 1 || (o->counted[k] == 0 && o->count[k] == 0));
			good = good && (!o->counted[k] || o->health[k % o->n_columns] == OBS_LIVE ||
				(o->count[k] == 0 && o->health[k % o->n_columns] == OBS_ZERO_SUSPECT));
			good = good && (!o->running || (o->running[k] >= 0 && o->running[k] <= 1)) &&
				(!o->error || o->error[k] >= 0);
		}
	}
	return good;
}

static void
fuzz_file(const char *dir, const char *file, unsigned rounds, uint64_t *seed)
{
	char *path = str_format("%s/%s", dir, file);
	unsigned long n;
	char *text = test_read(path, &n);

	for (unsigned round = 0; text && round < rounds; round++) {
		size_t size;
		char *bad = mutate(text, n, pieces, sizeof pieces / sizeof *pieces, 40, seed, &size);
		struct err e = {.what = ""};
		struct obs_table *t = import_read("f.csv", bad, size, round % 3 == 0, &e);

		if (t ? !is_sound(t) || *e.what : !*e.what || !*e.file) {
			test_check(false, __FILE__, __LINE__, "%s, round %u: table %d, sentence \"%s\"", file, round,
				t != NULL, e.what);
			round = rounds;
		}
		obs_table_free(t);
		free(bad);
	}
	free(text);
	free(path);
}

static void
mutated_fixtures_give_a_table_or_an_error(void)
{
	static const char *const dir[] = {"data/perf-stat", "data/perf-stat-6.1", "data/gem5", "data/sniper",
		"data/tools"};
	static const char *const ending[] = {".csv", ".jsonl", ".txt", ".json", ".out"};
	unsigned rounds = test_rounds(60, 20000);
	uint64_t seed = 7;
	size_t files = 0;

	for (size_t d = 0; d < sizeof dir / sizeof *dir; d++)
		for (size_t k = 0; k < sizeof ending / sizeof *ending; k++) {
			size_t n;
			char **name = names_list(dir[d], ending[k], &n);

			for (size_t i = 0; i < n; i++)
				fuzz_file(dir[d], name[i], rounds, &seed);
			files += n;
			names_list_free(name);
		}
	CHECK(files > 90);
}

/* Known contents: counts in thousandths; −1: not counted; −2: not supported. */
#define GROUPS 3
#define EVENTS 5
#define TIMES 6

struct truth {
	size_t groups, events, times; /* times 0: only one total */
	bool timed, whole;            /* whole: counts have no fraction */
	int64_t count[GROUPS][TIMES][EVENTS];
	double running[GROUPS][TIMES][EVENTS];
};

static const char *const event_names[EVENTS] = {
	"page-faults:u", "cpu/event=0x3c,umask=0x0/", "exceptions:page_fault_user", "task-clock", "r01c4"
};

static void
draw_truth(struct truth *t, bool groups, uint64_t *seed)
{
	*t = (struct truth){.groups = groups ? 1 + test_random(seed) % GROUPS : 1,
		.events = 1 + test_random(seed) % EVENTS,
		.timed = test_random(seed) % 2};
	t->times = t->timed ? 1 + test_random(seed) % TIMES : 1;
	t->whole = test_random(seed) % 2;
	for (size_t g = 0; g < t->groups; g++)
		for (size_t i = 0; i < t->times; i++)
			for (size_t k = 0; k < t->events; k++) {
				int64_t most = t->whole ? INT64_MAX / 1000 : 4000000000000;
				int64_t v = (int64_t)(test_random(seed) >> 1 >> test_random(seed) % 62) % most;

				t->count[g][i][k] = test_random(seed) % 7 == 0 ? -1 : t->whole ? v / 1000 * 1000 : v;
				t->running[g][i][k] =
					test_random(seed) % 4 ? 1 : (double)(1 + test_random(seed) % 9999) / 10000;
			}
}

static void
add_count(struct str *out, int64_t v, char point)
{
	if (v < 0)
		str_add(out, "<not counted>");
	else if (v % 1000 == 0)
		str_addf(out, "%lld", (long long)(v / 1000));
	else
		str_addf(out, "%lld%c%03lld", (long long)(v / 1000), point, (long long)(v % 1000));
}

static void
add_noise(struct str *out, uint64_t *seed, const char *const *noise, size_t n)
{
	if (test_random(seed) % 4 == 0)
		str_addf(out, "%s\n", noise[test_random(seed) % n]);
}

static void
write_separated(struct str *out, const struct truth *t, const char *sep, uint64_t *seed)
{
	static const char *const noise[] = {"", "the program's own output", "# a remark", "loaded 5 files"};

	for (size_t i = 0; i < t->times; i++)
		for (size_t k = 0; k < t->events; k++)
			for (size_t g = 0; g < t->groups; g++) {
				add_noise(out, seed, noise, sizeof noise / sizeof *noise);
				if (t->timed)
					str_addf(out, "%6zu.%09d%s", i + 1, 123456789, sep);
				if (t->groups > 1)
					str_addf(out, "CPU%zu%s", g, sep);
				add_count(out, t->count[g][i][k], '.');
				str_addf(out, "%s%s%s%s%s%d%s%.2f%s%s\n", sep, k == 3 ? "msec" : "", sep,
					event_names[k], sep, t->count[g][i][k] < 0 ? 0 : 12345, sep,
					t->running[g][i][k] * 100, sep, sep);
			}
}

static void
write_objects(struct str *out, const struct truth *t, uint64_t *seed)
{
	static const char *const noise[] = {
		"", "hello", "{\"metric-value\" : \"1.0\", \"metric-unit\" : \"%  tma\"}", "{}"
	};

	for (size_t i = 0; i < t->times; i++)
		for (size_t k = 0; k < t->events; k++)
			for (size_t g = 0; g < t->groups; g++) {
				add_noise(out, seed, noise, sizeof noise / sizeof *noise);
				str_add(out, "{");
				if (t->timed)
					str_addf(out, "\"interval\" : %zu.%09d, ", i + 1, 123456789);
				if (t->groups > 1)
					str_addf(out, "\"cpu\" : \"%zu\", ", g);
				str_add(out, "\"counter-value\" : \"");
				add_count(out, t->count[g][i][k], '.');
				str_addf(out,
					"\", \"unit\" : \"%s\", \"event\" : \"%s\", \"event-runtime\" : %d, "
					"\"pcnt-running\" : %.2f%s}\n",
					k == 3 ? "msec" : "", event_names[k], t->count[g][i][k] < 0 ? 0 : 5,
						t->running[g][i][k] * 100,
					test_random(seed) % 2 ? ", " : "");
			}
}

/* In its table perf prints whole counts, or two decimals. */
static void
write_table(struct str *out, const struct truth *t, uint64_t *seed)
{
	static const char *const noise[] = {"", "# a remark", "12 files copied"};
	char value[32];

	if (!t->timed)
		str_add(out, " Performance counter stats for './a.out':\n\n");
	for (size_t i = 0; i < t->times; i++)
		for (size_t k = 0; k < t->events; k++)
			for (size_t g = 0; g < t->groups; g++) {
				if (t->timed) {
					add_noise(out, seed, noise, sizeof noise / sizeof *noise);
					str_addf(out, "%6zu.%09d ", i + 1, 123456789);
				}
				if (t->groups > 1)
					str_addf(out, "CPU%-2zu ", g);
				snprintf(value, sizeof value, "%lld", (long long)(t->count[g][i][k] / 1000));
				str_addf(out, "%24s      %-25s  # 1.000 K/sec",
					t->count[g][i][k] < 0 ? "<not counted>" : value, event_names[k]);
				if (t->running[g][i][k] < 1)
					str_addf(out, "    (%.2f%%)", t->running[g][i][k] * 100);
				str_addc(out, '\n');
			}
	if (!t->timed)
		str_add(out, "\n       0.001371137 seconds time elapsed\n\n");
}

static void
write_wide(struct str *out, const struct truth *t, uint64_t *seed)
{
	str_addf(out, "%s%s", t->groups > 1 ? "observation," : "", t->timed ? "time," : "");
	for (size_t k = 0; k < t->events; k++)
		str_addf(out, "%s\"%s\"", k ? "," : "", event_names[k]);
	str_addc(out, '\n');
	for (size_t i = 0; i < t->times; i++)
		for (size_t g = 0; g < t->groups; g++) {
			if (test_random(seed) % 5 == 0)
				str_add(out, "\r\n");
			if (t->groups > 1)
				str_addf(out, "f:CPU%zu,", g);
			if (t->timed)
				str_addf(out, "%zu.%09d,", i + 1, 123456789);
			for (size_t k = 0; k < t->events; k++) {
				str_add(out, k ? "," : "");
				if (t->count[g][i][k] >= 0)
					add_count(out, t->count[g][i][k], '.');
				else if (t->events == 1 && t->groups == 1 && !t->timed)
					str_add(out, "\"\"");
			}
			str_add(out, test_random(seed) % 2 ? "\n" : "\r\n");
		}
}

static size_t
find_column(const struct obs_table *t, const char *name)
{
	size_t i = 0;

	while (i < t->n_columns && !str_eq(t->column[i], name))
		i++;
	return i;
}

static bool
cell_agrees(const struct truth *w, const struct obs *o, size_t g, size_t row, size_t event, size_t column, bool quality)
{
	size_t cell = row * o->n_columns + column;
	int64_t want = w->count[g][row][event];

	if (want < 0)
		return !o->counted[cell];
	for (int d = o->decimals; d < 3; d++)
		want /= want % 10 == 0 ? 10 : 1;
	return o->counted[cell] && o->count[cell] == want &&
	       (!quality || fabs((o->running ? o->running[cell] : 1) - w->running[g][row][event]) < 1e-9);
}

static bool
agrees(const struct truth *w, const struct obs_table *t, bool quality, bool unit)
{
	if (!t || t->n != w->groups || t->n_columns != w->events)
		return false;
	for (size_t g = 0; g < w->groups; g++) {
		const struct obs *o = t->obs[g];
		char name[16];

		snprintf(name, sizeof name, w->groups > 1 ? "f:CPU%zu" : "f", g);
		if (!str_eq(o->name, name) || o->n_rows != w->times || o->decimals > 3)
			return false;
		for (size_t row = 0; row < o->n_rows; row++) {
			if (w->timed && fabs(o->time[row] - ((double)row + 1.123456789)) > 1e-12)
				return false;
			for (size_t k = 0; k < w->events; k++) {
				size_t column = find_column(t, unit && k == 3 ? "task-clock (msec)" : event_names[k]);

				if (column == t->n_columns || !cell_agrees(w, o, g, row, k, column, quality))
					return false;
			}
		}
	}
	return true;
}

static void
what_is_written_comes_back(void)
{
	static const char *const sep[] = {",", ";", "\t", "|", "#", "::"};
	unsigned rounds = test_rounds(3000, 300000);
	uint64_t seed = 11;

	for (unsigned round = 0; round < rounds; round++) {
		unsigned shape = round % 4;
		struct str text = {0};
		struct err e = {.what = ""};
		struct obs_table *t;
		struct truth w;

		draw_truth(&w, true, &seed);
		if (shape == 0)
			write_separated(&text, &w, sep[test_random(&seed) % 6], &seed);
		else if (shape == 1)
			write_objects(&text, &w, &seed);
		else if (shape == 2 && !w.whole)
			shape = 3;
		else if (shape == 2)
			write_table(&text, &w, &seed);
		if (shape == 3)
			write_wide(&text, &w, &seed);
		t = import_read("f.csv", str_text(&text), text.n, false, &e);
		if (!agrees(&w, t, shape != 3, shape < 2)) {
			test_check(false, __FILE__, __LINE__, "round %u, shape %u: %s\n%s", round, shape, e.what,
				str_text(&text));
			round = rounds;
		}
		obs_table_free(t);
		str_free(&text);
	}
	CHECK(true);
}

TEST_MAIN(CASE(mutated_fixtures_give_a_table_or_an_error), CASE(what_is_written_comes_back))
