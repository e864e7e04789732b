#include "made_runs.h"

#include <math.h>
#include <string.h>

#include "test.h"

const char *const made_noise_name[MADE_NOISES] = {[MADE_NORMAL] = "normal",
	[MADE_SKEWED] = "exponential",
	[MADE_WALK] = "random walk",
	[MADE_CAUCHY] = "Cauchy",
	[MADE_BURSTS] = "bursts",
	[MADE_SLOW] = "30 % slow (0.97)",
	[MADE_ONE_SLOW] = "half slow (0.9)",
	[MADE_MEMORY] = "long memory",
	[MADE_STATES] = "two states",
	[MADE_FEW_VALUES] = "rounded",
	[MADE_LOAD] = "load comes and goes",
	[MADE_TREND] = "trend",
	[MADE_MISSING] = "large ones missing"};

static double
slow_next(double *state, double lag, uint64_t *seed)
{
	*state = lag * *state + sqrt(1 - lag * lag) * test_normal(seed);
	return *state;
}

static double
long_memory(struct made_noise_state *s, uint64_t *seed)
{
	double sum = 0, time = 1;

	for (size_t i = 0; i < MADE_SCALES; i++, time *= 4)
		sum += slow_next(&s->slow[i], exp(-1 / time), seed);
	return sum / sqrt(MADE_SCALES);
}

static void
mode_change(struct made_noise_state *s, double chance, uint64_t *seed)
{
	if (test_uniform(seed) < chance)
		s->mode = !s->mode;
}

double
made_noise(struct made_noise_state *s, enum made_noise kind, uint64_t *seed)
{
	double v;

	s->n++;
	switch (kind) {
	case MADE_NORMAL:
		return test_normal(seed);
	case MADE_SKEWED:
		return -log(1 - test_uniform(seed));
	case MADE_WALK:
		s->slow[0] += test_normal(seed) / 2;
		return s->slow[0] + test_normal(seed) / 3;
	case MADE_CAUCHY:
		return tan(M_PI * (test_uniform(seed) - 0.5));
	case MADE_BURSTS:
		return test_uniform(seed) < 0.1 ? 20 * test_uniform(seed) : test_normal(seed);
	case MADE_SLOW:
		return sqrt(0.3) * slow_next(&s->slow[0], 0.97, seed) + sqrt(0.7) * test_normal(seed);
	case MADE_ONE_SLOW:
		return sqrt(0.5) * slow_next(&s->slow[0], 0.9, seed) + sqrt(0.5) * test_normal(seed);
	case MADE_MEMORY:
		return long_memory(s, seed);
	case MADE_STATES:
		mode_change(s, 0.05, seed);
		return 5 * s->mode + test_normal(seed) / 2;
	case MADE_FEW_VALUES:
		return 2 * round(test_normal(seed) / 2);
	case MADE_LOAD:
		mode_change(s, 0.03, seed);
		return s->mode ? exp(test_normal(seed)) : test_normal(seed) / 20;
	case MADE_TREND:
		return 0.05 * (double)s->n + test_normal(seed);
	case MADE_MISSING:
		v = test_normal(seed);
		return v > 1 && test_uniform(seed) < 0.5 ? NAN : v;
	case MADE_NOISES:
		break;
	}
	return 0;
}

void
made_order(unsigned char is_b[SHIFT_BLOCK], uint64_t *seed)
{
	memcpy(is_b, (const unsigned char[]){0, 0, 1, 1}, SHIFT_BLOCK);
	for (size_t i = SHIFT_BLOCK - 1; i > 0; i--) {
		size_t j = (size_t)(test_random(seed) % (i + 1));
		unsigned char t = is_b[i];

		is_b[i] = is_b[j];
		is_b[j] = t;
	}
}

void
made_block(struct made_runs *m, enum made_noise kind, double shift, uint64_t *seed)
{
	double *value = m->value + SHIFT_BLOCK * m->blocks;
	unsigned char *is_b = m->is_b + SHIFT_BLOCK * m->blocks;
	int whole;

	do {
		whole = 1;
		made_order(is_b, seed);
		for (size_t i = 0; i < SHIFT_BLOCK; i++) {
			value[i] = made_noise(&m->state, kind, seed) + (is_b[i] ? shift : 0);
			whole &= isfinite(value[i]);
		}
	} while (!whole);
	m->blocks++;
}

struct shift_runs
made_shift_runs(const struct made_runs *m)
{
	return (struct shift_runs){.value = m->value, .is_b = m->is_b, .blocks = m->blocks};
}

size_t
made_refuted(const struct made_runs *m, double shift, double alpha)
{
	struct shift_runs runs = made_shift_runs(m);
	size_t low = 0, high = m->blocks;

	if (shift_evidence(&runs, shift, alpha) < log(1 / alpha))
		return 0;
	/* what is refuted stays so */
	while (high - low > 1) {
		runs.blocks = low + (high - low) / 2;
		if (shift_evidence(&runs, shift, alpha) < log(1 / alpha))
			low = runs.blocks;
		else
			high = runs.blocks;
	}
	return high;
}
