/* A row belongs to the interval that ends at its time. Observation "gcc-4711 CPU 3 → cxl" adds its rows to the flow of
 * task 4711 from core 3 to cxl. A flow is folded when a run followed too many tasks: from that row on it counts among
 * (others), and a later observation of its name is a new flow. */
#include "work/timeline/flow_sum.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/network/flow.h"
#include "core/network/flow_layout.h"
#include "core/network/network.h"
#include "core/obs/obs.h"
#include "core/obs/rows.h"
#include "work/timeline/flow_name.h"

/* A task by its number and life, as in the names of its flows. */
struct task {
	int32_t tid;
	uint64_t life;
	char *name;       /* the latest name */
};

/* The columns of a table by number; SIZE_MAX: the table has no such column. */
struct columns {
	size_t snapshots, ran, left, returned, ended, folded, backwards;
	size_t *count, *lost; /* per counter of the layout */
};

/* A flow while its rows are added up. It owns its counts. */
struct summed {
	struct flow flow;
	uint64_t *count, *lost;
	bool folded;      /* counts among (others) from then on */
};

struct flow_sum {
	const struct network *net;
	struct flow_layout *layout; /* only the counters that some observation has */
	struct flows *flows;
	struct task *task;
	size_t n_tasks, cap_tasks;
	int *cpu;
	char **core;
	size_t n_cores, cap_cores;
	const char **destination;
	size_t foreign;
	/* Used only while flow_sum_new() runs. */
	struct summed *flow;
	size_t n, cap;
	struct flow_trouble trouble;
	bool whole;
	double from, to;
};

/* --- observations ------------------------------------------------------------------------------------------------ */

static size_t
flow_sum_column_of(const struct obs_table *t, const char *prefix, const char *name)
{
	size_t n = strlen(prefix);

	for (size_t i = 0; i < t->n_columns; i++)
		if (strncmp(t->column[i], prefix, n) == 0 && str_eq(t->column[i] + n, name))
			return i;
	return SIZE_MAX;
}

bool
flow_sum_is(const struct obs_table *t, size_t observation)
{
	size_t column = flow_sum_column_of(t, FLOW_COLUMN_SNAPSHOTS, "");

	return column != SIZE_MAX && t->obs[observation]->health[column] != OBS_ABSENT;
}

/* Does any observation of the run count both? */
static bool
are_alike(const struct obs_table *t, size_t a, size_t b)
{
	for (size_t i = 0; i < t->n_columns; i++)
		if (t->obs[a]->health[i] != OBS_ABSENT && t->obs[b]->health[i] != OBS_ABSENT)
			return true;
	return false;
}

struct flow_part
flow_sum_part(const struct obs_table *t, size_t observation)
{
	size_t column = flow_sum_column_of(t, FLOW_COLUMN_SNAPSHOTS, ""), end = observation + 1, last = end;

	for (; column != SIZE_MAX && end < t->n; end++)
		if (t->obs[end]->health[column] != OBS_ABSENT)
			last = end + 1;
		else if (are_alike(t, observation, end))
			break;
	return (struct flow_part){t, observation + 1, last};
}

struct flow_part *
flow_sum_parts(const struct obs_table *table, size_t observation, const struct obs_table *const *others,
	size_t n_others, size_t *n)
{
	struct flow_part own = flow_sum_part(table, observation), *part = NULL;
	size_t cap = 0;

	*n = 0;
	if (own.first < own.end) {
		mem_grow(&part, &cap, 1, sizeof *part);
		part[(*n)++] = own;
		return part;
	}
	for (size_t k = 0; k < n_others; k++) {
		const struct obs_table *t = others[k];

		for (size_t i = 0, end; i < t->n; i = end + 1) {
			for (end = i; end < t->n && str_eq(t->obs[end]->source, table->obs[observation]->name); end++)
				;
			if (end == i)
				continue;
			mem_grow(&part, &cap, *n + 1, sizeof *part);
			part[(*n)++] = (struct flow_part){t, i, end};
		}
	}
	return part;
}

