#include "collect/perf/kernel_causes.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"

struct range {
	uint64_t start, end;
	enum tasktime_cause cause;
};

struct kernel_causes {
	struct range *range; /* ascending, disjoint */
	size_t n, cap;
	size_t users;
};

/* Finds the cause of a sleep in this function; false where it is neither I/O nor a futex. io_schedule() sets in_iowait,
 * and all waits for pages and blocks go through it. Futexes are all in kernel/futex/. */
static bool
cause_of_name(const char *name, enum tasktime_cause *cause)
{
	if (str_eq(name, "io_schedule") || str_eq(name, "io_schedule_timeout") || str_starts(name, "bit_wait_io"))
		*cause = TASKTIME_CAUSE_IO;
	else if (str_starts(name, "futex_") || str_starts(name, "__futex_"))
		*cause = TASKTIME_CAUSE_FUTEX;
	else
		return false;
	return true;
}

static int
by_start(const void *a, const void *b)
{
	const struct range *x = a, *y = b;

	return x->start < y->start ? -1 : x->start > y->start;
}

/* Returns the last range that begins at or before the address; NULL: there is none. */
static struct range *
range_before(const struct kernel_causes *causes, uint64_t address)
{
	size_t a = 0, b = causes->n;

	while (a < b) {
		size_t m = (a + b) / 2;

		if (causes->range[m].start <= address)
			a = m + 1;
		else
			b = m;
	}
	return a ? &causes->range[a - 1] : NULL;
}

/* Reads a line of kallsyms. Only text symbols of the kernel itself count, because modules come and go. */
static bool
kernel_causes_take_line(const char *line, uint64_t *address, char *name)
{
	unsigned long long a;
	char type, rest;

	if (sscanf(line, "%llx %c %127s %c", &a, &type, name, &rest) != 3 || a == 0 || (type != 't' && type != 'T'))
		return false;
	*address = a;
	return true;
}

static void
find_starts(struct kernel_causes *causes, FILE *f)
{
	char line[512], name[128];
	enum tasktime_cause cause;
	uint64_t address;

	while (fgets(line, sizeof line, f))
		if (kernel_causes_take_line(line, &address, name) && cause_of_name(name, &cause)) {
			mem_grow(&causes->range, &causes->cap, causes->n + 1, sizeof *causes->range);
			causes->range[causes->n++] = (struct range){address, UINT64_MAX, cause};
		}
	if (causes->n)
		qsort(causes->range, causes->n, sizeof *causes->range, by_start);
}

/* Sets the ends of the ranges: a function ends where the next symbol begins. */
static void
kernel_causes_find_ends(struct kernel_causes *causes, FILE *f)
{
	char line[512], name[128];
	uint64_t address;

	while (fgets(line, sizeof line, f)) {
		struct range *range;

		if (!kernel_causes_take_line(line, &address, name))
			continue;
		range = range_before(causes, address - 1);
		if (range && address < range->end)
			range->end = address;
	}
}

struct kernel_causes *
kernel_causes_new(const char *path)
{
	FILE *f = fopen(path, "re");
	struct kernel_causes *causes;

	if (!f)
		return NULL;
	causes = mem_new(sizeof *causes);
	causes->users = 1;
	find_starts(causes, f);
	rewind(f);
	if (causes->n)
		kernel_causes_find_ends(causes, f);
	fclose(f);
	if (causes->n == 0) {
		kernel_causes_free(causes);
		return NULL;
	}
	return causes;
}

struct kernel_causes *
kernel_causes_share(struct kernel_causes *k)
{
	if (k)
		k->users++;
	return k;
}

void
kernel_causes_free(struct kernel_causes *k)
{
	if (!k || --k->users)
		return;
	free(k->range);
	free(k);
}

enum tasktime_cause
kernel_cause_of(const struct kernel_causes *k, uint64_t address)
{
	const struct range *r = range_before(k, address);

	return r && address < r->end ? r->cause : TASKTIME_CAUSE_OTHER;
}
