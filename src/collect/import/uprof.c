/* What AMD uProf's AMDuProfPcm writes with -o FILE.csv: a head, and sections with a row for each interval.
 *
 *	AMDuProfPcm Report
 *	CPU Family,0x19
 *
 *	CORE METRICS
 *	,Core-0,Core-0,Core-1,Core-1
 *	Timestamp,Utilization (%),EX_RET_INSTR,Utilization (%),EX_RET_INSTR
 *	10:00:01:123,2.11,91230011,3.11,1200123
 *
 * Most columns are metrics: their names have a unit (%, GB/s, pti), or their values are fractions. A column of events
 * holds whole numbers only. The owners in the line above the names (a core, a CCX, a package, the system) each make an
 * observation. AMDuProfCLI report has the same head, but samples; it has no Timestamp.
 *
 * Source: AMD uProf User Guide 3 to 5, "AMDuProfPcm". The names of raw events are those of the guide's examples. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/mem.h"
#include "base/str.h"
#include "collect/import/tool_text.h"
#include "collect/import/tools.h"

#define METRIC "metrics are not counts"
#define NS_OF_A_DAY ((int64_t)86400 * 1000000000)

struct uprof_column {
	struct tool_cell owner, name;
	bool metric;
};

struct uprof_row {
	int64_t time;           /* of the day, in ns; after midnight it goes on */
	int line;
	struct tool_cell *cell; /* a value for each column */
	size_t n;
};

struct uprof {
	struct tool_text t;
	size_t sections;
	struct tool_cell *owner; /* the line above the names */
	size_t n_owners, cap_owners;
	struct uprof_column *column; /* n_columns; 0 until a section's names were read */
	size_t n_columns, cap_columns;
	struct uprof_row *row;
	size_t n_rows, cap_rows;
};

static bool
uprof_holds(struct tool_cell c, const char *word)
{
	size_t n = strlen(word);

	for (size_t i = 0; i + n <= c.n; i++)
		if (strncasecmp(c.s + i, word, n) == 0)
			return true;
	return false;
}

/* Returns whether the name is that of a metric. */
static bool
is_metric(struct tool_cell name)
{
	static const char *const sign[] = {"%", "/s", "pti", "ipc", "cpi", "ghz", "mhz", "(gb", "(mb", "per sec",
		"ratio", "rate", "latency", "(ns)", "utilization", "freq", "power", "temperature", "bandwidth", "bw"};

	for (size_t i = 0; i < sizeof sign / sizeof *sign; i++)
		if (uprof_holds(name, sign[i]))
			return true;
	return !name.n;
}

static bool
uprof_is_whole(struct tool_cell c)
{
	struct decimal d;

	enum tool_value v = tool_cell_value(c, &d);

	return v == TOOL_NOT_COUNTED || (v == TOOL_COUNTED && d.decimals == 0);
}

static bool
uprof_add_row(struct uprof *uprof, const struct uprof_row *row)
{
	struct tool_text *text = &uprof->t;
	bool good = true;

	text->sheet.line = (size_t)row->line;
	for (size_t i = 0; i < uprof->n_columns && good; i++) {
		const struct uprof_column *c = &uprof->column[i];
		char *owner = mem_strn(c->owner.s, c->owner.n);
		struct decimal value;
		bool counted = tool_cell_value(row->cell[i], &value) == TOOL_COUNTED;

		good = c->metric ||
			tool_text_add(text, &(struct tool_count){.owner = owner, .run = uprof->sections,
				.event = c->name.s, .event_n = c->name.n,
				.time = (double)(row->time - uprof->row[0].time) / 1e9},
				counted ? &value : NULL);
		free(owner);
	}
	return good;
}

