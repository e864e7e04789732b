/* What hecate sim says of runs on a pipeline: one text for people, and one JSON document. */
#include "cli/sim_parts.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/str.h"
#include "cli/options.h"
#include "cli/print/print.h"
#include "cli/writing.h"
#include "core/obs/obs.h"
#include "work/files/simulation.h"

/* The counts of a cache: accesses and misses. A machine without L3 never asks it. */
static const struct {
	const char *name, *text;
	enum sim_event access, miss;
} cache[] = {
	{"l1i", "L1I", SIM_PIPE_L1I_ACCESS, SIM_PIPE_L1I},
	{"l1d", "L1D", SIM_PIPE_L1D_ACCESS, SIM_PIPE_L1D_MISS},
	{"l2", "L2", SIM_PIPE_L2_ACCESS, SIM_PIPE_L2_MISS},
	{"l3", "L3", SIM_PIPE_L3_ACCESS, SIM_PIPE_L3_MISS},
	{"prefetches", "prefetches", SIM_PIPE_PREFETCH, SIM_PIPE_PREFETCH_MISS},
};
#define N_CACHES (sizeof cache / sizeof *cache)

static double
ratio(uint64_t a, uint64_t b)
{
	return (double)a / (double)b; /* NaN, which JSON shows as null, when both are 0 */
}

static void
write_run(struct json_writer *writer, const char *program, const uint64_t *count)
{
	json_open(writer, NULL, '{');
	json_str(writer, "program", program);
	json_int(writer, "instructions", (int64_t)count[SIM_INSTRUCTIONS]);
	json_int(writer, "uops", (int64_t)count[SIM_PIPE_UOPS]);
	json_int(writer, "cycles", (int64_t)count[SIM_CYCLES]);
	json_num(writer, "ipc", ratio(count[SIM_INSTRUCTIONS], count[SIM_CYCLES]));
	json_int(writer, "loads", (int64_t)count[SIM_LOAD_RET]);
	json_int(writer, "stores", (int64_t)count[SIM_STORE_RET]);
	json_int(writer, "branches", (int64_t)count[SIM_PIPE_BRANCHES]);
	json_int(writer, "conditional_branches", (int64_t)count[SIM_PIPE_CONDITIONALS]);
	json_int(writer, "mispredictions", (int64_t)count[SIM_PIPE_BRANCH_RETIRED]);
	json_int(writer, "walk_cycles", (int64_t)(count[SIM_LOAD_WALK_CYCLES] + count[SIM_STORE_WALK_CYCLES]));
	json_open(writer, "caches", '{');
	for (size_t i = 0; i < N_CACHES; i++) {
		uint64_t accesses = count[cache[i].access], misses = count[cache[i].miss];

		json_open(writer, cache[i].name, '{');
		json_int(writer, "accesses", (int64_t)accesses);
		json_int(writer, "hits", (int64_t)(accesses - misses));
		json_int(writer, "misses", (int64_t)misses);
		json_close(writer, '}');
	}
	json_close(writer, '}');
	json_open(writer, "events", '{');
	for (int i = 0; i < (int)SIM_N_EVENTS; i++)
		if (sim_event_is_of_pipe((enum sim_event)i))
			json_int(writer, sim_event_name((enum sim_event)i), (int64_t)count[i]);
	json_close(writer, '}');
	json_close(writer, '}');
}

/* Writes the bits that each method of accounting needs on the machine. */
static void
write_storage(struct json_writer *writer, const struct sim_machine *machine)
{
	static const char *const name[SIM_N_METHODS] = {
		[SIM_POWER5] = "power5", [SIM_FMT] = "fmt", [SIM_SFMT] = "sfmt", [SIM_TEA] = "tea",
	};
	struct sim_account *account = sim_account_new(machine->pipe.branches, machine->rob);

	json_open(writer, "storage_bits", '{');
	for (int i = 0; i < (int)SIM_N_METHODS; i++)
		json_int(writer, name[i], (int64_t)sim_account_bits(account, (enum sim_method)i));
	json_close(writer, '}');
	sim_account_free(account);
}

static void
sim_summary_write_json(struct json_writer *writer, const struct simulation *how, const struct simulated *got)
{
	json_open(writer, NULL, '{');
	json_str(writer, "schema", "hecate.sim/1");
	json_str(writer, "machine", how->machine->name);
	json_str(writer, "changes", *how->changes ? how->changes : NULL);
	json_bool(writer, "cut", got->cut);
	if (got->n == 1) { /* the numbers of the only run, for scripts */
		const uint64_t *count = got->truth;

		json_int(writer, "instructions", (int64_t)count[SIM_INSTRUCTIONS]);
		json_int(writer, "cycles", (int64_t)count[SIM_CYCLES]);
		json_num(writer, "ipc", ratio(count[SIM_INSTRUCTIONS], count[SIM_CYCLES]));
		json_int(writer, "branches", (int64_t)count[SIM_PIPE_BRANCHES]);
		json_int(writer, "mispredictions", (int64_t)count[SIM_PIPE_BRANCH_RETIRED]);
		for (size_t i = 0; i < N_CACHES - 1; i++) {
			char *hits = str_format("%s_hits", cache[i].name),
			     *misses = str_format("%s_misses", cache[i].name);

			json_int(writer, hits, (int64_t)(count[cache[i].access] - count[cache[i].miss]));
			json_int(writer, misses, (int64_t)count[cache[i].miss]);
			free(hits);
			free(misses);
		}
	}
	write_storage(writer, how->machine);
	json_open(writer, "runs", '[');
	for (size_t i = 0; i < got->n; i++)
		write_run(writer, got->table->obs[i]->name, &got->truth[i * SIM_N_COUNTS]);
	json_close(writer, ']');
	json_close(writer, '}');
}

static void
sim_summary_write_text(struct str *out, const char *program, const uint64_t *count)
{
	str_addf(out, "%s\n", program);
	str_addf(out, "  %-22s %14" PRIu64 "\n  %-22s %14" PRIu64 "\n  %-22s %14.4f\n", "instructions",
		count[SIM_INSTRUCTIONS], "cycles", count[SIM_CYCLES], "instructions per cycle",
		ratio(count[SIM_INSTRUCTIONS], count[SIM_CYCLES]));
	str_addf(out, "  %-22s %14" PRIu64 "\n  %-22s %14" PRIu64 "\n", "branches", count[SIM_PIPE_BRANCHES],
		"mispredicted", count[SIM_PIPE_BRANCH_RETIRED]);
	str_addf(out, "  %-22s %14s %14s\n", "", "accesses", "misses");
	for (size_t i = 0; i < N_CACHES; i++)
		if (count[cache[i].access])
			str_addf(out, "  %-22s %14" PRIu64 " %14" PRIu64 "\n", cache[i].text, count[cache[i].access],
				count[cache[i].miss]);
}

bool
sim_summary(const struct options *options, const struct simulation *how, const struct simulated *got)
{
	struct writing out;
	struct options to = *options;

	to.output = NULL; /* that is the session file */
	writing_begin(&out, &to);
	if (options->json)
		sim_summary_write_json(&out.json, how, got);
	else
		for (size_t i = 0; i < got->n; i++)
			sim_summary_write_text(&out.text, got->table->obs[i]->name, &got->truth[i * SIM_N_COUNTS]);
	return writing_end(&out, true);
}
