/* The workload's counts by inspection against counts by other means: single steps, valgrind's trace of memory. */
#include "collect/workload/workload.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "collect/workload/expected.h"
#include "stepper.h"
#include "test.h"

/* The program next to hecate. NULL: there is none for this architecture, and the case is skipped. */
static char *
program_or_skip(void)
{
	const char *hecate = getenv("HECATE");
	const char *slash = hecate != NULL ? strrchr(hecate, '/') : NULL;
	if (workload_n_parts == 0) {
		test_skip("no workload for this architecture");
		return NULL;
	}
	if (slash == NULL)
		return str_format("./hecate-workload");
	return str_format("%.*s/hecate-workload", (int)(slash - hecate), hecate);
}

static uint32_t *
loops_of(uint32_t loops)
{
	uint32_t *list = mem_new_array(workload_n_parts, sizeof *list);
	for (size_t k = 0; k < workload_n_parts; k++)
		if (workload_cpu_has(workload_parts[k].needs, NULL))
			list[k] = loops;
	return list;
}

static struct workload_counts
with_frame(size_t k, uint32_t loops)
{
	struct workload_counts c = workload_expect_part(k, loops);
	for (size_t kind = 0; kind < WORKLOAD_N_KINDS; kind++)
		c.n[kind] += workload_frame.part.n[kind];
	return c;
}

static struct steps *
step_with(const char *program, const uint64_t *address, const uint32_t *loops)
{
	struct steps *steps = mem_new_array(workload_n_parts + 2, sizeof *steps);
	struct str argument = {0};
	workload_argument(loops, &argument);
	CHECK_INT(step_program(program, str_text(&argument), address, workload_n_parts + 1, steps), 0);
	str_free(&argument);
	return steps;
}

/* Each part alone, and the program around them, for three numbers of iterations. */
static void
steps_agree_with_inspection(void)
{
	const char *why = "";
	char *program = program_or_skip();
	if (program == NULL || !step_possible(&why)) {
		if (program != NULL)
			test_skip("%s", why);
		free(program);
		return;
	}
	uint64_t *address = mem_new_array(workload_n_parts + 1, sizeof *address);
	if (step_symbols(program, "part_", workload_n_parts + 1, address)) {
		int64_t *faults = mem_new_array(workload_n_parts, sizeof *faults);
		for (uint32_t times = 0; times <= 7; times += times == 0 ? 1 : times == 1 ? 2 : 4) {
			uint32_t *loops = loops_of(times);
			struct steps *steps = step_with(program, address, loops);
			struct steps sum = steps[0];
			for (size_t k = 0; k < workload_n_parts; k++) {
				const struct steps *s = &steps[k + 1];
				struct workload_counts want = with_frame(k, loops[k]);
				test_label("%s, %u times", workload_parts[k].name, loops[k]);
				CHECK_INT(s->instructions, want.n[WORKLOAD_INSTRUCTIONS]);
				CHECK_INT(s->branches, want.n[WORKLOAD_BRANCHES]);
				CHECK_INT(s->conditional, want.n[WORKLOAD_CONDITIONAL]);
				CHECK_INT(s->taken, want.n[WORKLOAD_TAKEN]);
				CHECK_INT(s->elements, want.n[WORKLOAD_ELEMENTS]);
				CHECK_INT(s->syscalls, want.n[WORKLOAD_SYSCALLS]);
				CHECK_INT(s->exceptions, want.n[WORKLOAD_EXCEPTIONS]);
				/* 4 iterations more, after the code and the stack were touched */
				if (times == 7)
					CHECK_INT(s->faults - faults[k],
						loops[k] > 0 ? 4 * workload_parts[k].iteration.n[WORKLOAD_FAULTS] : 0);
				faults[k] = s->faults;
				sum.instructions += s->instructions;
				sum.branches += s->branches;
				sum.taken += s->taken;
				sum.forgotten += s->forgotten;
			}
			if (sum.forgotten > 0)
				printf("# this hypervisor forgot the stop of %lld single steps over instructions that "
				       "it emulates: counted by the addresses at which the steps ended\n",
					(long long)sum.forgotten);
			struct workload_counts all = workload_expect(loops);
			const struct steps *end = &steps[workload_n_parts + 1];
			test_label("all parts, %u times", times);
			CHECK_INT(sum.instructions + end->instructions, all.n[WORKLOAD_INSTRUCTIONS]);
			CHECK_INT(sum.branches + end->branches, all.n[WORKLOAD_BRANCHES]);
			CHECK_INT(sum.taken + end->taken, all.n[WORKLOAD_TAKEN]);
			free(steps);
			free(loops);
		}
		free(faults);
	}
	free(address);
	free(program);
}

