#include "collect/import/import.h"

#include <ctype.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "collect/import/csv.h"

#define LOOK_AT 8192 /* what a format is, its beginning tells */

static bool
starts(const char *s, size_t n, const char *prefix, size_t m)
{
	return n >= m && memcmp(s, prefix, m) == 0;
}

/* The n-th cell of a line, cut at `sep`; empty when there are fewer. */
static void
get_field(const char *line, char sep, int n, char *out, size_t size)
{
	size_t len;

	for (; n > 0 && *line; line++)
		n -= *line == sep;
	len = strcspn(line, (char[]){sep, '\0'});
	if (len >= size)
		len = size - 1;
	memcpy(out, line, len);
	out[len] = '\0';
}

static bool
is_perf_value(const char *s)
{
	bool digit = false;

	while (*s == ' ')
		s++;
	if (str_starts(s, "<not "))
		return true;
	for (; *s; s++) {
		if (!isdigit((unsigned char)*s) && *s != '.' && *s != ',')
			return false;
		digit = digit || isdigit((unsigned char)*s);
	}
	return digit;
}

static bool
is_event_word(const char *s)
{
	return isalpha((unsigned char)*s) && (strpbrk(s, "-:_./") || str_starts(s, "cycles") || str_starts(s, "instructions") || str_starts(s, "branches"));
}

/* `[time,][aggregation,][ncpus,]value,unit,event,…` of perf stat -x: a number, then an event's name one or two cells on. */
static bool
is_perf_separated(const char *line)
{
	static const char seps[] = ",;\t|";

	for (const char *sep = seps; *sep; sep++) {
		char value[64], event[64];

		for (int i = 0; i < 4; i++) {
			get_field(line, *sep, i, value, sizeof value);
			get_field(line, *sep, i + 2, event, sizeof event);
			if (is_perf_value(value) && is_event_word(event))
				return true;
			get_field(line, *sep, i + 1, event, sizeof event);
			if (is_perf_value(value) && is_event_word(event)) /* before Linux 3.14: no unit */
				return true;
		}
	}
	return false;
}

/* What the first line with content begins with; comments of µDD and of perf are skipped. */
static enum import_format
format_of_text(const char *text)
{
	bool remark = false;

	for (const char *p = text; *p;) {
		char line[512];
		size_t n = strcspn(p, "\n"), k = n < sizeof line - 1 ? n : sizeof line - 1;
		const char *s = line;

		memcpy(line, p, k);
		line[k] = '\0';
		p += n + (p[n] == '\n');
		while (isspace((unsigned char)*s))
			s++;
		if (str_starts(s, "# started on"))
			return IMPORT_PERF_STAT;
		if (str_starts(s, "/*"))
			remark = true;
		if (remark || !*s || *s == '#' || str_starts(s, "//")) {
			remark = remark && !strstr(s, "*/");
			continue;
		}
		if (str_starts(s, "Performance counter stats for") || (*s == '{' && (strstr(s, "\"counter-value\"") || strstr(s, "\"event-runtime\""))))
			return IMPORT_PERF_STAT;
		if (str_starts(s, "STRUCT,Info,") || str_starts(s, "TABLE,Group ") || str_starts(s, "TABLE,Region "))
			return IMPORT_LIKWID;
		if ((str_starts(s, "model ") && strchr(s, ';')) || (str_starts(s, "include \"") && strchr(s, ';')))
			return IMPORT_MODEL;
		return is_perf_separated(s) ? IMPORT_PERF_STAT : IMPORT_WIDE_CSV;
	}
	return IMPORT_WIDE_CSV;
}

enum import_format
import_format_of(const char *text, size_t n)
{
	char head[LOOK_AT + 1];
	size_t k = n < LOOK_AT ? n : LOOK_AT;

	if (starts(text, n, "SQLite format 3", 16))
		return IMPORT_SQLITE;
	if (starts(text, n, "PERFILE2", 8))
		return IMPORT_PERF_DATA;
	if (starts(text, n, "\xef\xbb\xbf", 3)) {
		text += 3;
		k -= 3;
	}
	memcpy(head, text, k);
	head[k] = '\0';
	return format_of_text(head);
}

static bool
refuse(const char *name, struct err *e, const char *what, const char *hint)
{
	err_set(e, "%s", what);
	err_hint(e, "%s", hint);
	return err_place(e, name, 0, 0);
}

struct obs_table *
import_read(const char *name, const char *text, size_t n, bool exact, struct err *e)
{
	switch (import_format_of(text, n)) {
	case IMPORT_WIDE_CSV:
		return csv_read(name, text, n, exact, e);
	case IMPORT_PERF_STAT:
		refuse(name, e, "this is the output of perf stat, which this build does not read", "write a wide CSV: a header of counter names, one row per sample");
		break;
	case IMPORT_PERF_DATA:
		refuse(name, e, "this is a perf.data file, which this build does not read", "write a wide CSV: a header of counter names, one row per sample");
		break;
	case IMPORT_SQLITE:
		refuse(name, e, "this is a database (a session file?), which this build does not read", "write a wide CSV: a header of counter names, one row per sample");
		break;
	case IMPORT_LIKWID:
		refuse(name, e, "this is the output of likwid-perfctr, which this build does not read", "write a wide CSV: a header of counter names, one row per sample");
		break;
	case IMPORT_MODEL:
		refuse(name, e, "this is a model, and data is expected here", "the model comes first: hecate check MODEL DATA");
		break;
	}
	return NULL;
}
