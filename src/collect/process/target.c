#include "collect/process/target.h"

#include "base/mem.h"
#include "base/str.h"
#include "collect/process/processes.h"
#include "collect/source.h"

struct source_target *
target_copy(const struct source_target *t)
{
	struct source_target *own = mem_new(sizeof *own + t->n * sizeof *t->id);
	int *id = (int *)(own + 1);

	for (size_t i = 0; i < t->n; i++)
		id[i] = t->id[i];
	*own = *t;
	own->id = id;
	return own;
}

/* Writes CPUs as "0,2-3". */
static void
add_ranges(const int *v, size_t n, struct str *out)
{
	for (size_t i = 0; i < n;) {
		size_t to = i;

		while (to + 1 < n && v[to + 1] == v[to] + 1)
			to++;
		str_addf(out, "%s%d", i ? "," : "", v[i]);
		if (to > i)
			str_addf(out, "%c%d", to == i + 1 ? ',' : '-', v[to]);
		i = to + 1;
	}
}

static void
add_list(const int *v, size_t n, struct str *out)
{
	for (size_t i = 0; i < n; i++)
		str_addf(out, "%s%d", i ? "," : "", v[i]);
}

void
target_name(const struct source_target *target, struct str *out)
{
	char comm[64] = "";

	switch (target->kind) {
	case SOURCE_PROCESSES:
		process_name(target->id[0], comm, sizeof comm);
		str_addf(out, "%s-%d", *comm ? comm : "process", target->id[0]);
		break;
	case SOURCE_THREADS:
		str_addf(out, "thread-%d", target->id[0]);
		break;
	case SOURCE_CPUS:
		str_add(out, target->n ? "cpu" : "machine");
		add_ranges(target->id, target->n, out);
		return;
	}
	if (target->n > 1)
		str_addf(out, "+%zu", target->n - 1);
}

void
target_option(const struct source_target *target, struct str *out)
{
	switch (target->kind) {
	case SOURCE_PROCESSES:
	case SOURCE_THREADS:
		str_add(out, target->kind == SOURCE_PROCESSES ? "-p " : "-t ");
		add_list(target->id, target->n, out);
		return;
	case SOURCE_CPUS:
		str_add(out, target->n ? "-C " : "-a");
		add_ranges(target->id, target->n, out);
		return;
	}
}
