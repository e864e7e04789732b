/* Owners in names (work/timeline/owner_name.h), and observations of parts joined: random recordings against a plain
 * implementation. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/obs/obs.h"
#include "test.h"
#include "work/timeline/owner_name.h"

static void
columns_are_split(void)
{
	static const struct { const char *column, *base, *owner; bool box; } row[] = {
		{"cycles", "cycles", "", false},
		{"cycles@S0-C3-T7", "cycles", "S0-C3-T7", false},
		{"a@b@vda", "a@b", "vda", false},
		{"odd@", "odd@", "", false},
		{"@odd", "@odd", "", false},
		{"INST_RETIRED.ANY.core12", "INST_RETIRED.ANY", "C12", false},
		{"x.CPU3", "x", "CPU3", false},
		{"x.socket1.cha7", "x", "S1-slice7", false},
		{"CAS_COUNT_RD.ch2", "CAS_COUNT_RD", "channel2", false},
		{"x.imc4:u", "x.imc4:u", "", false},
		{".core3", ".core3", "", false},
		{"mem_load_retired.l3_hit", "mem_load_retired.l3_hit", "", false},
		{"system.l3cache2", "system.l3cache2", "", false},
		{"unc_cha_clockticks [uncore_cha_7]", "unc_cha_clockticks", "slice7", true},
		{"uncore_imc_2/cas_count_read/ (MiB)", "uncore_imc/cas_count_read/ (MiB)", "channel2", true},
		{"uncore_imc/cas_count_read/", "uncore_imc/cas_count_read/", "", false},
		{"x [uncore_m2pcie_11]", "x", "", true},
		{"cpu_core/cycles/", "cpu_core/cycles/", "", false},
		{"armv8_pmuv3_0/cycles/", "armv8_pmuv3_0/cycles/", "", false},
	};
	struct str base = {0}, owner = {0};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		bool box = owner_name_split(row[i].column, &base, &owner);

		CHECK_STR(str_text(&base), row[i].base);
		CHECK_STR(str_text(&owner), row[i].owner);
		CHECK(box == row[i].box);
	}
	str_free(&base);
	str_free(&owner);
}

static void
observations_are_split(void)
{
	static const struct { const char *name, *rest, *owner; } row[] = {
		{"x:S0-D0-C3", "x", "S0-C3"}, {"x:S1-D1-C3#2", "x#2", "S1-D1-C3"},
		{"x:CPU0:/system", "x:/system", "CPU0"},
		{"x:Core-3", "x", "C3"}, {"x:socket1", "x", "S1"}, {"x:N1", "x", "N1"}, {"a:b:cpu7", "a:b", "CPU7"},
		{"x", NULL, ""}, {"S0", NULL, ""}, {"x:bash-3901", NULL, ""}, {"x:D3", NULL, ""}, {"x:T1", NULL, ""},
		{"x:S0-D0-L3-ID0", NULL, ""}, {"x:", NULL, ""}, {"x:S", NULL, ""},
		{"x:S0-", NULL, ""}, {"x:-C0", NULL, ""},
	};
	struct str rest = {0}, owner = {0};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		CHECK(owner_name_of_observation(row[i].name, &rest, &owner) == (row[i].rest != NULL));
		if (row[i].rest) {
			CHECK_STR(str_text(&rest), row[i].rest);
			CHECK_STR(str_text(&owner), row[i].owner);
		}
	}
	str_free(&rest);
	str_free(&owner);
}

static void
names_are_joined(void)
{
	static const struct { const char *column, *owner, *want; } row[] = {
		{"cycles", "S0-C3", "cycles@S0-C3"}, {"cycles", "CPU3", "cycles@CPU3"},
		{"unc_cha_x [uncore_cha_7]", "S1-C0", "unc_cha_x@S1-slice7"},
		{"unc_cha_x [uncore_cha_7]", "CPU0", "unc_cha_x@slice7"},
		{"unc_cha_x", "S1-C0", "unc_cha_x@S1"}, {"unc_cha_x", "CPU0", "unc_cha_x"},
		{"uncore_imc_2/y/", "S1", "uncore_imc/y/@S1-channel2"},
		{"power/energy-pkg/", "S1-C0", "power/energy-pkg/@S1"},
		{"msr/tsc/", "S1-C0", "msr/tsc/@S1-C0"}, {"page-faults", "N1", "page-faults@N1"},
		{"x@S0-slice3", "S0-C1", "x@S0-slice3"},
	};
	struct str name = {0};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		owner_name_join(row[i].column, row[i].owner, &name);
		CHECK_STR(str_text(&name), row[i].want);
	}
	str_free(&name);
}

enum { MEMBERS = 4, STEPS = 12 };

/* What one core counted at each step; -1: it has no row of the step. */
struct truth {
	int64_t count[MEMBERS][STEPS];
	bool counted[MEMBERS][STEPS];
};

