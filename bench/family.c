/* How often a search over many true observations eliminates the true features: `make bench-family`. A set of features
 * is eliminated if one observation refutes it; family-wise, if Holm's procedure over all of them rejects one. */
#include <stdio.h>

#include "base/str.h"
#include "core/verdict/verdict.h"
#include "hard.h"

#define OBSERVATIONS 300

/* One of the models that the setting is for; another one for the next setting. */
static enum hard_model
model_of(const struct hard_setting *s, size_t turn)
{
	enum hard_model fit[HARD_MODELS];
	size_t n = 0;

	for (enum hard_model m = 0; m < HARD_MODELS; m++)
		if (s->models & 1U << m)
			fit[n++] = m;
	return fit[turn % n];
}

int
main(int argc, char **argv)
{
	int64_t seeds = 50;
	struct hard *h;
	size_t settings = 0, worst = 0;

	if (argc > 1 && (!str_to_i64(argv[1], &seeds) || seeds < 1)) {
		fprintf(stderr, "usage: family [SEEDS]\n");
		return 2;
	}
	printf("Searches that eliminate the true features, of %d, each over %d true observations\n\n"
	       "| setting | model | one by one | family-wise |\n| --- | --- | --- | --- |\n", (int)seeds, OBSERVATIONS);
	h = hard_new();
	for (size_t i = 0; i < hard_n_settings; i++) {
		const struct hard_setting *s = &hard_setting[i];
		enum hard_model m;
		size_t each = 0, together = 0;

		if (s->shift > 0 || !s->models)
			continue;
		m = model_of(s, i);
		for (int64_t seed = 1; seed <= seeds; seed++) {
			struct hard_count c = hard_run(h, s, m, OBSERVATIONS, (uint64_t)seed * 7919);

			each += c.refuted[REGION_CONE] > 0;
			together += c.together > 0;
		}
		printf("| %s | %s | %zu | %zu |\n", s->name, hard_model_name(m), each, together);
		fflush(stdout);
		settings++;
		worst = together > worst ? together : worst;
	}
	printf("\n%zu settings; family-wise at most %zu of %d\n", settings, worst, (int)seeds);
	hard_free(h);
	return 0;
}