/* Reads "I  401000,4", " L 402000,8", " S …", " M …" of valgrind's lackey. */
static void
count_accesses(FILE *trace, const uint64_t *address, int64_t *loads, int64_t *stores)
{
	char line[256];
	size_t at = 0;
	while (fgets(line, sizeof line, trace) != NULL) {
		if (line[0] == 'I') {
			uint64_t place = strtoull(line + 3, NULL, 16);
			while (at <= workload_n_parts && place == address[at])
				at++;
		} else if (line[0] == ' ' && at > 0) {
			loads[at - 1] += line[1] == 'L' || line[1] == 'M';
			stores[at - 1] += line[1] == 'S' || line[1] == 'M';
		}
	}
}

static bool
have_valgrind(void)
{
	return system("valgrind --version >/dev/null 2>&1") == 0;
}

static void
trace_memory(const char *program, const uint64_t *address, const uint32_t *loops, int64_t *loads, int64_t *stores)
{
	struct str command = {0};
	str_addf(&command, "valgrind --tool=lackey --trace-mem=yes --vex-guest-max-insns=1 --log-fd=1 '%s' ", program);
	workload_argument(loops, &command);
	FILE *trace = popen(str_text(&command), "r");
	if (CHECK(trace != NULL)) {
		count_accesses(trace, address, loads, stores);
		CHECK_INT(pclose(trace), 0);
	}
	str_free(&command);
}

/* Parts with instructions that valgrind 3.19 does not know: cmpsb without a prefix, ftst, fxam, fnop, fbstp, fbld. It
 * ignores the prefix of rep lods. Their accesses are counted by inspection alone. */
static const char *const unknown_to_valgrind[] = {"strings-compare", "rep-lods", "x87-tests", "x87-bcd"};

/* Parts where valgrind sees other accesses than the instructions have operands, and the accesses of an iteration. */
static const struct {
	const char *part;
	int64_t loads, stores;
} valgrind_sees[] = {
	/* each element */
	{"rep-movs", 366, 366},
	{"rep-stos", 0, 366},
	{"rep-scas", 51, 0},
	{"rep-cmps", 120, 0},
	/* it makes a locked instruction of a load, and a compare-and-swap that loads again */
	{"locked", 9, 6},
	/* it stores selected bytes by changing what it has loaded, and loads 128 bits in two halves */
	{"mmx-emms", 1, 1},
	{"sse-mmx", 5, 1},
	/* field by field */
	{"fxsave", 18, 18},
};

static void
expect_of_valgrind(size_t k, int64_t *loads, int64_t *stores)
{
	*loads = workload_parts[k].iteration.n[WORKLOAD_LOADS];
	*stores = workload_parts[k].iteration.n[WORKLOAD_STORES];
	for (size_t r = 0; r < sizeof valgrind_sees / sizeof valgrind_sees[0]; r++)
		if (str_eq(valgrind_sees[r].part, workload_parts[k].name)) {
			*loads = valgrind_sees[r].loads;
			*stores = valgrind_sees[r].stores;
		}
}

static void
leave_out_unknown(uint32_t *loops)
{
	for (size_t k = 0; k < sizeof unknown_to_valgrind / sizeof unknown_to_valgrind[0]; k++) {
		size_t part = workload_find_part(unknown_to_valgrind[k]);
		if (part < workload_n_parts)
			loops[part] = 0;
	}
}

