/* Planted errors judged: runs that the virtual PMU miscounts, as real ones do, are judged from counts, interrupts,
 * faults and expectations alone. Each error has to be found, and nothing else. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "core/trust/judge.h"
#include "core/trust/runs.h"
#include "sim/plant_runs.h"
#include "tests/lib/test.h"

#define L(id) TRUST_BIT(id)
#define V(id) (1u << TRUST_##id)

/* What the judgement of an error may say, by what the error does to totals of repeated runs. */
static const struct demand {
	trust_letters all;   /* letters that must be there */
	trust_letters one;   /* of these at least one */
	trust_letters may;   /* further ones that are right, too */
	unsigned verdicts;   /* set of verdicts */
} demand[SIM_PLANT_N_KINDS] = {
	[SIM_PLANT_NONE] = {.verdicts = V(EXACT)},
	/* the cause was counted beside the event, so its slope is known, and what remains is exact */
	[SIM_PLANT_INTERRUPTS] = {.all = L(INTERRUPTS), .verdicts = V(CORRECTABLE)},
	[SIM_PLANT_FAULTS] = {.all = L(FAULTS), .verdicts = V(CORRECTABLE)},
	[SIM_PLANT_BOTH] = {.all = L(INTERRUPTS) | L(FAULTS), .verdicts = V(CORRECTABLE)},
	/* the program executes the class equally often in each run: too many, or too few, by a constant */
	[SIM_PLANT_DOUBLE] = {.all = L(OVERCOUNT), .verdicts = V(CONSTANT)},
	[SIM_PLANT_MISSED] = {.all = L(MISSED), .verdicts = V(CONSTANT)},
	/* lengths of strings differ between runs: nothing that was counted explains that. The sum is too high, perhaps
	 * by as much as micro-operations would be */
	[SIM_PLANT_STRINGS] = {.one = L(NOISE) | L(UOPS) | L(OTHER), .may = L(OVERCOUNT),
		.verdicts = V(NOISY) | V(ELSE)},
	/* a whole number of counts for each: twice is an overcount, more may be micro-operations */
	[SIM_PLANT_MICROCODE] = {.one = L(UOPS) | L(OVERCOUNT), .verdicts = V(CONSTANT) | V(ELSE)},
	/* a total does not show whether instructions of its own count twice, or others once */
	[SIM_PLANT_CONFUSED] = {.one = L(OVERCOUNT) | L(OTHER) | L(UOPS), .verdicts = V(CONSTANT) | V(ELSE)},
	/* no letter says it, a sentence does */
	[SIM_PLANT_DEAD] = {.verdicts = V(UNKNOWN)},
};

/* Five runs may have hardly different numbers of faults. That tells nothing, about once in a thousand. */
#define SEEDS(n_runs) ((n_runs) < 10 ? 50 : test_rounds(50, 1000))

struct score {
	size_t planted, found, clean, invented;
};

static const char *const event[SIM_PLANT_EVENTS] = {"instructions", "branches", "conditionals", "loads", "stores"};

static void
fill(const struct sim_plant_runs *r, struct trust_runs *runs)
{
	for (size_t k = 0; k < SIM_PLANT_EVENTS; k++) {
		struct trust_group *g = trust_runs_group(runs, "virtual", event[k], "program");

		g->expected = (double)r->expected[k];
		for (size_t i = 0; i < r->n_runs; i++) {
			struct trust_run run = trust_run_of((double)r->count[i * SIM_PLANT_EVENTS + k]);

			run.beside[TRUST_BESIDE_INTERRUPTS] = (double)r->interrupts[i];
			run.beside[TRUST_BESIDE_FAULTS] = (double)r->faults[i];
			run.beside[TRUST_BESIDE_SECONDS] = r->seconds[i];
			trust_group_add(g, &run);
		}
	}
}

static double
slope_of(const struct trust_judged *r, const char *by)
{
	for (size_t i = 0; i < r->n_parts; i++)
		if (str_eq(r->part[i].by, by))
			return r->part[i].slope;
	return 0;
}

