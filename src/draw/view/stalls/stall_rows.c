/* A network's stalls in view 6: who waits, and at which module. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/network/stall_rows.h"
#include "core/network/stalls.h"
#include "core/network/state.h"
#include "draw/view/stalls/stalls.h"
#include "draw/view/view_timeline.h"
#include "explorer/state/state_stalls.h"
#include "work/timeline/timeline.h"

static bool
in_core(enum scope per)
{
	return per == SCOPE_THREAD || per == SCOPE_CORE || per == SCOPE_TASK;
}

static bool
is_end(const struct state *s, size_t module)
{
	const struct timeline_answers *a = &s->answers.timeline;

	for (size_t d = 0; a->analysis && d < a->analysis->n_stalls; d++)
		if (a->analysis->stalls[d]->destination == module)
			return true;
	return false;
}

/* One hue for a core or task, one for each stage after it, and one for the stage where requests end. */
static enum role
role_of(const struct state *state, size_t module)
{
	static const enum role hue[] = {ROLE_PATH3, ROLE_PATH4, ROLE_PATH2};
	const struct network *network = timeline_network(state->data.timeline);
	size_t stages = 0;

	if (in_core(network->module[module].per))
		return ROLE_PATH1;
	if (is_end(state, module))
		return ROLE_INFEASIBLE;
	for (size_t i = 0; i < network->module[module].stage; i++)
		stages += network->stage[i].n && !in_core(network->module[network->stage[i].first].per);
	return hue[stages % 3];
}

/* A character of its name that no earlier module has: its digit, which distinguishes caches, else the first free
 * letter. */
static char
choose_key(const char *name, const bool taken[128])
{
	for (const char *p = name; *p; p++)
		if (isdigit((unsigned char)*p) && !taken[(unsigned char)*p])
			return *p;
	for (const char *p = name; *p; p++)
		if (isalpha((unsigned char)*p) && !taken[(unsigned char)*p])
			return *p;
	for (char c = 'a'; c <= 'z'; c++)
		if (!taken[(unsigned char)c])
			return c;
	return 0;
}

/* Full first, then lighter within a hue; neighbours differ in any case. */
static unsigned char
next_fill(const struct chart_part *part, size_t i)
{
	unsigned char fill = 0;

	for (size_t k = i; k-- > 0 && part[k].role == part[i].role;)
		fill++;
	fill &= 3;
	return i && part[i - 1].fill == fill ? (fill + 1) & 3 : fill;
}

/* Chart and table in their orders: components are listed with the end first, bars begin at the other end. */
struct chart_part *
stall_parts(const struct state *state, const size_t *component, size_t n, struct arena *arena)
{
	const struct network *net = timeline_network(state->data.timeline);
	struct chart_part *part = arena_alloc(arena, (n + 1) * sizeof *part);
	bool taken[128] = {false};

	for (size_t i = 0; i < n; i++) {
		const struct net_module *module = &net->module[component[n - 1 - i]];

		part[i] = (struct chart_part){.name = module->name,
			.role = role_of(state, component[n - 1 - i]),
			.key = choose_key(module->name, taken)};
		part[i].fill = next_fill(part, i);
		taken[(unsigned char)part[i].key] = true;
	}
	return part;
}

static struct unit
unit_of_stalls(const struct state *s)
{
	const struct network *net = timeline_network(s->data.timeline);

	for (size_t m = net->n_modules; m-- > 0;)
		for (size_t k = 0; k < net->n_kinds; k++)
			if (net->module[m].cell[k].field[NET_STALL])
				return net->module[m].cell[k].field[NET_STALL]->unit;
	return unit_of(UNIT_CYCLES);
}

struct amount
tasktime_amount(const struct state *s)
{
	const struct timeline_answers *a = &s->answers.timeline;
	double top = 0;

	struct amount amount;

	for (size_t i = 0; a->rows && i < a->rows->n; i++)
		top = fmax(top, a->rows->row[i].stall);
	amount = amount_for(a->rows && a->rows->in_ns ? unit_of(UNIT_NS) : unit_of_stalls(s), top / timeline_per(s));
	amount.factor *= timeline_per(s);
	if (s->view.timeline.rates && strlen(amount.unit) + 2 < sizeof amount.unit)
		strcat(amount.unit, "/s");
	return amount;
}

static const double *
stall_rows_amounts(const struct net_stall_row *row, const size_t *component, size_t n, struct arena *a)
{
	double *out = arena_alloc(a, (n + 1) * sizeof *out);

	for (size_t i = 0; i < n; i++)
		out[i] = row->from[component[n - 1 - i]];
	return out;
}

/* "core 3", "all"; short enough for the table's head. */
char *
stall_owner(const struct state *s, const struct net_stall_row *row, bool brief)
{
	struct str out = {0};

	if (row->per == SCOPES)
		str_add(&out, "all");
	else
		timeline_add_owner(s, row->per, row->owner, brief, &out);
	if (!out.n)
		str_add(&out, row->per == SCOPE_SYSTEM ? "all" : scope_name(row->per));
	return str_take(&out);
}

/* The scope that all rows have; SCOPES if they differ. */
static enum scope
one_scope(const struct net_stall_rows *r, const size_t *order, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (r->row[order[i]].per != r->row[order[0]].per)
			return SCOPES;
	return n ? r->row[order[0]].per : SCOPES;
}

