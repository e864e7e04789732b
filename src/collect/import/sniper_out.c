/* The table of a simulation that Sniper's tools/gen_simout.py writes into sim.out:
 *
 *	                                   | Core 0     | Core 1
 *	  Instructions                     |     100342 |      90342
 *	  IPC                              |       0.50 |       0.45
 *	Branch predictor stats             |            |
 *	  num correct                      |      19342 |      18342
 *	Cache Summary                      |            |
 *	  Cache L1-D                       |            |
 *	    num cache accesses             |      32342 |      30342
 *
 * A core is an observation with one row of exact totals. A column has the names of the sections above it before its
 * own: "Branch predictor stats.num correct". Rates, averages and rounded times are no counts.
 *
 * Source: github.com/snipersim/snipersim (MIT licence), tools/gen_simout.py. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "collect/import/tool_text.h"
#include "collect/import/tools.h"

#define DEEPEST 8
#define NO_COUNT "rates, averages and rounded times are no counts"

struct sniper_out {
	struct tool_text t;
	struct tool_cell *core;
	size_t n_cores;
	struct { struct tool_cell name; size_t indent; } section[DEEPEST];
	size_t depth;      /* sections that are open */
};

/* Returns whether the row is a number that Sniper derived or rounded. */
static bool
is_derived(const struct sniper_out *out)
{
	const struct tool_text *text = &out->t;
	struct tool_cell name = text->cell[0];

	if (memchr(name.s, '(', name.n) || tool_cell_is(text, 0, "IPC") || tool_cell_starts(text, 0, "avg"))
		return true;
	for (size_t i = 1; i < text->n_cells; i++) {
		struct decimal d;
		enum tool_value v = tool_cell_value(text->cell[i], &d);

		if (v == TOOL_NO_COUNT || (v == TOOL_COUNTED && d.decimals))
			return true;
	}
	return false;
}

static bool
sniper_out_take_row(struct sniper_out *out)
{
	struct tool_text *text = &out->t;
	struct tool_cell name = text->cell[0];
	struct str column = {0};
	bool good = true;

	if (is_derived(out)) {
		tool_text_leave(text, NO_COUNT, name.s, name.n);
		return true;
	}
	for (size_t i = 0; i < out->depth; i++)
		str_addf(&column, "%.*s.", (int)out->section[i].name.n, out->section[i].name.s);
	str_addn(&column, name.s, name.n);
	for (size_t i = 0; i < out->n_cores && good; i++) {
		struct tool_cell number = out->core[i];
		char *owner = out->n_cores == 1 ? str_format("%s", "")
						: str_format("core%.*s", (int)number.n, number.s);
		struct tool_count c = {.owner = owner, .event = str_text(&column), .event_n = column.n, .time = NAN};

		good = tool_text_count(text, &c, i + 1);
		free(owner);
	}
	str_free(&column);
	return good;
}

static bool
take_title(struct sniper_out *s)
{
	struct tool_text *t = &s->t;

	if (s->n_cores)
		return tool_text_fail(t, 0, "another table begins here", "import each sim.out from a file of its own");
	s->core = mem_new_array(t->n_cells, sizeof *s->core);
	for (size_t i = 1; i < t->n_cells && t->cell[i].n > 5; i++)
		s->core[s->n_cores++] = (struct tool_cell){t->cell[i].s + 5, t->cell[i].n - 5};
	return true;
}

static bool
sniper_out_take_line(struct sniper_out *out)
{
	struct tool_text *text = &out->t;
	size_t indent = strspn(text->line_start, " ");
	bool empty = true;

	if (!text->cell[0].n && tool_cell_starts(text, 1, "Core "))
		return take_title(out);
	if (tool_text_is_cut(text) && text->n_cells <= out->n_cores) {
		tool_text_leave_cut(text);
		return true;
	}
	if (!out->n_cores || text->n_cells != out->n_cores + 1 || !text->cell[0].n)
		return tool_text_fail(text, 0,
			"this line is no row of Sniper's sim.out: a name and a value for each core are expected",
			"was the file cut off or edited?");
	while (out->depth && out->section[out->depth - 1].indent >= indent)
		out->depth--;
	for (size_t i = 1; i < text->n_cells; i++)
		empty &= text->cell[i].n == 0;
	if (!empty)
		return sniper_out_take_row(out);
	if (out->depth == DEEPEST)
		return tool_text_fail(text, 0, "more sections in sections than Sniper writes", "was the file damaged?");
	out->section[out->depth].name = text->cell[0];
	out->section[out->depth++].indent = indent;
	return true;
}

struct obs_table *
sniper_out_read(const char *name, const char *text, size_t n, bool exact, struct err *e)
{
	struct sniper_out s = {0};
	struct obs_table *table = NULL;
	bool good;

	(void)exact; /* they always are */
	good = tool_text_begin(&s.t, name, text, n, true, e);
	s.t.separator = '|';
	s.t.sheet.together = true;
	while (good && tool_text_next(&s.t))
		good = sniper_out_take_line(&s);
	if (good)
		table = tool_text_finish(&s.t, TOOL_SIMULATOR, "no row of this sim.out holds a count",
			"has the simulation ended?");
	free(s.core);
	tool_text_free(&s.t);
	return table;
}