/* The letters that the error demands, the verdict, and for what can be corrected the slopes and the true count. */
static bool
is_found(const struct trust_judged *r, enum sim_plant_kind kind, const struct sim_lie *l, double expected)
{
	const struct demand *d = &demand[kind];

	if ((r->letters & d->all) != d->all || (d->one && !(r->letters & d->one)) || !(d->verdicts >> r->verdict & 1))
		return false;
	if (kind == SIM_PLANT_DEAD)
		return r->note && strstr(r->note, "counts nothing");
	if (!(d->verdicts & V(CORRECTABLE)))
		return true;
	return fabs(slope_of(r, "interrupts") - l->per_interrupt) < 0.01 &&
		fabs(slope_of(r, "page-faults") - l->per_fault) < 0.01 && fabs(r->adjusted - expected) < 1;
}

static void
judge(const struct sim_plant_runs *r, const enum sim_plant_kind *kind, const struct sim_lie *lie, struct score *score)
{
	struct trust_runs runs = {0};
	struct trust_judgement *j;

	fill(r, &runs);
	j = trust_judge(&runs, NULL, NULL);
	for (size_t k = 0; k < SIM_PLANT_EVENTS; k++) {
		const struct trust_judged *g = &j->group[k];
		const struct demand *d = &demand[kind[k]];
		bool found = is_found(g, kind[k], &lie[k], runs.group[k].expected);
		bool invented = g->letters & ~(d->all | d->one | d->may);
		struct str letters = {0};

		trust_letters_print(g->letters, &letters);
		test_check(found && !invented, __FILE__, __LINE__, "%s: %s is judged as '%s', %s (%s)", event[k],
			sim_plant_kind_name(kind[k]), str_text(&letters), trust_verdict_name(g->verdict),
			g->note ? g->note : "no note");
		str_free(&letters);
		if (kind[k] == SIM_PLANT_NONE) {
			score->clean++;
			invented |= !found;
		} else {
			score->planted++;
			score->found += found;
		}
		score->invented += invented;
	}
	trust_judgement_free(j);
	trust_runs_free(&runs);
}

static void
judge_seeds(size_t n_runs, bool plant, struct score *score)
{
	for (uint64_t at = 1; at <= SEEDS(n_runs); at++) {
		uint64_t seed = at;
		enum sim_plant_kind kind[SIM_PLANT_EVENTS] = {0};
		struct sim_lie lie[SIM_PLANT_EVENTS] = {0};
		struct sim_plant_runs *r;

		for (size_t k = 0; plant && k < SIM_PLANT_EVENTS; k++)
			kind[k] = sim_plant_draw(&seed, sim_plant_event[k], &lie[k]);
		r = sim_plant_runs_new(lie, plant ? SIM_PLANT_EVENTS : 0, n_runs, seed);
		test_label("seed %llu, %zu runs", (unsigned long long)at, n_runs);
		judge(r, kind, lie, score);
		sim_plant_runs_free(r);
	}
}

static const size_t n_runs[] = {5, 10, 20};

static void
plants_are_found(void)
{
	for (size_t i = 0; i < sizeof n_runs / sizeof n_runs[0]; i++) {
		struct score s = {0};

		judge_seeds(n_runs[i], true, &s);
		printf("# %zu runs: %zu errors planted, %zu found, %zu missed; %zu clean events; %zu invented\n",
			n_runs[i], s.planted, s.found, s.planted - s.found, s.clean, s.invented);
		CHECK(s.planted > 150 && s.clean > 10);
	}
}

static void
nothing_is_invented(void)
{
	for (size_t i = 0; i < sizeof n_runs / sizeof n_runs[0]; i++) {
		struct score s = {0};

		judge_seeds(n_runs[i], false, &s);
		printf("# %zu runs: nothing planted in %zu events, %zu invented\n", n_runs[i], s.clean, s.invented);
		CHECK_INT(s.clean, SIM_PLANT_EVENTS * SEEDS(n_runs[i]));
	}
}

TEST_MAIN(CASE(plants_are_found), CASE(nothing_is_invented))
