/* The programs, each a row of parameters.
 *
 * Names end in -like because the programs share only their character with those of SPEC CPU2000: whether the code fits
 * in a small instruction cache, how often branches are mispredicted, how many loads miss, and whether these misses
 * overlap. Parameters were chosen so that misses and mispredictions per 1000 instructions on the machine of Eyerman,
 * Eeckhout, Karkhanis and Smith (ASPLOS 2006, section 5) have that character (docs/cpi-stacks.md). */
#include "sim/program/catalogue.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "sim/program/code.h"
#include "text/diag.h"
#include "text/word_list.h"

static const struct sim_program_row row[] = {
	{"bzip2-like", "sorts blocks: little code, unpredictable comparisons, some misses",
		("code=7K,function=384,trips=16,branches=0.13,loads=0.26,stores=0.09,hard=0.12,data=0.7,distance=1,"
		 "indexed=0.6,depends=0.5,sequential=0.2,to_warm=0.05,to_far=0.004,footprint=8M"),
		-1, SIM_P_PROGRAMS},
	{"crafty-like", "plays chess: much code, small data, some unpredictable branches",
		("code=96K,branches=0.11,loads=0.29,stores=0.08,hard=0.03,distance=8,indexed=0.1,depends=0,"
		 "to_warm=0.03"),
		-1, SIM_P_PROGRAMS},
	{"eon-like", "traces rays: virtual calls, some floating point, data that fit in the cache",
		("code=80K,repeats=5,branches=0.11,loads=0.27,stores=0.17,fp=0.12,indirect=0.03,wild=0.1,varying=0.05,"
		 "hard=0.003,periodic=0,surprise=0.001,distance=8,indexed=0.1,depends=0,"
		 "sequential=0.03,array=8K,to_warm=0.01,warm=32K"),
		-1, SIM_P_PROGRAMS},
	{"gap-like", "interprets algebra: code beyond the cache, misses that come in bursts",
		("code=64K,group=6,repeats=6,branches=0.13,loads=0.25,stores=0.1,mul=0.015,indirect=0.01,hard=0.01,"
		 "to_far=0.012,burst=6,footprint=64M"),
		-1, SIM_P_PROGRAMS},
	{"gcc-like", "compiles: the most code, misses that come in long bursts",
		("code=160K,repeats=6,varying=0.05,branches=0.16,loads=0.25,stores=0.12,indirect=0.01,hard=0.005,"
		 "periodic=0.01,correlated=0.03,surprise=0.001,indexed=0.2,to_warm=0.03,to_far=0.025,burst=10,"
		 "footprint=64M"),
		-1, SIM_P_PROGRAMS},
	{"gzip-like", "compresses: little code, unpredictable comparisons, data in the second-level cache",
		("code=7K,function=384,trips=10,branches=0.14,loads=0.22,stores=0.08,hard=0.07,distance=1,indexed=0.6,"
		 "depends=0.4,to_warm=0.08,to_far=0.001,footprint=2M"),
		-1, SIM_P_PROGRAMS},
	{"mcf-like", "follows lists and arrays far larger than the caches",
		("code=7K,function=384,branches=0.19,loads=0.31,stores=0.08,hard=0.06,data=1,chase=0.06,chains=2,"
		 "fields=0.2,to_far=0.05,burst=4,footprint=64M"),
		-1, SIM_P_PROGRAMS},
	{"parser-like", "walks a dictionary: lists in the second-level cache, unpredictable branches",
		("code=20K,function=256,group=5,repeats=24,branches=0.16,loads=0.25,stores=0.1,hard=0.06,data=1,"
		 "distance=2,indexed=0.5,depends=0.4,chase=0.02,fields=0.1,footprint=64K,to_warm=0.03"),
		-1, SIM_P_PROGRAMS},
	{"perlbmk-like", "interprets: indirect branches, code beyond the cache",
		("code=96K,repeats=5,branches=0.15,loads=0.26,stores=0.13,indirect=0.04,wild=0.2,hard=0.005,"
		 "periodic=0.01,surprise=0.001"),
		-1, SIM_P_PROGRAMS},
	{"twolf-like", "places cells: unpredictable branches, data slightly beyond the second-level cache",
		("code=24K,repeats=12,branches=0.13,loads=0.27,stores=0.08,fp=0.03,hard=0.14,data=0.8,distance=1,"
		 "indexed=0.4,depends=0.2,to_warm=0.1,to_far=0.025,burst=4,footprint=3M"),
		-1, SIM_P_PROGRAMS},
	{"vortex-like", "queries objects: much code, predictable branches",
		("code=96K,repeats=10,loops=0.045,trips=6,varying=0,branches=0.15,loads=0.27,stores=0.16,hard=0.002,"
		 "periodic=0,correlated=0,surprise=0.0005,to_far=0.001,footprint=16M"),
		-1, SIM_P_PROGRAMS},
	{"vpr-like", "routes: unpredictable branches, data beyond the second-level cache",
		("code=7K,function=384,branches=0.13,loads=0.29,stores=0.1,fp=0.06,hard=0.14,indexed=0.2,"
		 "to_warm=0.08,to_far=0.02,burst=4,footprint=4M"),
		-1, SIM_P_PROGRAMS},
	{"swim-like", "streams through arrays far larger than the caches",
		("code=4K,function=1K,loops=0.6,trips=300,varying=0,branches=0.02,loads=0.26,stores=0.07,fp=0.4,"
		 "hard=0,distance=12,stack=0.05,sequential=0.5,streams=8,array=96M"),
		-1, SIM_P_PROGRAMS},
	{"art-like", "scans arrays beyond the second-level cache; the misses overlap",
		("code=4K,loops=0.3,trips=100,branches=0.1,loads=0.28,stores=0.07,fp=0.25,hard=0.02,distance=6,"
		 "serial=0.1,stack=0.05,sequential=0.7,array=4M"),
		-1, SIM_P_PROGRAMS},
	{"equake-like", "multiplies sparse matrices: gathers from memory",
		("code=10K,trips=20,branches=0.08,loads=0.3,stores=0.08,fp=0.3,fdiv=0.01,hard=0.03,gather=0.03,"
		 "sequential=0.3,array=16M,footprint=32M"),
		-1, SIM_P_PROGRAMS},
	{"ammp-like", "follows lists of neighbours: floating point waits for memory",
		("code=12K,trips=20,branches=0.06,loads=0.27,stores=0.08,fp=0.35,fdiv=0.02,hard=0.05,chase=0.01,"
		 "fields=0.2,footprint=24M"),
		-1, SIM_P_PROGRAMS},
	{"mesa-like", "draws polygons: code beyond the cache, predictable branches, few misses",
		("code=48K,repeats=8,branches=0.09,loads=0.25,stores=0.12,fp=0.2,hard=0.01,sequential=0.2,"
		 "to_far=0.001,footprint=8M"),
		-1, SIM_P_PROGRAMS},
	{"fma3d-like", "simulates a crash: long floating-point functions beyond the cache, and misses",
		("code=96K,function=2K,repeats=3,branches=0.06,loads=0.28,stores=0.13,fp=0.32,fdiv=0.01,hard=0.01,"
		 "sequential=0.2,array=32M,to_far=0.004,burst=3,footprint=64M"),
		-1, SIM_P_PROGRAMS},
	{"h264ref-like", "codes video: loads of stack slots that were just stored",
		("code=6K,branches=0.08,loads=0.2,stores=0.2,mul=0.2,hard=0.01,distance=1,stack=0.9,sequential=0.05,"
		 "to_warm=0"),
		-1, SIM_P_PROGRAMS},
	{"program", "has all parameters at their defaults", "", -1, SIM_P_PROGRAMS},
	{"one-icache-miss", "runs steadily, with one instruction-cache miss a period", "", SIM_LESSON_ICACHE,
		SIM_P_BIT(PERIOD) | SIM_P_BIT(WAYS)},
	{"one-mispredict", "runs steadily, with one mispredicted branch a period", "", SIM_LESSON_MISPREDICT,
		SIM_P_BIT(PERIOD)},
	{"one-long-miss", "runs steadily, with one load from memory a period", "", SIM_LESSON_LONG, SIM_P_BIT(PERIOD)},
	{"two-long-misses", "runs steadily, with two independent loads from memory a period", "", SIM_LESSON_TWO,
		SIM_P_BIT(PERIOD) | SIM_P_BIT(GAP)},
	{"two-dependent-misses", "runs steadily, with two loads from memory a period; the second waits for the first",
		"", SIM_LESSON_DEPENDENT, SIM_P_BIT(PERIOD) | SIM_P_BIT(GAP)},
};
#define ROWS (sizeof row / sizeof *row)

