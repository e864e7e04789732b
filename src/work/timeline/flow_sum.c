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

static struct columns
find_columns(const struct flow_sum *s, const struct obs_table *t)
{
	size_t n = s->layout->n_counters;
	struct columns c = {
		.snapshots = flow_sum_column_of(t, FLOW_COLUMN_SNAPSHOTS, ""),
		.ran = flow_sum_column_of(t, FLOW_COLUMN_RAN, ""),
		.left = flow_sum_column_of(t, FLOW_COLUMN_LEFT, ""),
		.returned = flow_sum_column_of(t, FLOW_COLUMN_RETURNED, ""),
		.ended = flow_sum_column_of(t, FLOW_COLUMN_ENDED, ""),
		.folded = flow_sum_column_of(t, FLOW_COLUMN_FOLDED, ""),
		.backwards = flow_sum_column_of(t, FLOW_COLUMN_BACKWARDS, ""),
		.count = mem_new_array(n, sizeof *c.count),
		.lost = mem_new_array(n, sizeof *c.lost),
	};

	for (size_t i = 0; i < n; i++) {
		c.count[i] = flow_sum_column_of(t, FLOW_COLUMN_COUNT, s->net->counter[s->layout->number[i]].name);
		c.lost[i] = flow_sum_column_of(t, FLOW_COLUMN_LOST, s->net->counter[s->layout->number[i]].name);
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
sum_signed(const struct obs *o, size_t column, size_t first, size_t end, int sign)
{
	uint64_t sum = 0, unit = 1;

	for (int i = 0; i < o->decimals; i++)
		unit *= 10;
	for (size_t row = first; column != SIZE_MAX && row < end;) {
		struct obs_rows r = obs_rows(o, row, end);

		row += r.n;
		for (size_t cell = column; cell < r.n * o->n_columns; cell += o->n_columns)
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
task_at(struct flow_sum *s, const struct flow_name *name)
{
	size_t i = s->n_tasks;

	while (i > 0 && (s->task[i - 1].tid != name->tid || s->task[i - 1].life != name->life))
		i--;
	if (!i) {
		mem_grow(&s->task, &s->cap_tasks, s->n_tasks + 1, sizeof *s->task);
		s->task[s->n_tasks++] = (struct task){.tid = name->tid, .life = name->life};
		i = s->n_tasks;
	}
	free(s->task[i - 1].name);
	s->task[i - 1].name = mem_str(name->task);
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
add_flow(struct flow_sum *s, struct flow f)
{
	size_t n = s->layout->n_counters;
	struct summed *x;

	mem_grow(&s->flow, &s->cap, s->n + 1, sizeof *s->flow);
	x = &s->flow[s->n];
	*x = (struct summed){
		.flow = f, .count = mem_new_array(n, sizeof *x->count), .lost = mem_new_array(n, sizeof *x->lost)};
	x->flow.number = s->n++;
	x->flow.count = x->count;
	x->flow.lost = x->lost;
	return x;
}

/* Returns the flow of this name that is not folded yet, or a new one. NULL for a module that the network lacks. */
static struct summed *
flow_at(struct flow_sum *s, const struct flow_name *name)
{
	struct flow f = {.task = name->tid, .destination = FLOW_NOWHERE};

	if (name->special != FLOW_SPECIALS)
		return &s->flow[name->special];
	if (name->module && (f.destination = destination_at(s, name->module)) == SIZE_MAX)
		return NULL;
	f.core = core_at(s, name->cpu);
	f.life = task_at(s, name);
	for (size_t i = s->n; i-- > FLOW_SPECIALS;) {
		const struct summed *x = &s->flow[i];

		if (x->flow.life == f.life && x->flow.core == f.core && x->flow.destination == f.destination &&
			!x->folded)
			return &s->flow[i];
	}
	return add_flow(s, f);
}

/* --- sums -------------------------------------------------------------------------------------------------------- */

static void
add_counts(const struct flow_sum *s, struct summed *x, const struct obs *o, const struct columns *c, size_t first,
	size_t end)
{
	for (size_t i = 0; i < s->layout->n_counters; i++) {
		x->count[i] += flow_sum_sum_of(o, c->count[i], first, end);
		x->lost[i] += flow_sum_sum_of(o, c->lost[i], first, end);
	}
	x->flow.snapshots += flow_sum_sum_of(o, c->snapshots, first, end);
	x->flow.ran_ns += flow_sum_sum_of(o, c->ran, first, end);
	x->flow.left += flow_sum_sum_of(o, c->left, first, end);
	/* hecate 0.1.0 wrote -1 into `left` when a task returned */
	x->flow.returned += flow_sum_sum_of(o, c->returned, first, end) + sum_signed(o, c->left, first, end, -1);
	x->flow.ended |= flow_sum_sum_of(o, c->ended, first, end) > 0;
}

/* Adds one observation. A folded flow is closed: a later observation of the same name is a new flow. */
static void
take_observation(struct flow_sum *s, const struct obs *o, const struct columns *c)
{
	size_t first = s->whole ? 0 : obs_row_after(o, s->from), end = s->whole ? o->n_rows : obs_row_after(o, s->to);
	struct flow_name name;
	struct summed *x = NULL;

	if (first == end)
		return;
	if (flow_name_parse(o->name, &name))
		x = flow_at(s, &name);
	s->foreign += !x;
	if (x) {
		add_counts(s, x, o, c, first, end);
		x->folded = name.special == FLOW_SPECIALS && flow_sum_sum_of(o, c->folded, first, end);
	}
	if (x && name.special == FLOW_OTHERS) {
		s->trouble.folded += flow_sum_sum_of(o, c->folded, first, end);
		s->trouble.backwards += flow_sum_sum_of(o, c->backwards, first, end);
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
flow_sum_fold(struct flow_sum *s, struct summed *x)
{
	struct summed *others = &s->flow[FLOW_OTHERS];

	for (size_t i = 0; i < s->layout->n_counters; i++) {
		others->count[i] += x->count[i];
		others->lost[i] += x->lost[i];
	}
	others->flow.snapshots += x->flow.snapshots;
	others->flow.ran_ns += x->flow.ran_ns;
	s->trouble.folded++;
	free_counts(x);
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
order_cores(struct flow_sum *s)
{
	size_t *place = mem_new_array(s->n_cores, sizeof *place);
	int *cpu = mem_new_array(s->n_cores, sizeof *cpu);

	for (size_t i = 0; i < s->n_cores; i++) {
		for (size_t k = 0; k < s->n_cores; k++)
			place[i] += s->cpu[k] < s->cpu[i];
		cpu[place[i]] = s->cpu[i];
	}
	for (size_t i = FLOW_SPECIALS; i < s->n; i++)
		s->flow[i].flow.core = place[s->flow[i].flow.core];
	free(place);
	free(s->cpu);
	s->cpu = cpu;
	s->core = mem_new_array(s->n_cores, sizeof *s->core);
	for (size_t i = 0; i < s->n_cores; i++)
		s->core[i] = str_format("CPU %d", cpu[i]);
}

/* Leaves out the counters for which no table has a column. */
static void
keep_counters(struct flow_sum *s, const struct flow_part *part, size_t n)
{
	struct flow_layout *l = s->layout;
	size_t kept = 0;

	for (size_t i = 0; i < l->n_counters; i++) {
		bool some = false;

		for (size_t p = 0; p < n; p++)
			some |= flow_sum_column_of(part[p].table, FLOW_COLUMN_COUNT,
					s->net->counter[l->number[i]].name) != SIZE_MAX;
		if (!some)
			continue;
		l->counter[kept] = l->counter[i];
		l->number[kept++] = l->number[i];
	}
	l->n_counters = kept;
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
make_flows(struct flow_sum *s)
{
	const struct flow_layout *l = s->layout;
	const struct flow_spec spec = {.n_cores = s->n_cores, .n_destinations = l->n_destinations,
		.counter = l->counter, .n_counters = l->n_counters};
	struct flow *flow = mem_new_array(s->n, sizeof *flow);

	for (size_t i = 0; i < s->n; i++)
		flow[i] = s->flow[i].flow;
	s->flows = flows_given(&spec, flow, s->n, &s->trouble);
	for (size_t i = 0; i < s->n; i++)
		free_counts(&s->flow[i]);
	free(s->flow);
	free(flow);
	s->flow = NULL;
}

struct flow_sum *
flow_sum_new(const struct network *net, const struct flow_part *part, size_t n, double from, double to)
{
	struct flow_sum *s;

	if (!has_flows(part, n))
		return NULL;
	s = mem_new(sizeof *s);
	s->net = net;
	s->layout = flow_layout_new(net, 64);
	s->from = from;
	s->to = to;
	s->whole = isinf(from) && isinf(to);
	keep_counters(s, part, n);
	for (int i = 0; i < FLOW_SPECIALS; i++)
		add_flow(s, (struct flow){.core = FLOW_NOWHERE, .destination = FLOW_NOWHERE});
	for (size_t i = 0; i < n; i++)
		flow_sum_take_part(s, &part[i]);
	fold_all(s);
	order_cores(s);
	s->destination = mem_new_array(s->layout->n_destinations, sizeof *s->destination);
	for (size_t d = 0; d < s->layout->n_destinations; d++)
		s->destination[d] = net->module[s->layout->destination[d]].text;
	make_flows(s);
	return s;
}

void
flow_sum_free(struct flow_sum *s)
{
	if (!s)
		return;
	flows_free(s->flows);
	flow_layout_free(s->layout);
	for (size_t i = 0; i < s->n_tasks; i++)
		free(s->task[i].name);
	for (size_t i = 0; i < s->n_cores; i++)
		free(s->core[i]);
	free(s->task);
	free(s->core);
	free(s->cpu);
	free(s->destination);
	free(s);
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
