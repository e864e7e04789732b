/* How often true models are refuted and false ones found under hard noise: `make bench-levels` prints the tables of
 * docs/numerics.md. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "calibration.h"
#include "core/verdict/verdict.h"
#include "hard.h"

/* A cell of the tables: per cent refuted and undecided; empty if the setting has no such model. */
static void
print_cell(const struct hard_count *c, enum region_kind k)
{
	double percent = 100 / (double)(c->observations ? c->observations : 1);

	if (!c->observations)
		printf(" |");
	else
		printf(" %.2f, %.0f |", percent * (double)c->refuted[k], percent * (double)c->undecided[k]);
}

static void
print_table(const char *title, enum region_kind k, bool power, struct hard_count (*count)[HARD_MODELS])
{
	printf("%s\n\n| | setting |", title);
	for (enum hard_model m = 0; m < HARD_MODELS; m++)
		printf(" %s |", hard_model_name(m));
	printf("\n| --- | --- |");
	for (enum hard_model m = 0; m < HARD_MODELS; m++)
		printf(" --- |");
	printf("\n");
	for (size_t i = 0; i < hard_n_settings; i++) {
		const struct hard_setting *s = &hard_setting[i];
		size_t made = 0;

		for (enum hard_model m = 0; m < HARD_MODELS; m++)
			made += count[i][m].observations;
		if (!made || power != (s->shift > 0))
			continue;
		printf("| %s | %s |", s->finding ? s->finding : "", s->name);
		for (enum hard_model m = 0; m < HARD_MODELS; m++)
			print_cell(&count[i][m], k);
		printf("\n");
	}
	printf("\n");
}

/* The rate that is worst for the promise of 1 %, and its certain part. */
static void
print_worst(struct hard_count (*count)[HARD_MODELS])
{
	const struct hard_setting *where = NULL;
	enum hard_model model = 0;
	double worst = -1, iid = 0;
	struct hard_count c = {0};

	for (size_t i = 0; i < hard_n_settings; i++)
		for (enum hard_model m = 0; m < HARD_MODELS; m++) {
			const struct hard_count *x = &count[i][m];
			double rate = x->observations ? (double)x->refuted[REGION_CONE] / (double)x->observations : -1;

			if (hard_setting[i].shift > 0 || !x->observations)
				continue;
			if (rate > worst) {
				worst = rate;
				where = &hard_setting[i];
				model = m;
				c = *x;
			}
			if (hard_setting[i].independent &&
				(double)x->undecided[REGION_CONE] / (double)x->observations > iid)
				iid = (double)x->undecided[REGION_CONE] / (double)x->observations;
		}
	if (where)
		printf("Highest level: %.2f %%, at least %.2f %% with 95 %% confidence (Clopper and Pearson): %s, %s. "
		       "Undecided where noise is independent: %.1f %% at most.\n",
			100 * worst, 100 * calibration_lower(c.refuted[REGION_CONE], c.observations), where->name,
			hard_model_name(model), 100 * iid);
}

/* The cells whose upper bound at 97.5 % exceeds 1.7 %. */
static void
print_over(struct hard_count (*count)[HARD_MODELS])
{
	printf("Upper 97.5 %% bounds above 1.7 %%:\n");
	for (size_t i = 0; i < hard_n_settings; i++)
		for (enum hard_model m = 0; m < HARD_MODELS; m++) {
			const struct hard_count *c = &count[i][m];
			size_t k = c->refuted[REGION_CONE], n = c->observations;
			double bound = n ? calibration_bound(k, n, 0.975) : 0;

			if (hard_setting[i].shift > 0 || bound <= 0.017)
				continue;
			printf("- %s %s, %s: %.2f %%, at most %.2f %%; undecided %.1f %%\n",
				hard_setting[i].finding ? hard_setting[i].finding : "-", hard_setting[i].name,
				hard_model_name(m), 100 * (double)k / (double)n, 100 * bound,
				100 * (double)c->undecided[REGION_CONE] / (double)n);
		}
}

/* By a part of its name, or by its finding. */
static bool
is_named(const struct hard_setting *s, const char *name)
{
	return strstr(s->name, name) || (s->finding && str_eq(s->finding, name));
}

int
main(int argc, char **argv)
{
	int64_t observations = 2000, seed = 1;
	struct hard_count(*count)[HARD_MODELS];
	struct hard *h;

	if ((argc > 1 && (!str_to_i64(argv[1], &observations) || observations < 5)) ||
		(argc > 3 && !str_to_i64(argv[3], &seed))) {
		fprintf(stderr, "usage: levels [OBSERVATIONS [SETTING [SEED]]]\n");
		return 2;
	}
	count = mem_new_array(hard_n_settings, sizeof *count);
	h = hard_new();
	for (size_t k = 0; k < hard_n_settings; k++)
		for (enum hard_model m = 0; m < HARD_MODELS; m++) {
			if (!(hard_setting[k].models & 1u << m) || (argc > 2 && !is_named(&hard_setting[k], argv[2])))
				continue;
			count[k][m] = hard_run(h, &hard_setting[k], m, (size_t)observations,
				(uint64_t)seed * 1000 + k * HARD_MODELS + m);
		}
	hard_free(h);
	printf("%% of %d observations a cell at 99 %% confidence: refuted, undecided.\n\n", (int)observations);
	print_table("True models, test of the cone", REGION_CONE, false, count);
	print_table("True models, ellipsoid", REGION_ELLIPSOID, false, count);
	print_table("False models, test of the cone", REGION_CONE, true, count);
	print_table("False models, ellipsoid", REGION_ELLIPSOID, true, count);
	print_worst(count);
	print_over(count);
	free(count);
	return 0;
}
