#include "work/probe/probe_known.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "text/diag.h"
#include "work/files/simulation.h"
#include "work/probe/native_expect.h"
#include "work/probe/probe_book.h"

/* Items of a .machine file that are the answer of a probe, by themselves or with a second one. 0: the machine has no
 * such limit. */
static const struct {
	const char *parameter, *unit;
	size_t at; /* of an unsigned, or of bytes of a cache, in struct sim_machine */
	bool bytes;
	size_t plus; /* of an unsigned that is added; 0: none */
} item[] = {
#define AT(f) offsetof(struct sim_machine, f)
#define TAKES(op) AT(pipe.latency[SIM_OP_##op])
	{"rob", "entries", AT(rob), false, 0},
	{"load_queue", "entries", AT(load_queue), false, 0},
	{"store_queue", "entries", AT(store_queue), false, 0},
	{"fill_buffers", "entries", AT(data_mlp), false, 0},
	{"branches", "entries", AT(pipe.branches), false, 0},
	{"returns", "entries", AT(pipe.predictor.returns), false, 0},
	{"l1i", "bytes", AT(pipe.l1i.bytes), true, 0},
	{"l1i", "ways", AT(pipe.l1i.ways), false, 0},
	{"itlb", "entries", AT(pipe.itlb.entries), false, 0},
	{"itlb", "ways", AT(pipe.itlb.ways), false, 0},
	{"fetch", "per cycle", AT(pipe.fetch), false, 0},
	{"issue", "per cycle", AT(pipe.issue), false, 0},
	{"commit", "per cycle", AT(pipe.commit), false, 0},
	{"width", "per cycle", AT(width), false, 0},
	{"int_registers", "entries", AT(pipe.int_registers), false, 0},
	{"fp_registers", "entries", AT(pipe.fp_registers), false, 0},
	{"banks", "banks", AT(pipe.banks), false, 0},
	{"write_back", "per cycle", AT(pipe.write_back), false, 0},
	{"l1", "bytes", AT(l1.bytes), true, 0},
	{"l2", "bytes", AT(l2.bytes), true, 0},
	{"l3", "bytes", AT(l3.bytes), true, 0},
	{"l1", "cycles", AT(l1.latency), false, TAKES(LOAD)},
	{"l2", "cycles", AT(l2.latency), false, TAKES(LOAD)},
	{"memory", "cycles", AT(memory_latency), false, TAKES(LOAD)},
	{"forward", "cycles", AT(pipe.forward), false, TAKES(LOAD)},
	{"latency mul", "cycles", TAKES(MUL), false, 0},
	{"latency fmul", "cycles", TAKES(FMUL), false, 0},
	{"latency div", "cycles", TAKES(DIV), false, 0},
	{"latency fdiv", "cycles", TAKES(FDIV), false, 0},
	{"scheduler", "entries", AT(pipe.scheduler), false, 0},
	{"l1 ways", "ways", AT(l1.ways), false, 0},
	{"l2 ways", "ways", AT(l2.ways), false, 0},
	{"l3 ways", "ways", AT(l3.ways), false, 0},
	{"walk_start", "cycles", AT(walk_start), false, AT(l1.latency)},
	{"latency atomic", "cycles", TAKES(ATOMIC), false, AT(l1.latency)},
#undef TAKES
#undef AT
};

static double
known_of(const struct sim_machine *machine, const struct probe *probe)
{
	for (size_t i = 0; i < sizeof item / sizeof *item; i++) {
		const char *at = (const char *)machine + item[i].at;
		uint64_t bytes = 0;
		unsigned number = 0, plus = 0;

		if (!str_eq(probe->parameter, item[i].parameter) || !str_eq(probe->unit, item[i].unit))
			continue;
		if (item[i].bytes)
			memcpy(&bytes, at, sizeof bytes);
		else
			memcpy(&number, at, sizeof number);
		if (item[i].plus)
			memcpy(&plus, (const char *)machine + item[i].plus, sizeof plus);
		return bytes ? (double)bytes : number ? (double)number + plus : NAN;
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
fill_expected(struct probe_book *book)
{
	struct diags d = {0};
	struct err e = {0};
	struct expectation *expectation = expectation_here(&d, &e);

	for (size_t i = 0; i < book->n; i++) {
		const struct expected *known = expectation_of(expectation, book->entry[i].name);

		if (known)
			book->entry[i].known = (struct expected){
				.low = known->low, .high = known->high, .doubtful = known->doubtful};
	}
	expectation_free(expectation);
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