static struct columns
find_columns(const struct flow_sum *sum, const struct obs_table *table)
{
	size_t n = sum->layout->n_counters;
	struct columns c = {
		.snapshots = flow_sum_column_of(table, FLOW_COLUMN_SNAPSHOTS, ""),
		.ran = flow_sum_column_of(table, FLOW_COLUMN_RAN, ""),
		.left = flow_sum_column_of(table, FLOW_COLUMN_LEFT, ""),
		.returned = flow_sum_column_of(table, FLOW_COLUMN_RETURNED, ""),
		.ended = flow_sum_column_of(table, FLOW_COLUMN_ENDED, ""),
		.folded = flow_sum_column_of(table, FLOW_COLUMN_FOLDED, ""),
		.backwards = flow_sum_column_of(table, FLOW_COLUMN_BACKWARDS, ""),
		.count = mem_new_array(n, sizeof *c.count),
		.lost = mem_new_array(n, sizeof *c.lost),
	};

	for (size_t i = 0; i < n; i++) {
		c.count[i] = flow_sum_column_of(
			table, FLOW_COLUMN_COUNT, sum->net->counter[sum->layout->number[i]].name);
		c.lost[i] = flow_sum_column_of(table, FLOW_COLUMN_LOST, sum->net->counter[sum->layout->number[i]].name);
	}
	return c;
}

static void
columns_free(struct columns *c)
{
	free(c->count);
	free(c->lost);
}

/* Returns the sum of the cells in rows first … end - 1 that have this sign, without it. */
static uint64_t
sum_signed(const struct obs *obs, size_t column, size_t first, size_t end, int sign)
{
	uint64_t sum = 0, unit = 1;

	for (int i = 0; i < obs->decimals; i++)
		unit *= 10;
	for (size_t row = first; column != SIZE_MAX && row < end;) {
		struct obs_rows r = obs_rows(obs, row, end);

		row += r.n;
		for (size_t cell = column; cell < r.n * obs->n_columns; cell += obs->n_columns)
			if (r.counted[cell] && (sign < 0 ? r.count[cell] < 0 : r.count[cell] > 0))
				sum += sign < 0 ? 0 - (uint64_t)r.count[cell] : (uint64_t)r.count[cell];
	}
	return sum / unit;
}

/* Returns the sum of the increments. A negative one, which no count of a flow has, counts as 0. */
static uint64_t
flow_sum_sum_of(const struct obs *o, size_t column, size_t first, size_t end)
{
	return sum_signed(o, column, first, end, 1);
}

/* --- tasks and modules ------------------------------------------------------------------------------------------- */

static size_t
task_at(struct flow_sum *sum, const struct flow_name *name)
{
	size_t i = sum->n_tasks;

	while (i > 0 && (sum->task[i - 1].tid != name->tid || sum->task[i - 1].life != name->life))
		i--;
	if (!i) {
		mem_grow(&sum->task, &sum->cap_tasks, sum->n_tasks + 1, sizeof *sum->task);
		sum->task[sum->n_tasks++] = (struct task){.tid = name->tid, .life = name->life};
		i = sum->n_tasks;
	}
	free(sum->task[i - 1].name);
	sum->task[i - 1].name = mem_str(name->task);
	return i - 1;
}

static size_t
core_at(struct flow_sum *s, int cpu)
{
	size_t i = 0;

	while (i < s->n_cores && s->cpu[i] != cpu)
		i++;
	if (i == s->n_cores) {
		mem_grow(&s->cpu, &s->cap_cores, s->n_cores + 1, sizeof *s->cpu);
		s->cpu[s->n_cores++] = cpu;
	}
	return i;
}

/* Returns the number of a destination; SIZE_MAX: the network has no such destination. */
static size_t
destination_at(const struct flow_sum *s, const char *module)
{
	for (size_t d = 0; d < s->layout->n_destinations; d++)
		if (str_eq(s->net->module[s->layout->destination[d]].name, module))
			return d;
	return SIZE_MAX;
}

static struct summed *
add_flow(struct flow_sum *sum, struct flow f)
{
	size_t n = sum->layout->n_counters;
	struct summed *summed;

	mem_grow(&sum->flow, &sum->cap, sum->n + 1, sizeof *sum->flow);
	summed = &sum->flow[sum->n];
	*summed = (struct summed){.flow = f,
		.count = mem_new_array(n, sizeof *summed->count),
		.lost = mem_new_array(n, sizeof *summed->lost)};
	summed->flow.number = sum->n++;
	summed->flow.count = summed->count;
	summed->flow.lost = summed->lost;
	return summed;
}

/* Returns the flow of this name that is not folded yet, or a new one. NULL for a module that the network lacks. */
static struct summed *
flow_at(struct flow_sum *sum, const struct flow_name *name)
{
	struct flow f = {.task = name->tid, .destination = FLOW_NOWHERE};

	if (name->special != FLOW_SPECIALS)
		return &sum->flow[name->special];
	if (name->module && (f.destination = destination_at(sum, name->module)) == SIZE_MAX)
		return NULL;
	f.core = core_at(sum, name->cpu);
	f.life = task_at(sum, name);
	for (size_t i = sum->n; i-- > FLOW_SPECIALS;) {
		const struct summed *summed = &sum->flow[i];

		if (summed->flow.life == f.life && summed->flow.core == f.core &&
			summed->flow.destination == f.destination && !summed->folded)
			return &sum->flow[i];
	}
	return add_flow(sum, f);
}

