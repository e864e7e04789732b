#include "app/probe/probe_known.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/files/simulation.h"
#include "app/probe/native_expect.h"
#include "app/probe/probe_book.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/lang/diag.h"

/* Items of a .machine file that are the answer of a probe, number for number. 0: the machine has no such limit. */
static const struct {
	const char *parameter, *unit;
	size_t at; /* of an unsigned, or of bytes of a cache, in struct sim_machine */
	bool bytes;
} item[] = {
#define AT(f) offsetof(struct sim_machine, f)
	{"rob", "entries", AT(rob), false},
	{"load_queue", "entries", AT(load_queue), false},
	{"store_queue", "entries", AT(store_queue), false},
	{"fill_buffers", "entries", AT(data_mlp), false},
	{"width", "per cycle", AT(width), false},
	{"int_registers", "entries", AT(pipe.int_registers), false},
	{"fp_registers", "entries", AT(pipe.fp_registers), false},
	{"banks", "banks", AT(pipe.banks), false},
	{"write_back", "per cycle", AT(pipe.write_back), false},
	{"l1", "bytes", AT(l1.bytes), true},
	{"l2", "bytes", AT(l2.bytes), true},
	{"l3", "bytes", AT(l3.bytes), true},
#undef AT
};

static double
known_of(const struct sim_machine *m, const struct probe *p)
{
	for (size_t i = 0; i < sizeof item / sizeof *item; i++) {
		const char *at = (const char *)m + item[i].at;
		uint64_t bytes = 0;
		unsigned number = 0;

		if (!str_eq(p->parameter, item[i].parameter) || !str_eq(p->unit, item[i].unit))
			continue;
		if (item[i].bytes)
			memcpy(&bytes, at, sizeof bytes);
		else
			memcpy(&number, at, sizeof number);
		return bytes ? (double)bytes : number ? (double)number : NAN;
	}
	return NAN;
}

/* "core" of "sim:core:move_elimination"; NULL: it is no simulated machine. The caller frees it. */
static char *
file_of(const char *machine)
{
	static const char simulated[] = "sim:";
	const char *name = machine && strncmp(machine, simulated, sizeof simulated - 1) == 0
		? machine + sizeof simulated - 1 : NULL;

	return name ? mem_strn(name, strcspn(name, ":")) : NULL;
}

/* What is expected of the processor here. */
static void
fill_expected(struct probe_book *b)
{
	struct diags d = {0};
	struct err e = {0};
	struct expectation *x = expectation_here(&d, &e);

	for (size_t i = 0; i < b->n; i++) {
		const struct expected *known = expectation_of(x, b->entry[i].name);

		if (known)
			b->entry[i].known = (struct expected){
				.low = known->low, .high = known->high, .doubtful = known->doubtful};
	}
	expectation_free(x);
	diags_free(&d);
}

void
probe_known_fill(struct probe_book *b)
{
	char *file = file_of(b->machine);
	struct simulation sim = {0};
	struct err e = {0};
	bool good = file && simulation_load(file, NULL, &sim, &e);

	for (size_t i = 0; i < b->n; i++) {
		double known = good && b->entry[i].probe ? known_of(sim.machine, b->entry[i].probe) : NAN;

		b->entry[i].known = (struct expected){.low = known, .high = known};
	}
	simulation_free(&sim);
	free(file);
	if (b->machine && str_eq(b->machine, "native"))
		fill_expected(b);
}