/* Ends a section: finds out which of its columns are counts, and adds these. */
static bool
end_section(struct uprof *uprof)
{
	bool good = true;

	for (size_t i = 0; i < uprof->n_columns; i++) {
		struct uprof_column *column = &uprof->column[i];

		for (size_t k = 0; k < uprof->n_rows && !column->metric; k++)
			column->metric = !uprof_is_whole(uprof->row[k].cell[i]);
		if (column->metric && column->name.n)
			tool_text_leave(&uprof->t, METRIC, column->name.s, column->name.n);
	}
	for (size_t k = 0; k < uprof->n_rows && good; k++)
		good = uprof_add_row(uprof, &uprof->row[k]);
	for (size_t k = 0; k < uprof->n_rows; k++)
		free(uprof->row[k].cell);
	uprof->n_rows = uprof->n_columns = uprof->n_owners = 0;
	uprof->sections++;
	return good;
}

static void
uprof_take_owners(struct uprof *u)
{
	struct tool_text *t = &u->t;

	for (size_t i = 0; i < t->n_cells; i++) {
		mem_grow(&u->owner, &u->cap_owners, i + 1, sizeof *u->owner);
		/* an owner may stand above the first of its columns only */
		u->owner[i] = !t->cell[i].n && i > 1 ? u->owner[i - 1] : t->cell[i];
	}
	u->n_owners = t->n_cells;
}

static void
uprof_take_names(struct uprof *u)
{
	struct tool_text *t = &u->t;

	for (size_t i = 1; i < t->n_cells; i++) {
		struct tool_cell none = {"", 0};

		mem_grow(&u->column, &u->cap_columns, u->n_columns + 1, sizeof *u->column);
		u->column[u->n_columns++] = (struct uprof_column){i < u->n_owners ? u->owner[i] : none, t->cell[i],
			is_metric(t->cell[i])};
	}
}

static void
uprof_take_row(struct uprof *u, int64_t time)
{
	struct tool_text *t = &u->t;
	struct uprof_row row = {time, t->line, mem_new_array(u->n_columns, sizeof *row.cell), u->n_columns};

	while (u->n_rows && row.time < u->row[u->n_rows - 1].time) /* after midnight */
		row.time += NS_OF_A_DAY;
	for (size_t i = 0; i < u->n_columns; i++)
		row.cell[i] = tool_cell_at(t, i + 1);
	mem_grow(&u->row, &u->cap_rows, u->n_rows + 1, sizeof *u->row);
	u->row[u->n_rows++] = row;
}

static bool
uprof_take_line(struct uprof *uprof)
{
	struct tool_text *text = &uprof->t;
	const struct tool_cell none = {"", 0};
	int64_t time;

	if (uprof->n_columns && tool_cell_clock(none, text->cell[0], &time)) {
		if (tool_text_is_cut(text) && text->n_cells <= uprof->n_columns)
			tool_text_leave_cut(text);
		else
			uprof_take_row(uprof, time);
		return true;
	}
	if (tool_cell_is(text, 0, "Timestamp") || tool_cell_is(text, 0, "Time")) {
		size_t owners = uprof->n_owners;
		bool good = !uprof->n_columns || end_section(uprof);

		uprof->n_owners = owners;
		uprof_take_names(uprof);
		return good;
	}
	if (uprof->n_columns && !end_section(uprof))
		return false;
	uprof->n_owners = 0;
	if (!text->cell[0].n && text->n_cells > 1)
		uprof_take_owners(uprof);
	return true;
}

struct obs_table *
uprof_read(const char *name, const char *text, size_t n, bool exact, struct err *e)
{
	struct uprof u = {0};
	struct obs_table *table = NULL;
	bool good = tool_text_begin(&u.t, name, text, n, exact, e);

	while (good && tool_text_next(&u.t))
		good = uprof_take_line(&u);
	good = good && end_section(&u);
	if (good)
		table = tool_text_finish(&u.t, TOOL_ZEROS,
			"this output of AMD uProf has metrics or samples only, and no counts",
			"record events themselves: perf stat -x, -I 100 -e EVENT,… -- CMD, and import its output");
	for (size_t k = 0; k < u.n_rows; k++)
		free(u.row[k].cell);
	free(u.row);
	free(u.column);
	free(u.owner);
	tool_text_free(&u.t);
	return table;
}
