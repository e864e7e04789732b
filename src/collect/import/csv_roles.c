/* Columns of a wide CSV whose names show that they are not counters: times, texts and numbers that say what a row
 * belongs to (a benchmark, a CPU, a process), and row numbers. The first cells of a column must agree with its name.
 *
 * Rows of different CPUs are different observations. Taken as one, they would be samples of a machine that nobody
 * measured, so a column "cpu" must never become a counter. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "collect/import/csv_reader.h"
#include "collect/import/feed.h"
#include "event/unit.h"

#define ROWS_LEAST 2 /* fewer rows do not show that a column numbers the rows 0, 1, 2, … */

enum role {
	ROLE_NAME = 1,   /* text: the observation's name */
	ROLE_PLACE = 2,  /* number or text: what the row belongs to */
	ROLE_NUMBER = 4, /* row numbers */
	ROLE_INDEX = 8,  /* row numbers that data frames write in the first column */
};

static const struct word {
	const char *name;
	int roles;
} words[] = {
	{"", ROLE_INDEX},
	{"index", ROLE_INDEX},
	{"Unnamed: 0", ROLE_INDEX},
	{"row", ROLE_NUMBER},
	{"sample", ROLE_NUMBER},
	{"interval", ROLE_NUMBER},
	{"iteration", ROLE_NUMBER | ROLE_PLACE},
	{"repetition", ROLE_NUMBER | ROLE_PLACE},
	{"trial", ROLE_NUMBER | ROLE_PLACE},
	{"run", ROLE_NUMBER | ROLE_NAME | ROLE_PLACE},
	{"name", ROLE_NAME},
	{"benchmark", ROLE_NAME},
	{"workload", ROLE_NAME},
	{"program", ROLE_NAME},
	{"test", ROLE_NAME},
	{"host", ROLE_NAME},
	{"hostname", ROLE_NAME},
	{"machine", ROLE_NAME},
	{"command", ROLE_NAME},
	{"comm", ROLE_NAME},
	{"kernel", ROLE_NAME},
	{"function", ROLE_NAME},
	{"region", ROLE_NAME},
	{"phase", ROLE_NAME | ROLE_PLACE},
	{"input", ROLE_NAME},
	{"config", ROLE_NAME},
	{"label", ROLE_NAME},
	{"cpu", ROLE_PLACE},
	{"core", ROLE_PLACE},
	{"hwthread", ROLE_PLACE},
	{"thread", ROLE_PLACE},
	{"socket", ROLE_PLACE},
	{"package", ROLE_PLACE},
	{"die", ROLE_PLACE},
	{"node", ROLE_PLACE},
	{"cgroup", ROLE_PLACE},
	{"pid", ROLE_PLACE},
	{"tid", ROLE_PLACE},
};

static int
roles_of(const char *name)
{
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strcasecmp(name, words[i].name) == 0)
			return words[i].roles;
	return 0;
}

/* Reads "time", "Time (s)", "time_ms", "timestamp [us]", "date": *unit gets the number of its units in a second, 0 if
 * the name has none. False for a name that is no time. */
static bool
csv_roles_is_time(const char *name, double *unit)
{
	static const char *const base[] = {"timestamp", "datetime", "date", "time"};
	char text[8] = "";
	size_t n = 0, k;

	*unit = 0;
	for (size_t i = 0; i < sizeof base / sizeof *base && !n; i++)
		if (strncasecmp(name, base[i], strlen(base[i])) == 0)
			n = strlen(base[i]);
	if (!n || !name[n])
		return n > 0;
	k = strspn(name + n, " _.([");
	name += n + k;
	n = strcspn(name, ")]");
	if (!k || n >= sizeof text || strlen(name + n) > 1)
		return false;
	memcpy(text, name, n);
	if (!str_eq(event_unit_family(text), "time"))
		return false;
	*unit = 1e9 / (double)event_unit_size(text);
	return true;
}

/* Adds to the note about columns. */
static void
csv_roles_say(struct csv_reader *r, const char *column, const char *what)
{
	str_addf(&r->roles, "%s%s%s%s", r->roles.n ? "; " : "", column, *column ? " " : "", what);
}

void
csv_leave_out(struct csv_reader *r, size_t column)
{
	r->left_out[column] = true;
	r->shape.n_counters--;
}

