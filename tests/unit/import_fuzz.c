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
find_column(const struct obs_table *t, const char *name, const char *owner)
{
	size_t i = 0, n = strlen(name);

	while (i < t->n_columns && (strncmp(t->column[i], name, n) || !str_eq(t->column[i] + n, owner ? owner : "")))
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

/* How a text shows the truth. */
struct shape {
	bool quality, unit;       /* it has shares of time; units become part of the names */
	const char *const *names; /* of its events */
	const char *owner;        /* that follows each name; NULL: none */
	double first;             /* time of its first row */
};

static bool
agrees(const struct truth *w, const struct obs_table *t, const struct shape *how)
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
			if (w->timed && fabs(o->time[row] - ((double)row + how->first)) > 1e-12)
				return false;
			for (size_t k = 0; k < w->events; k++) {
				const char *event = how->unit && k == 3 ? "task-clock (msec)" : how->names[k];
				size_t column = find_column(t, event, how->owner);

				if (column == t->n_columns || !cell_agrees(w, o, g, row, k, column, how->quality))
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
		if (!agrees(&w, t, &(struct shape){.quality = shape != 3, .unit = shape < 2,
			.names = event_names, .first = 1.123456789})) {
			test_check(false, __FILE__, __LINE__, "round %u, shape %u: %s\n%s", round, shape, e.what,
				str_text(&text));
			round = rounds;
		}
		obs_table_free(t);
		str_free(&text);
	}
	CHECK(true);
}

/* --- other tools ------------------------------------------------------------------------------------------------- */

static const char *const plain_names[EVENTS] = {
	"page-faults:u", "cpu_event_0x3c", "exceptions:page_fault_user", "task-clock", "r01c4"
};

static void
add_or_none(struct str *out, int64_t v, const char *none)
{
	if (v < 0)
		str_add(out, none);
	else
		add_count(out, v, '.');
}

static void
write_likwid(struct str *out, const struct truth *t, uint64_t *seed)
{
	bool drawn = test_random(seed) % 2;
	const char *edge = drawn ? "| " : "", *between = drawn ? " | " : ",", *end = drawn ? " |\n" : "\n";

	str_add(out, drawn ? "Group 1: X\n+-------+\n" : "TABLE,Group 1 Raw,X,9\n");
	str_addf(out, "%sEvent%sCounter", edge, between);
	for (size_t g = 0; g < t->groups; g++)
		str_addf(out, "%sHWThread %zu", between, g);
	str_add(out, end);
	for (size_t k = 0; k < t->events; k++) {
		str_addf(out, "%s%s%sPMC%zu", edge, plain_names[k], between, k);
		for (size_t g = 0; g < t->groups; g++) {
			str_add(out, between);
			add_or_none(out, t->count[g][0][k], test_random(seed) % 2 ? "nan" : "-");
		}
		str_add(out, end);
	}
	str_add(out, drawn ? "+-------+\n| Metric | HWThread 0 |\n| CPI | 1.5 |\n" : "Metric,HWThread 0\nCPI,1.5\n");
}

static void
write_toplev(struct str *out, const struct truth *t, uint64_t *seed)
{
	static const char *const noise[] = {"", "# 4.7-full-perf on x [skl]"};

	str_addf(out, "%s%sEvent,Value,Perf-event,Index,STDDEV,MULTI,Nodes\n", t->timed ? "Timestamp," : "",
		t->groups > 1 ? "CPU," : "");
	for (size_t i = 0; i < t->times; i++)
		for (size_t k = 0; k < t->events; k++)
			for (size_t g = 0; g < t->groups; g++) {
				add_noise(out, seed, noise, sizeof noise / sizeof *noise);
				if (t->timed)
					str_addf(out, "%zu.%09d,", i + 1, 123456789);
				if (t->groups > 1)
					str_addf(out, "CPU%zu,", g);
				str_addf(out, "\"%s\",", event_names[k]);
				add_count(out, t->count[g][i][k], '.');
				str_addf(out, ",\"cpu/a=1,b=2/\",%zu,0.0,%.2f,\"A,B\"\n", k, t->running[g][i][k] * 100);
			}
}

/* The clock goes over midnight. */
static void
add_clock(struct str *out, size_t i)
{
	str_add(out, i < 2 ? "2021-09-30,23:59" : "2021-10-01,00:00");
	str_addf(out, ":%02zu.507,", i < 2 ? 58 + i : i - 2);
}

static void
write_pcm_columns(struct str *out, const struct truth *t)
{
	str_add(out, ",,");
	for (size_t k = 0; k < t->events; k++)
		str_addf(out, "%s,", plain_names[k]);
	str_add(out, "\nDate,Time,");
	for (size_t k = 0; k < t->events; k++)
		str_add(out, "SKT0,");
	for (size_t i = 0; i < t->times; i++) {
		str_addc(out, '\n');
		add_clock(out, i);
		for (size_t k = 0; k < t->events; k++) {
			add_or_none(out, t->count[0][i][k], "-");
			str_addc(out, ',');
		}
	}
	str_addc(out, '\n');
}

