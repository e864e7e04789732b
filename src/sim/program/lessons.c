/* The code of lessons: programs that keep all units busy, except around one kind of event. They are for interval
 * diagrams (Eyerman, Eeckhout, Karkhanis and Smith, "A Performance Counter Architecture for Computing Accurate CPI
 * Components", ASPLOS 2006, section 3): 4 instructions a cycle, until the event.
 *
 * Steady code has results that are used 24 operations later, and no accesses or branches but those that a lesson
 * needs. Most lessons are a loop of 64 instructions; an event is due in one of so many iterations. For an
 * instruction-cache miss, other code must run: after a loop that fits into the cache, one of several tails follows.
 * They lie 8 KB apart, so they have the same set of the cache, and there are more of them than ways.
 *
 * Fresh lines of data fill a page before the next one, so one long miss in 64 misses in the TLB too. */
#include "sim/program/code.h"

#define LOOP 64u
#define LINE 16u             /* instructions */
#define GROUP 8u             /* instructions fetched in a cycle, at most */
#define RESULTS 48u
#define USED_AFTER 24u
#define FIRST_RESULT 16u
#define FIRST_LOADED 8u
#define BODY_RUNS 4u
#define TAIL_SPACING 2048u   /* instructions: 8 KB */
#define TAIL_AT 1920u        /* place of the first tail; the body ends before */

/* Appends n operations that do not wait for each other. */
static void
write_steady(struct sim_code *c, unsigned n)
{
	while (n-- > 0) {
		uint32_t k = (uint32_t)c->n;
		struct sim_insn *s = sim_code_add(c, SIM_OP_ALU);

		s->dst = (uint8_t)(FIRST_RESULT + k % RESULTS);
		s->src[0] = (uint8_t)(FIRST_RESULT + (k + RESULTS - USED_AFTER) % RESULTS);
	}
}

/* Appends a load that misses in one of `runs` executions; returns its destination. */
static uint8_t
write_event(struct sim_code *c, uint32_t runs, uint32_t region, uint8_t address)
{
	struct sim_insn *s = sim_code_add(c, SIM_OP_LOAD);

	s->rule = SIM_RULE_EVENT;
	s->size = 8;
	s->src[0] = address;
	s->dst = (uint8_t)(FIRST_LOADED + region);
	s->target = region;
	s->site = sim_code_site(c, (struct sim_site){.limit = runs});
	return s->dst;
}

static void
write_long_misses(struct sim_code *code, const struct sim_parameters *parameters, enum sim_lesson lesson)
{
	uint32_t runs = (uint32_t)parameters->value[SIM_P_PERIOD] / LOOP, gap = (uint32_t)parameters->value[SIM_P_GAP];
	uint8_t loaded;

	write_steady(code, 2);
	loaded = write_event(code, runs, 0, 1);
	if (lesson != SIM_LESSON_LONG) {
		write_steady(code, gap - 1);
		write_event(code, runs, 1, lesson == SIM_LESSON_DEPENDENT ? loaded : 2);
	}
	write_steady(code, LOOP - 1 - (uint32_t)code->n);
	sim_code_go(code, SIM_JUMP, 0);
}

static void
write_mispredict(struct sim_code *code, const struct sim_parameters *parameters)
{
	struct sim_site site = {.limit = (uint32_t)parameters->value[SIM_P_PERIOD] / LOOP};
	uint32_t i;

	site.now = site.limit;
	/* From the end of a group of 8 instructions to the beginning of another one: to be taken costs nothing. */
	write_steady(code, LOOP / 2 + GROUP - 1);
	i = sim_code_branch(code, SIM_CONDITIONAL, SIM_RULE_RARE, site);
	code->insn[i].src[0] = code->insn[i - 1].dst;
	code->insn[i].target = i + 1 + GROUP;
	write_steady(code, LOOP - 1 - (uint32_t)code->n);
	sim_code_go(code, SIM_JUMP, 0);
}

/* Writes branches that choose one of 2^levels tails in turn, from number `first` on. Each branch sees half of the turns
 * that the one before sees, so its outcomes are so many zeros, then so many ones. A predictor with a history of two
 * periods learns them all. Each ends a group of instructions, so that it costs nothing to be taken. */
static void
write_choice(struct sim_code *code, unsigned levels, uint32_t first)
{
	uint32_t half = levels ? (uint32_t)1 << (levels - 1) : 0, i;

	write_steady(code, GROUP - 1);
	if (!levels) {
		sim_code_go(code, SIM_JUMP, TAIL_AT + first * TAIL_SPACING);
		return;
	}
	i = sim_code_branch(code, SIM_CONDITIONAL, SIM_RULE_PATTERN,
		(struct sim_site){.limit = 2 * half, .bits = (((uint64_t)1 << half) - 1) << half});
	code->insn[i].src[0] = FIRST_RESULT;
	write_choice(code, levels - 1, first);
	code->insn[i].target = (uint32_t)code->n;
	write_choice(code, levels - 1, first + half);
}

static void
write_icache_miss(struct sim_code *code, const struct sim_parameters *parameters)
{
	unsigned levels = 1;
	uint32_t i;

	while ((int64_t)1 << levels <= parameters->value[SIM_P_WAYS])
		levels++;
	write_steady(code, (unsigned)parameters->value[SIM_P_PERIOD] / BODY_RUNS - 1);
	i = sim_code_branch(code, SIM_CONDITIONAL, SIM_RULE_TRIPS, (struct sim_site){.limit = BODY_RUNS});
	code->insn[i].src[0] = code->insn[0].dst;
	code->insn[i].target = 0;
	write_choice(code, levels, 0);
	for (uint32_t tail = 0; tail < (uint32_t)1 << levels; tail++) {
		while (code->n < TAIL_AT + tail * TAIL_SPACING)
			sim_code_add(code, SIM_OP_NOP);
		write_steady(code, LINE - 1);
		sim_code_go(code, SIM_JUMP, 0);
	}
}

void
sim_code_write_lesson(struct sim_code *code, const struct sim_parameters *parameters, enum sim_lesson lesson)
{
	switch (lesson) {
	case SIM_LESSON_ICACHE:
		write_icache_miss(code, parameters);
		return;
	case SIM_LESSON_MISPREDICT:
		write_mispredict(code, parameters);
		return;
	case SIM_LESSON_LONG:
	case SIM_LESSON_TWO:
	case SIM_LESSON_DEPENDENT:
		write_long_misses(code, parameters, lesson);
	}
}