/* --- sums -------------------------------------------------------------------------------------------------------- */

static void
add_counts(const struct flow_sum *sum, struct summed *summed, const struct obs *obs, const struct columns *columns,
	size_t first, size_t end)
{
	for (size_t i = 0; i < sum->layout->n_counters; i++) {
		summed->count[i] += flow_sum_sum_of(obs, columns->count[i], first, end);
		summed->lost[i] += flow_sum_sum_of(obs, columns->lost[i], first, end);
	}
	summed->flow.snapshots += flow_sum_sum_of(obs, columns->snapshots, first, end);
	summed->flow.ran_ns += flow_sum_sum_of(obs, columns->ran, first, end);
	summed->flow.left += flow_sum_sum_of(obs, columns->left, first, end);
	/* hecate 0.1.0 wrote -1 into `left` when a task returned */
	summed->flow.returned += flow_sum_sum_of(obs, columns->returned, first, end) +
		sum_signed(obs, columns->left, first, end, -1);
	summed->flow.ended |= flow_sum_sum_of(obs, columns->ended, first, end) > 0;
}

/* Adds one observation. A folded flow is closed: a later observation of the same name is a new flow. */
static void
take_observation(struct flow_sum *s, const struct obs *obs, const struct columns *columns)
{
	size_t first = s->whole ? 0 : obs_row_after(obs, s->from),
	       end = s->whole ? obs->n_rows : obs_row_after(obs, s->to);
	struct flow_name name;
	struct summed *summed = NULL;

	if (first == end)
		return;
	if (flow_name_parse(obs->name, &name))
		summed = flow_at(s, &name);
	s->foreign += !summed;
	if (summed) {
		add_counts(s, summed, obs, columns, first, end);
		summed->folded = name.special == FLOW_SPECIALS && flow_sum_sum_of(obs, columns->folded, first, end);
	}
	if (summed && name.special == FLOW_OTHERS) {
		s->trouble.folded += flow_sum_sum_of(obs, columns->folded, first, end);
		s->trouble.backwards += flow_sum_sum_of(obs, columns->backwards, first, end);
	}
	flow_name_free(&name);
}

static void
free_counts(struct summed *x)
{
	free(x->count);
	free(x->lost);
}

/* Adds a folded flow's counts to (others). */
static void
flow_sum_fold(struct flow_sum *sum, struct summed *summed)
{
	struct summed *others = &sum->flow[FLOW_OTHERS];

	for (size_t i = 0; i < sum->layout->n_counters; i++) {
		others->count[i] += summed->count[i];
		others->lost[i] += summed->lost[i];
	}
	others->flow.snapshots += summed->flow.snapshots;
	others->flow.ran_ns += summed->flow.ran_ns;
	sum->trouble.folded++;
	free_counts(summed);
}

static void
fold_all(struct flow_sum *s)
{
	size_t kept = FLOW_SPECIALS;

	for (size_t i = FLOW_SPECIALS; i < s->n; i++)
		if (s->whole && s->flow[i].folded)
			flow_sum_fold(s, &s->flow[i]);
		else
			s->flow[kept++] = s->flow[i];
	s->n = kept;
}

/* Sorts the cores by their numbers. */
static void
order_cores(struct flow_sum *sum)
{
	size_t *place = mem_new_array(sum->n_cores, sizeof *place);
	int *cpu = mem_new_array(sum->n_cores, sizeof *cpu);

	for (size_t i = 0; i < sum->n_cores; i++) {
		for (size_t k = 0; k < sum->n_cores; k++)
			place[i] += sum->cpu[k] < sum->cpu[i];
		cpu[place[i]] = sum->cpu[i];
	}
	for (size_t i = FLOW_SPECIALS; i < sum->n; i++)
		sum->flow[i].flow.core = place[sum->flow[i].flow.core];
	free(place);
	free(sum->cpu);
	sum->cpu = cpu;
	sum->core = mem_new_array(sum->n_cores, sizeof *sum->core);
	for (size_t i = 0; i < sum->n_cores; i++)
		sum->core[i] = str_format("CPU %d", cpu[i]);
}