static void
write_pcm_rows(struct str *out, const struct truth *t)
{
	for (size_t i = 0; i < t->times; i++)
		for (size_t k = 0; k < t->events; k++) {
			add_clock(out, i);
			str_addf(out, "%s,1000,2102078418,", plain_names[k]);
			add_or_none(out, t->count[0][i][k], "-");
			str_add(out, ",\n");
		}
}

/* Adds a whole count with commas between thousands. */
static void
add_grouped(struct str *out, int64_t v)
{
	if (v >= 1000) {
		add_grouped(out, v / 1000);
		str_addf(out, ",%03lld", (long long)(v % 1000));
	} else {
		str_addf(out, "%lld", (long long)v);
	}
}

static void
write_simpleperf(struct str *out, struct truth *t, uint64_t *seed)
{
	bool csv = test_random(seed) % 2;

	str_add(out, csv ? "Performance counter statistics,\n" : "Performance counter statistics:\n\n");
	for (size_t k = 0; k < t->events; k++) {
		int64_t v = t->count[0][0][k];

		t->running[0][0][k] = (double)(1 + test_random(seed) % 100) / 100;
		add_grouped(out, v < 0 ? 7 : v / 1000);
		str_addf(out, csv ? ",%s,1.5,K/sec,(%.0f%%),\n" : "  %s  # 1.5 K/sec  (%.0f%%)\n", plain_names[k],
			v < 0 ? 0 : t->running[0][0][k] * 100);
	}
	str_add(out, csv ? "Total test time,1.123456789,seconds,\n" : "\nTotal test time: 1.123456789 seconds.\n");
}

static void
write_papi(struct str *out, const struct truth *t, uint64_t *seed)
{
	bool old = test_random(seed) % 2;

	str_add(out, old ? "{\"cpu in mhz\":\"1\",\n\"threads\":[{\"id\":\"0\",\"regions\":[" :
		"{\"papi_version\":\"7\",\n\"threads\":{\"0\":{\"regions\":{");
	for (size_t g = 0; g < t->groups; g++) {
		str_addf(out, old ? "%s{\"CPU%zu\":{\"region_count\":\"2\"" :
			"%s\"9\":{\"name\":\"CPU%zu\",\"cycles\":\"2\"", g ? ",\n" : "", g);
		for (size_t k = 0; k < t->events; k++) {
			str_addf(out, ",\"%s\":\"", event_names[k]);
			add_or_none(out, t->count[g][0][k], "n/a");
			str_addc(out, '"');
		}
		str_add(out, old ? "}}" : "}");
	}
	str_add(out, old ? "]}]}\n" : "}}}}\n");
}

static bool
is_counted(const struct truth *t)
{
	for (size_t g = 0; g < t->groups; g++)
		for (size_t i = 0; i < t->times; i++)
			for (size_t k = 0; k < t->events; k++)
				if (t->count[g][i][k] >= 0)
					return true;
	return false;
}

/* Draws what a tool can show: one row or several, one owner or several, fractions or none. */
static void
draw_for(struct truth *t, bool timed, bool groups, bool fractions, uint64_t *seed)
{
	do
		draw_truth(t, groups, seed);
	while (t->timed != timed || (groups && t->groups == 1) || (!fractions && !t->whole));
}

static void
what_tools_write_comes_back(void)
{
	unsigned rounds = test_rounds(3000, 300000);
	uint64_t seed = 13;

	for (unsigned round = 0; round < rounds; round++) {
		struct shape how = {.names = plain_names};
		struct str text = {0};
		struct err e = {.what = ""};
		struct obs_table *t;
		struct truth w;

		switch (round % 6) {
		case 0:
			draw_for(&w, false, true, true, &seed);
			write_likwid(&text, &w, &seed);
			break;
		case 1:
			draw_truth(&w, true, &seed);
			how = (struct shape){.quality = true, .names = event_names, .first = 1.123456789};
			write_toplev(&text, &w, &seed);
			break;
		case 2:
			draw_for(&w, true, false, true, &seed);
			write_pcm_columns(&text, &w);
			how.owner = "@S0";
			break;
		case 3:
			draw_for(&w, true, false, true, &seed);
			how.first = 1;
			write_pcm_rows(&text, &w);
			break;
		case 4:
			draw_for(&w, false, false, false, &seed);
			how.quality = true;
			write_simpleperf(&text, &w, &seed);
			break;
		case 5:
			draw_for(&w, false, true, true, &seed);
			how.names = event_names;
			write_papi(&text, &w, &seed);
			break;
		}
		t = import_read("f.csv", str_text(&text), text.n, false, &e);
		if (is_counted(&w) ? !agrees(&w, t, &how) : t || !*e.hint) {
			test_check(false, __FILE__, __LINE__, "round %u: %s\n%s", round, e.what, str_text(&text));
			round = rounds;
		}
		obs_table_free(t);
		str_free(&text);
	}
	CHECK(true);
}

TEST_MAIN(CASE(mutated_fixtures_give_a_table_or_an_error), CASE(what_is_written_comes_back),
	CASE(what_tools_write_comes_back))