static struct obs_table *
make_recording(uint64_t *seed, struct truth *t)
{
	static const char *const column[] = {"ev", "other"};
	struct obs_table *table = obs_table_new(column, 2);

	for (size_t m = 0; m < MEMBERS; m++) {
		char *name = str_format("run:S%zu-D0-C%zu", m / 2, m % 2);
		struct obs *o = obs_table_add(table, name, "file");

		o->decimals = m == 1 ? 1 : 0;
		o->since_start = true;
		for (size_t s = 0; s < STEPS; s++) {
			int64_t count[2] = {(int64_t)(test_random(seed) % 1000), 1};
			unsigned char counted[2] = {test_random(seed) % 8 > 0, m != 2};

			t->counted[m][s] = test_random(seed) % 6 > 0 && counted[0];
			t->count[m][s] = count[0] * (m == 1 ? 1 : 10);
			/* rows of one interval end within less than a quarter of a step */
			if (t->counted[m][s])
				obs_add_row(
					o, count, counted, (double)(s + 1) + (double)(test_random(seed) % 10) * 0.01);
		}
		free(name);
	}
	return table;
}

/* Each row of the joined observation has the counts of all members that have a row then, and no others. */
static void
recordings_are_joined(void)
{
	uint64_t seed = 5;

	for (unsigned round = 0; round < test_rounds(500, 20000); round++) {
		struct truth t;
		struct obs_table *table = make_recording(&seed, &t);
		struct owner_join *join = owner_join_new(table, round % 2 ? "run" : NULL);
		struct obs *o = join->table->obs[0];
		size_t row = 0;

		CHECK_INT(join->table->n, 1);
		CHECK_STR(o->name, "run");
		CHECK(o->decimals == 1 && o->since_start);
		for (size_t s = 0; s < STEPS; s++) {
			bool some = false;

			for (size_t m = 0; m < MEMBERS; m++)
				some |= t.counted[m][s];
			if (!some)
				continue;
			for (size_t m = 0; m < MEMBERS && row < o->n_rows; m++) {
				char *name = str_format("ev@S%zu-C%zu", m / 2, m % 2);
				size_t c = 0;

				while (c < o->n_columns && !str_eq(join->table->column[c], name))
					c++;
				if (c < o->n_columns) {
					CHECK_INT(o->counted[row * o->n_columns + c], t.counted[m][s]);
					CHECK(!t.counted[m][s] || o->count[row * o->n_columns + c] == t.count[m][s]);
				} else {
					CHECK(!t.counted[m][s]);
				}
				free(name);
			}
			row++;
		}
		CHECK_INT(o->n_rows, row);
		owner_join_free(join);
		obs_table_free(table);
	}
}

/* What is not of one recording stays apart; so does one that is alone. */
static void
others_stay(void)
{
	static const char *const column[] = {"ev"};
	static const int64_t one[] = {1};
	struct obs_table *table = obs_table_new(column, 1);
	struct owner_join *join;

	obs_add_row(obs_table_add(table, "x:CPU0", "x"), one, NULL, NAN);
	obs_add_row(obs_table_add(table, "x:bash-12", "x"), one, NULL, NAN);
	obs_add_row(obs_table_add(table, "y:CPU0", "y"), one, NULL, NAN);
	CHECK(!owner_join_new(table, NULL));
	obs_add_row(obs_table_add(table, "x:CPU1", "x"), one, NULL, NAN);
	CHECK(!owner_join_new(table, "x:CPU1"));
	join = owner_join_new(table, NULL);
	CHECK(join && join->table->n == 3);
	if (join) {
		CHECK_STR(join->table->obs[0]->name, "x");
		CHECK_STR(join->table->obs[1]->name, "x:bash-12");
		CHECK_STR(join->table->obs[2]->name, "y:CPU0");
		CHECK_INT(join->source[2], 2);
		CHECK_INT(join->table->obs[0]->n_rows, 1);
	}
	owner_join_free(join);
	obs_table_free(table);
}

TEST_MAIN(CASE(columns_are_split), CASE(observations_are_split), CASE(names_are_joined), CASE(recordings_are_joined),
	CASE(others_stay))