static void
loads_and_stores_agree_with_valgrind(void)
{
	char *program = program_or_skip();
	if (program == NULL)
		return;
	if (!have_valgrind()) {
		test_skip("valgrind is not installed");
		free(program);
		return;
	}
	size_t n = workload_n_parts + 1;
	uint64_t *address = mem_new_array(n, sizeof *address);
	int64_t *count = mem_new_array(n * 4, sizeof *count);
	uint32_t *few = loops_of(1), *more = loops_of(3);
	leave_out_unknown(few);
	leave_out_unknown(more);
	if (step_symbols(program, "part_", n, address)) {
		trace_memory(program, address, few, count, count + n);
		trace_memory(program, address, more, count + 2 * n, count + 3 * n);
		for (size_t k = 0; k < workload_n_parts; k++) {
			int64_t loads = 0, stores = 0;
			expect_of_valgrind(k, &loads, &stores);
			if (few[k] == 0)
				continue;
			test_label("%s", workload_parts[k].name);
			CHECK_INT(count[2 * n + k] - count[k], 2 * loads);
			CHECK_INT(count[3 * n + k] - count[n + k], 2 * stores);
		}
	}
	free(few);
	free(more);
	free(count);
	free(address);
	free(program);
}

/* The size of a whole run, and the form of the table. */
static void
whole_run_is_large_enough(void)
{
	if (workload_n_parts == 0) {
		test_skip("no workload for this architecture");
		return;
	}
	uint32_t *loops = mem_new_array(workload_n_parts, sizeof *loops);
	for (size_t k = 0; k < workload_n_parts; k++) {
		loops[k] = workload_parts[k].loops;
		test_label("%s", workload_parts[k].name);
		CHECK(loops[k] >= 100);
		CHECK(workload_parts[k].about[0] != '\0' && workload_parts[k].class[0] != '\0');
		CHECK_INT(workload_find_part(workload_parts[k].name), k);
	}
	struct workload_counts all = workload_expect(loops);
	test_label("all parts");
	CHECK(all.n[WORKLOAD_INSTRUCTIONS] >= 10000000 && all.n[WORKLOAD_INSTRUCTIONS] <= 200000000);
	for (size_t kind = 0; kind < WORKLOAD_N_KINDS; kind++) {
		test_label("%s", workload_kind_word((enum workload_kind)kind));
		CHECK(all.n[kind] > 0);
	}
	free(loops);
}

static void
events_have_kinds(void)
{
	static const struct {
		const char *event;
		int kind;
	} rows[] = {
		{"instructions", WORKLOAD_INSTRUCTIONS},
		{"instructions:u", WORKLOAD_INSTRUCTIONS},
		{"INST_RETIRED:ANY_P:u", WORKLOAD_INSTRUCTIONS},
		{"br_inst_retired.conditional:u", WORKLOAD_CONDITIONAL},
		{"BR_INST_RETIRED:CONDITIONAL", WORKLOAD_CONDITIONAL},
		{"page-faults:u", WORKLOAD_FAULTS},
		{"branches:uk", WORKLOAD_BRANCHES},
		{"cycles", -1},
		{"instructions:x", -1},
		{"", -1},
	};
	for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
		enum workload_kind kind = WORKLOAD_N_KINDS;
		test_label("%s", rows[k].event);
		bool known = workload_kind_of_event(rows[k].event, &kind);
		CHECK_INT(known ? (int)kind : -1, rows[k].kind);
	}
}

static void
missing_features_are_named(void)
{
	struct str missing = {0};
	CHECK(workload_cpu_has("", NULL));
	CHECK(!workload_cpu_has("teleport avx1024", &missing));
	CHECK_STR(str_text(&missing), "teleport, avx1024");
	str_free(&missing);
}

TEST_MAIN(CASE(whole_run_is_large_enough), CASE(events_have_kinds), CASE(missing_features_are_named),
	CASE(steps_agree_with_inspection), CASE(loads_and_stores_agree_with_valgrind))
