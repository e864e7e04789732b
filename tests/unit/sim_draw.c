/* Random draws of workloads: orders without repetition, and ranks by Zipf's law. */
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "sim/orders.h"
#include "test.h"

static void
orders_have_each_number_once(void)
{
	for (uint64_t n = 1; n < 400; n++)
		for (uint64_t seed = 0; seed < 3; seed++) {
			struct sim_order o = sim_order_of(n, seed);
			bool *seen = mem_new_array(n, sizeof *seen);
			uint64_t once = 0;

			for (uint64_t i = 0; i < n; i++) {
				uint64_t at = sim_order_at(&o, i);

				once += at < n && !seen[at];
				if (at < n)
					seen[at] = true;
			}
			test_label("%llu numbers, seed %llu", (unsigned long long)n, (unsigned long long)seed);
			CHECK_INT(once, n);
			free(seen);
		}
}

/* The chance of each bucket, computed from the table alone, compared with sums over all ranks. */
static void
zipf_has_its_law(void)
{
	static const struct {
		uint64_t n;
		double skew;
	} row[] = {{1, 0.99}, {2, 0}, {63, 2}, {64, 1}, {65, 0.5}, {1000, 0.99}, {1000, 1}, {100000, 0}, {123457, 0.8},
		{200000, 2}};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct sim_zipf *z = mem_new(sizeof *z);
		double *chance, sum = 0;
		uint64_t next = 0;

		sim_zipf_init(z, row[i].n, row[i].skew);
		chance = mem_new_array(z->buckets, sizeof *chance);
		for (uint32_t b = 0; b < z->buckets; b++) {
			double own = z->bucket[b].other == b ? 1 : z->bucket[b].below * 0x1p-32;

			chance[b] += own / z->buckets;
			chance[z->bucket[b].other] += (1 - own) / z->buckets;
		}
		for (uint64_t r = 1; r <= row[i].n; r++)
			sum += pow((double)r, -row[i].skew);
		test_label("%llu ranks, skew %g", (unsigned long long)row[i].n, row[i].skew);
		for (uint32_t b = 0; b < z->buckets; b++) {
			double want = 0;

			CHECK_INT(z->bucket[b].first, next);
			next += z->bucket[b].width;
			for (uint64_t r = z->bucket[b].first; r < next; r++)
				want += pow((double)r + 1, -row[i].skew) / sum;
			/* the error of the midpoint rule at rank 64, skew 2: 6e-5 */
			CHECK_NEAR(chance[b], want, 1e-4 * want);
		}
		CHECK_INT(next, row[i].n);
		free(chance);
		free(z);
	}
}

static void
zipf_draws_all_ranks(void)
{
	struct sim_zipf *z = mem_new(sizeof *z);
	double count[300] = {0}, sum = 0;
	uint64_t random = 4;
	int beyond = 0;

	sim_zipf_init(z, 300, 0.9);
	for (int i = 0; i < 300000; i++)
		count[sim_zipf_draw(z, &random) % 300]++;
	for (int r = 0; r < 300; r++)
		sum += pow(r + 1, -0.9);
	for (int r = 0; r < 300; r++) {
		double want = 300000 * pow(r + 1, -0.9) / sum;

		test_label("rank %d", r);
		CHECK_NEAR(count[r], want, 5 * sqrt(want) + 0.03 * want);
	}
	sim_zipf_init(z, (uint64_t)1 << 48, 0.99);
	CHECK(z->buckets <= SIM_ZIPF_BUCKETS_MAX);
	for (int i = 0; i < 100000; i++)
		beyond += sim_zipf_draw(z, &random) >= (uint64_t)1 << 48;
	CHECK_INT(beyond, 0);
	free(z);
}

TEST_MAIN(CASE(orders_have_each_number_once), CASE(zipf_has_its_law), CASE(zipf_draws_all_ranks))
