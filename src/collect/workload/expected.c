#include "collect/workload/expected.h"

#include "base/str.h"
#include "event/name.h"

static void
add_times(struct workload_counts *sum, const struct workload_counts *c, int64_t times)
{
	for (size_t k = 0; k < WORKLOAD_N_KINDS; k++)
		sum->n[k] += c->n[k] * times;
}

struct workload_counts
workload_expect_part(size_t k, uint32_t loops)
{
	struct workload_counts sum = {.n = {0}};
	if (loops == 0) {
		sum.n[WORKLOAD_TAKEN] = 1;
		return sum;
	}
	add_times(&sum, &workload_parts[k].once, 1);
	add_times(&sum, &workload_parts[k].iteration, loops);
	sum.n[WORKLOAD_TAKEN] += loops - 1;
	return sum;
}

struct workload_counts
workload_expect(const uint32_t *loops)
{
	struct workload_counts sum = workload_frame.run;
	for (size_t k = 0; k < workload_n_parts; k++) {
		struct workload_counts part = workload_expect_part(k, loops[k]);
		add_times(&sum, &part, 1);
		add_times(&sum, &workload_frame.part, 1);
	}
	return sum;
}

/* Events by the keys of their names (event/name.h). Events of micro-operations are missing on purpose: what they should
 * count cannot be known by inspection, but their names say which operations, so that they are compared as well. */
static const struct {
	const char *key;
	enum workload_kind kind;
} names[] = {
	{"instructions", WORKLOAD_INSTRUCTIONS},
	{"inst_retired", WORKLOAD_INSTRUCTIONS},
	{"inst_retired.any", WORKLOAD_INSTRUCTIONS},
	{"inst_retired.any_p", WORKLOAD_INSTRUCTIONS},
	{"instructions_retired", WORKLOAD_INSTRUCTIONS},
	{"instruction_retired", WORKLOAD_INSTRUCTIONS},
	{"retired_instructions", WORKLOAD_INSTRUCTIONS},
	{"ex_ret_instr", WORKLOAD_INSTRUCTIONS},
	{"branch_instructions", WORKLOAD_BRANCHES},
	{"br_inst_retired.all_branches", WORKLOAD_BRANCHES},
	{"branch_instructions_retired", WORKLOAD_BRANCHES},
	{"retired_branch_instructions", WORKLOAD_BRANCHES},
	{"ex_ret_brn", WORKLOAD_BRANCHES},
	{"br_retired", WORKLOAD_BRANCHES},
	{"br_inst_retired.conditional", WORKLOAD_CONDITIONAL},
	{"br_inst_retired.cond", WORKLOAD_CONDITIONAL},
	{"retired_conditional_branch_instructions", WORKLOAD_CONDITIONAL},
	{"ex_ret_cond", WORKLOAD_CONDITIONAL},
	{"br_inst_retired.near_taken", WORKLOAD_TAKEN},
	{"retired_taken_branch_instructions", WORKLOAD_TAKEN},
	{"ex_ret_brn_tkn", WORKLOAD_TAKEN},
	{"mem_inst_retired.loads", WORKLOAD_LOADS},
	{"mem_inst_retired.all_loads", WORKLOAD_LOADS},
	{"mem_uops_retired.all_loads", WORKLOAD_LOADS},
	{"mem_uop_retired.any_loads", WORKLOAD_LOADS},
	{"inst_retired.loads", WORKLOAD_LOADS},
	{"ld_retired", WORKLOAD_LOADS},
	{"loads", WORKLOAD_LOADS},
	{"mem_inst_retired.stores", WORKLOAD_STORES},
	{"mem_inst_retired.all_stores", WORKLOAD_STORES},
	{"mem_uops_retired.all_stores", WORKLOAD_STORES},
	{"mem_uop_retired.any_stores", WORKLOAD_STORES},
	{"inst_retired.stores", WORKLOAD_STORES},
	{"st_retired", WORKLOAD_STORES},
	{"stores", WORKLOAD_STORES},
	{"page_faults", WORKLOAD_FAULTS},
	{"minor_faults", WORKLOAD_FAULTS},
	{"conditional_branches", WORKLOAD_CONDITIONAL},
	{"taken_branches", WORKLOAD_TAKEN},
	{"branches_taken", WORKLOAD_TAKEN},
};

bool
workload_kind_of_event(const char *event, enum workload_kind *kind)
{
	struct event_name e;
	bool known = false;

	event_name_read(event, &e);
	for (size_t k = 0; k < sizeof names / sizeof names[0] && !known; k++)
		if (str_eq(e.key, names[k].key)) {
			*kind = names[k].kind;
			known = true;
		}
	event_name_free(&e);
	return known;
}