/* Leaves out the counters for which no table has a column. */
static void
keep_counters(struct flow_sum *sum, const struct flow_part *part, size_t n)
{
	struct flow_layout *layout = sum->layout;
	size_t kept = 0;

	for (size_t i = 0; i < layout->n_counters; i++) {
		bool some = false;

		for (size_t p = 0; p < n; p++)
			some |= flow_sum_column_of(part[p].table, FLOW_COLUMN_COUNT,
					sum->net->counter[layout->number[i]].name) != SIZE_MAX;
		if (!some)
			continue;
		layout->counter[kept] = layout->counter[i];
		layout->number[kept++] = layout->number[i];
	}
	layout->n_counters = kept;
}

static bool
has_flows(const struct flow_part *part, size_t n)
{
	for (size_t p = 0; p < n; p++)
		for (size_t i = part[p].first; i < part[p].end; i++)
			if (flow_sum_is(part[p].table, i))
				return true;
	return false;
}

static void
flow_sum_take_part(struct flow_sum *s, const struct flow_part *p)
{
	struct columns c = find_columns(s, p->table);

	for (size_t i = p->first; i < p->end && c.snapshots != SIZE_MAX; i++)
		if (p->table->obs[i]->health[c.snapshots] != OBS_ABSENT)
			take_observation(s, p->table->obs[i], &c);
	columns_free(&c);
}

static void
make_flows(struct flow_sum *sum)
{
	const struct flow_layout *layout = sum->layout;
	const struct flow_spec spec = {.n_cores = sum->n_cores, .n_destinations = layout->n_destinations,
		.counter = layout->counter, .n_counters = layout->n_counters};
	struct flow *flow = mem_new_array(sum->n, sizeof *flow);

	for (size_t i = 0; i < sum->n; i++)
		flow[i] = sum->flow[i].flow;
	sum->flows = flows_given(&spec, flow, sum->n, &sum->trouble);
	for (size_t i = 0; i < sum->n; i++)
		free_counts(&sum->flow[i]);
	free(sum->flow);
	free(flow);
	sum->flow = NULL;
}

struct flow_sum *
flow_sum_new(const struct network *net, const struct flow_part *part, size_t n, double from, double to)
{
	struct flow_sum *sum;

	if (!has_flows(part, n))
		return NULL;
	sum = mem_new(sizeof *sum);
	sum->net = net;
	sum->layout = flow_layout_new(net, 64);
	sum->from = from;
	sum->to = to;
	sum->whole = isinf(from) && isinf(to);
	keep_counters(sum, part, n);
	for (int i = 0; i < FLOW_SPECIALS; i++)
		add_flow(sum, (struct flow){.core = FLOW_NOWHERE, .destination = FLOW_NOWHERE});
	for (size_t i = 0; i < n; i++)
		flow_sum_take_part(sum, &part[i]);
	fold_all(sum);
	order_cores(sum);
	sum->destination = mem_new_array(sum->layout->n_destinations, sizeof *sum->destination);
	for (size_t d = 0; d < sum->layout->n_destinations; d++)
		sum->destination[d] = net->module[sum->layout->destination[d]].text;
	make_flows(sum);
	return sum;
}

void
flow_sum_free(struct flow_sum *sum)
{
	if (!sum)
		return;
	flows_free(sum->flows);
	flow_layout_free(sum->layout);
	for (size_t i = 0; i < sum->n_tasks; i++)
		free(sum->task[i].name);
	for (size_t i = 0; i < sum->n_cores; i++)
		free(sum->core[i]);
	free(sum->task);
	free(sum->core);
	free(sum->cpu);
	free(sum->destination);
	free(sum);
}

const struct flows *
flow_sum_flows(const struct flow_sum *s)
{
	return s->flows;
}

const size_t *
flow_sum_counters(const struct flow_sum *s)
{
	return s->layout->number;
}

const size_t *
flow_sum_destinations(const struct flow_sum *s)
{
	return s->layout->destination;
}

int
flow_sum_cpu(const struct flow_sum *s, size_t core)
{
	return s->cpu[core];
}

uint64_t
flow_sum_life(const struct flow_sum *s, const struct flow *f)
{
	return s->task[f->life].life;
}

const char *
flow_sum_task_of(const struct flow_sum *s, const struct flow *f)
{
	return s->task[f->life].name;
}

size_t
flow_sum_foreign(const struct flow_sum *s)
{
	return s->foreign;
}

/* Returns the name of the latest task that had the number. */
const char *
flow_sum_task(const void *flow_sum, int32_t task)
{
	const struct flow_sum *s = flow_sum;

	for (size_t i = s->n_tasks; i-- > 0;)
		if (s->task[i].tid == task)
			return s->task[i].name;
	return "";
}

const char *const *
flow_sum_cores(const struct flow_sum *s)
{
	return (const char *const *)s->core;
}

const char *const *
flow_sum_destination_names(const struct flow_sum *s)
{
	return s->destination;
}
