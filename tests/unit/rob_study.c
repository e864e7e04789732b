/* The study of a compressed reorder buffer on cores whose packing is known. */
#include "work/probe/rob_study.h"

#include <stdlib.h>

#include "base/err.h"
#include "base/str.h"
#include "test.h"
#include "work/probe/probe_machine.h"

/* The paper's core: 160 entries, 6 instructions in one, queues of 72 and 56, 182 and 160 registers. */
static const char kunminghu[] = "load_queue 72; store_queue 56; int_registers 182; fp_registers 160; branches 256; "
	"rob 160; width 8; fetch 8; commit 8";

static bool
study(const char *on, const char *changes, struct rob_study *out)
{
	struct err e = {0};
	struct probe_machine *m = probe_machine_new(on, changes, &e);
	bool good = m && rob_study_run(m, NULL, NULL, out, &e);

	CHECK(good);
	probe_machine_free(m);
	return good;
}

static const struct rob_combination *
row_of(const struct rob_study *o, const char *name)
{
	for (size_t i = 0; i < o->n; i++) {
		struct str s = {0};
		bool same;

		for (unsigned k = 0; k < o->row[i].n; k++)
			str_addf(&s, "%s%s", k ? "+" : "", rob_type_name(o->row[i].type[k]));
		same = str_eq(str_text(&s), name);
		str_free(&s);
		if (same)
			return &o->row[i];
	}
	return &o->row[0];
}

/* The rows of the paper's table 2 whose bottlenecks it names. */
static void
names_bottlenecks(void)
{
	static const struct { const char *name; double fit; enum rob_bottleneck full; } row[] = {
		{"ld", 70, ROB_LOAD_QUEUE}, {"st", 56, ROB_STORE_QUEUE}, {"add", 180, ROB_INT_REGISTERS},
		{"fadd", 160, ROB_FP_REGISTERS}, {"beq", 158, ROB_ENTRIES}, {"nop", 636, ROB_COMPRESSED},
		{"ld+nop", 140, ROB_LOAD_QUEUE}, {"st+nop", 112, ROB_STORE_QUEUE}, {"ld+st", 112, ROB_STORE_QUEUE},
		{"beq+nop", 158, ROB_ENTRIES}, {"beq+ld+st", 158, ROB_ENTRIES}, {"add+nop", 360, ROB_INT_REGISTERS},
		{"add+fadd", 320, ROB_FP_REGISTERS}, {"beq+add+nop", 222, ROB_COMPRESSED},
	};
	struct rob_study o;

	if (!study("sim:core:rob_compression", kunminghu, &o))
		return;
	CHECK_INT(o.n, ROB_COMBINATIONS);
	CHECK_NEAR(o.entries, 160, 0);
	CHECK(o.compressed);
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		const struct rob_combination *r = row_of(&o, row[i].name);

		test_label("%s: %s", row[i].name, rob_bottleneck_text(r->full));
		CHECK_NEAR(r->fit.value, row[i].fit, 0);
		CHECK_INT(r->full, row[i].full);
	}
	CHECK_NEAR(rob_study_entries(&o, 1), 72, 0);
	CHECK_NEAR(rob_study_entries(&o, 3), 182, 0);
}

/* µops share an entry up to the packing, and never more than a cycle dispatches. */
static void
finds_the_packing(void)
{
	static const struct { const char *on, *changes; unsigned width, pack; } row[] = {
		{"sim:core:rob_compression", "rob_pack 3", 8, 3},
		{"sim:core", "rob_pack 6", 8, 1},
		{"sim:core:rob_compression", "rob_pack 2", 6, 2},
		{"sim:core:rob_compression", "rob_pack 6", 8, 6},
		{"sim:core:rob_compression", "rob_pack 5", 6, 5},
	};
	unsigned n = test_rounds(2, sizeof row / sizeof *row);

	for (unsigned i = 0; i < n; i++) {
		char *changes = str_format("%s; width %u; fetch %u; commit %u", row[i].changes, row[i].width,
			row[i].width, row[i].width);
		struct rob_study o;

		test_label("%s %s", row[i].on, changes);
		if (study(row[i].on, changes, &o)) {
			CHECK_NEAR(o.entries, 128, 0);
			CHECK_INT(o.compressed, row[i].pack > 1);
			CHECK_INT(o.per_entry, row[i].pack);
			for (unsigned t = 0; t < ROB_TYPES; t++)
				CHECK_INT(o.shares[t], row[i].pack > 1 && t >= 3);
		}
		free(changes);
	}
}

static bool
stop(void *ctx)
{
	return ++*(unsigned *)ctx < 500;
}

static void
keeps_what_was_measured(void)
{
	struct err e = {0};
	struct probe_machine *m = probe_machine_new("sim:core", NULL, &e);
	struct rob_study o;
	unsigned asked = 0;

	if (!CHECK(m != NULL))
		return;
	CHECK(rob_study_run(m, stop, &asked, &o, &e));
	CHECK(o.cut);
	CHECK(o.n >= 1 && o.n <= ROB_TYPES); /* a curve has some 140 points at least */
	CHECK_NEAR(o.row[0].fit.value, 63, 0); /* 64 branches in flight, less the jump at a pass's end */
	probe_machine_free(m);
}

TEST_MAIN(CASE(names_bottlenecks), CASE(finds_the_packing), CASE(keeps_what_was_measured))
