#include "collect/probe/expected.h"

#include <string.h>
#include <strings.h>

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

/* Names of events without modifiers, in lower case. Events of micro-operations are missing on purpose: what they should
 * count cannot be known by inspection, but their names say which operations, so that they are compared as well. */
static const struct {
	const char *event;
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
	{"branches", WORKLOAD_BRANCHES},
	{"branch-instructions", WORKLOAD_BRANCHES},
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
	{"page-faults", WORKLOAD_FAULTS},
	{"faults", WORKLOAD_FAULTS},
	{"minor-faults", WORKLOAD_FAULTS},
	{"conditional-branches", WORKLOAD_CONDITIONAL},
	{"taken-branches", WORKLOAD_TAKEN},
	{"branches-taken", WORKLOAD_TAKEN},
};

bool
workload_kind_of_event(const char *event, enum workload_kind *kind)
{
	char plain[128];
	size_t n = 0;
	/* libpfm4 writes a colon where Intel's lists have a point; a modifier has at most letters u, k, h, p … */
	for (const char *s = event; *s != '\0' && n + 1 < sizeof plain; s++) {
		if (*s == ':' && strspn(s + 1, "ukhpPSDGI") == strlen(s + 1))
			break;
		plain[n++] = *s == ':' ? '.' : *s;
	}
	plain[n] = '\0';
	for (size_t k = 0; k < sizeof names / sizeof names[0]; k++)
		if (strcasecmp(plain, names[k].event) == 0) {
			*kind = names[k].kind;
			return true;
		}
	return false;
}