struct chart
stall_rows_chart(const struct state *state)
{
	const struct timeline_answers *answers = &state->answers.timeline;
	const struct net_stall_rows *rows = answers->rows;
	struct chart c = {.kind_head = "kind", .normalised = state->view.timeline.normalised, .pane = PANE_BARS,
		.amount = tasktime_amount(state), .arena = arena_new()};
	size_t components, *component = state_components(state, &components);
	const size_t *order = state_stall_rows(state, &c.n);
	enum scope scope = rows ? one_scope(rows, order, c.n) : SCOPES;
	struct str against = {0};
	char number[NUMBER_TEXT];

	c.part = stall_parts(state, component, components, c.arena);
	c.n_parts = components;
	c.name_head = scope == SCOPES ? "where" : scope_name(scope);
	c.number_head = arena_str(c.arena, c.amount.unit);
	c.cursor = state->view.cursor[PANE_BARS] < (int)c.n ? (size_t)state->view.cursor[PANE_BARS] : c.n ? c.n - 1 : 0;
	c.row = arena_alloc(c.arena, (c.n + 1) * sizeof *c.row);
	if (answers->other_rows)
		timeline_add_compared(state, true, &against);
	c.other_name = arena_str(c.arena, str_text(&against));
	for (size_t i = 0; i < c.n; i++) {
		const struct net_stall_row *row = &rows->row[order[i]], *above = i ? &rows->row[order[i - 1]] : NULL;
		const struct net_stall_row *other = answers->other_rows ? net_stall_rows_find(answers->other_rows, row)
									: NULL;
		char *name = stall_owner(state, row, scope != SCOPES);
		bool same = above && above->per == row->per && above->owner == row->owner;

		c.row[i] = (struct chart_row){
			.name = same ? "" : arena_str(c.arena, name),
			.kind = timeline_network(state->data.timeline)->kind[row->kind].name,
			.kind_role = path_kind_role(row->kind), .kind_attr = path_kind_attr(row->kind),
			.number = arena_str(c.arena, amount_text(number, &c.amount, row->stall)),
			.amount = stall_rows_amounts(row, component, components, c.arena), .length = row->stall,
			.other = other ? stall_rows_amounts(other, component, components, c.arena) : NULL,
			.other_length = other ? other->stall : 0,
		};
		free(name);
	}
	str_free(&against);
	free(component);
	return c;
}

void
stall_rows_nothing(const struct state *state, struct page *page)
{
	const struct network *net = timeline_network(state->data.timeline);
	struct str words = {0};
	bool defined = false;

	for (size_t m = 0; m < net->n_modules; m++)
		for (size_t k = 0; k < net->n_kinds; k++)
			defined |= net->module[m].cell[k].field[NET_STALL] != NULL;
	if (!state->answers.timeline.analysis) {
		timeline_no_counters(page, true, net->name, "there are no stalls to show");
	} else if (!defined) {
		str_addf(&words, "No module of %s defines stalls, so there is nothing to pass back.", net->name);
		page_words(page, ROLE_TEXT, str_text(&words));
		page_words(page, ROLE_DIM,
			"7 shows where requests wait\nhecate NETWORK STACK … shows the bars of a stack here");
	} else if (state->answers.timeline.rows && state->answers.timeline.rows->own > 0) {
		page_words(page, ROLE_TEXT,
			"There are stalls, but none came back to a requester: all are hidden by other work, or no load "
			"is known.");
		page_words(page, ROLE_DIM, "5 shows the loads, and why some are unknown.");
	} else {
		size_t lacks = 0;

		for (size_t m = 0; m < net->n_modules; m++)
			for (size_t k = 0; k < net->n_kinds; k++)
				lacks += net->module[m].cell[k].field[NET_STALL] &&
					!net_stalls_reported(state->answers.timeline.analysis->state, m, k);
		page_words(page, ROLE_TEXT,
			lacks ? "No stall is known: their counters are missing." : "No stalls in this snapshot.");
		page_words(page, ROLE_DIM, "[ ] show other snapshots; 5 and Enter on a module name its counters.");
	}
	str_free(&words);
}

/* The component with the largest part. */
static size_t
stall_rows_largest(const struct net_stall_row *row, size_t n)
{
	size_t best = 0;

	for (size_t m = 1; m < n; m++)
		if (row->from[m] > row->from[best])
			best = m;
	return best;
}

bool
stall_rows_sentence(const struct state *state, struct line *line)
{
	const struct net_stall_row *row = state_stall_row(state);
	const struct net_stall_rows *rows = state->answers.timeline.rows;
	const struct network *net = timeline_network(state->data.timeline);
	char number[NUMBER_TEXT], *owner;
	size_t most;

	if (!row || !(row->stall > 0))
		return false;
	most = stall_rows_largest(row, rows->n_modules);
	owner = stall_owner(state, row, false);
	line_add(line, ROLE_TEXT, CELL_BOLD, "%s %%", number_share(number, row->from[most] / row->stall));
	line_add(line, ROLE_TEXT, 0, " of %s stalls", net->kind[row->kind].name);
	if (row->per < SCOPES)
		line_add(line, ROLE_TEXT, 0, " of %s", owner);
	line_add(line, ROLE_TEXT, 0, " arise at %s; ", net->module[most].name);
	line_add(line, ROLE_TEXT, 0, "%s %% of all came back", number_share(number, rows->stall / rows->own));
	free(owner);
	return true;
}


/* The component with the most stalls of all owners together. */
bool
stall_rows_finding(const struct state *state, struct str *out)
{
	const struct net_stall_rows *rows = state->answers.timeline.rows;
	double most = 0;
	size_t where = 0;
	char number[NUMBER_TEXT];

	for (size_t m = 0; rows && m < rows->n_modules; m++) {
		double sum = 0;

		for (size_t i = 0; i < rows->n; i++)
			sum += rows->row[i].from[m];
		if (sum > most) {
			most = sum;
			where = m;
		}
	}
	if (most > 0)
		str_addf(out, "%s %s %% of stalls", timeline_network(state->data.timeline)->module[where].name,
			number_share(number, most / rows->stall));
	return most > 0;
}