const struct sim_program_row *
sim_program_row(size_t i)
{
	return i < ROWS ? &row[i] : NULL;
}

static void
refuse_program(const char *name, struct err *e)
{
	if (*name)
		err_set(e, "there is no program '%.40s'", name);
	else
		err_set(e, "no program is given");
	word_list_hint(e, name, "there are", row, ROWS, sizeof *row);
}

const struct sim_program_row *
sim_program_parse(const char *text, struct sim_parameters *parameters, struct err *e)
{
	size_t n = strcspn(text, ":,");
	char *name = mem_strn(text, n);
	const struct sim_program_row *found = NULL;

	for (size_t i = 0; i < ROWS && !found; i++)
		if (str_eq(row[i].name, name))
			found = &row[i];
	sim_parameters_preset(parameters);
	if (!found) {
		refuse_program(name, e);
		err_within(e, text, 0, n);
	} else if (*found->preset && !sim_parameters_parse(parameters, name, found->takes, found->preset, e)) {
		found = NULL;
	}
	parameters->given = 0;
	if (found && text[n] && !sim_parameters_parse(parameters, name, found->takes, text + n + 1, e)) {
		err_within(e, text, n + 1, strlen(text + n + 1));
		found = NULL;
	}
	if (found && !sim_parameters_check(parameters, name, e))
		found = NULL;
	free(name);
	return found;
}