bool
csv_is_claimed(const struct csv_reader *r, const char *name)
{
	const struct names *counts = r->how->counts;

	return counts && names_find(counts, name, strlen(name)) != NAMES_NONE;
}

bool
csv_is_own(const struct csv_reader *r)
{
	return r->shape.observation == 0 && r->shape.time == 1 && str_eq(r->header.name[0], "observation") &&
		str_eq(r->header.name[1], "time");
}

/* True for a time that may order rows. A time that falls from one row to the next is each row's duration. */
static bool
take_time(struct csv_reader *reader, size_t column, const struct csv_look *look, double unit)
{
	const char *name = reader->header.name[column];

	if (!look->cells || !(look->dates || !look->other))
		return false;
	if (look->falls && (unit > 0 || strcasecmp(name, "time") == 0))
		return false;
	if (reader->shape.time != CSV_PLAIN_NONE) {
		csv_leave_out(reader, column);
		csv_roles_say(reader, name, "is a second column of times: left out");
		return true;
	}
	reader->shape.time = column;
	reader->shape.n_counters--;
	reader->time_unit = unit;
	return true;
}

static void
take_label(struct csv_reader *r, size_t column)
{
	if (!r->label)
		r->label = mem_new_array(r->header.n, sizeof *r->label);
	r->label[column] = true;
	r->shape.n_counters--;
	csv_roles_say(r, r->header.name[column],
		"says what each row was counted of: rows that differ in it are different observations");
}

static void
find_role(struct csv_reader *reader, size_t column, const struct csv_look *look, size_t rows)
{
	const char *name = reader->header.name[column];
	int roles = roles_of(name);
	bool every = rows >= ROWS_LEAST && look->numbers == rows, number = look->cells && !look->other && look->whole;

	if (column == 0 && (roles & ROLE_INDEX) && every && look->steps && reader->shape.n_counters > 1) {
		csv_leave_out(reader, column);
		csv_roles_say(reader, "", "the first column counts the rows: left out");
	} else if ((roles & ROLE_NUMBER) && every && look->laps && reader->shape.n_counters > 1) {
		csv_leave_out(reader, column);
		csv_roles_say(reader, name, "counts the rows: left out");
	} else if ((roles & ROLE_NAME) && look->other && !look->numbers &&
		reader->shape.observation == CSV_PLAIN_NONE) {
		reader->shape.observation = column;
		reader->shape.n_counters--;
	} else if (((roles & ROLE_NAME) && look->other) || ((roles & ROLE_PLACE) && (look->other || number))) {
		take_label(reader, column);
	}
}

bool
csv_find_roles(struct csv_reader *reader, const struct csv_look *look, size_t rows)
{
	double unit;

	for (size_t i = 0; i < reader->header.n && !csv_is_own(reader); i++)
		if (i != reader->shape.time && i != reader->shape.observation && !reader->left_out[i] &&
			!csv_is_claimed(reader, reader->header.name[i]) &&
			!(csv_roles_is_time(reader->header.name[i], &unit) && take_time(reader, i, &look[i], unit)))
			find_role(reader, i, &look[i], rows);
	if (reader->shape.time != CSV_PLAIN_NONE && reader->time_unit == 0 && look[reader->shape.time].numbers) {
		double v = look[reader->shape.time]
				   .last; /* dates as milliseconds, microseconds or nanoseconds since 1970 */

		reader->time_unit = v > 1e17 ? 1e9 : v > 1e14 ? 1e6 : v > 1e11 ? 1e3 : 1;
	}
	if (reader->time_unit == 0)
		reader->time_unit = 1;
	for (size_t i = 0; i < reader->header.n; i += reader->header.n > 1 ? reader->header.n - 1 : 1)
		if (!*reader->header.name[i] && !reader->left_out[i]) {
			err_set(reader->e, "column %zu has no name", i + 1);
			err_hint(reader->e, "the first line names the counters; is there a %s too many?",
				reader->separator == ',' ? "comma" : "separator");
			return err_place(reader->e, reader->feed->name, 1, i ? (int)reader->header_size + 1 : 1);
		}
	return true;
}

void
csv_add_label(struct csv_reader *r, size_t column, const char *text)
{
	if (!*text || csv_is_missing(text))
		return;
	str_add(&r->place, ":");
	if (isdigit((unsigned char)*text))
		for (const char *p = r->header.name[column]; *p; p++)
			str_addc(&r->place, (char)tolower((unsigned char)*p));
	str_add(&r->place, text);
}
