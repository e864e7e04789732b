/* Counts of each µop of the simulated core compared with the signatures of models/haswell-mmu.udd: two independent
 * descriptions of the same features, by state and by µpaths. All 32 choices of features are planted, on Haswell and on
 * the small machine; the workloads make every feature act. */
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/cone/signatures.h"
#include "core/udd/diagram.h"
#include "core/udd/model.h"
#include "haswell.h"
#include "sim/core.h"
#include "sim/workload.h"
#include "test.h"
#include "text/diag.h"

enum { N = 26, CHOICES = 32, BATCH = 2000 };

/* Features of the model and of the machine have the same names and order. */
static const char *const feature[] = {"tlb_pf", "early_psc", "merging", "pml4e", "bypass"};

struct set {
	unsigned char (*row)[N]; /* sorted */
	size_t n;
};

struct run {
	const struct set *of;   /* one for each choice of features */
	unsigned planted;
	enum sim_event event[N];
	unsigned strange;       /* µops without a signature in the model of the planted choice */
	bool needs[5];          /* some µop has no signature in the model without that feature */
	const char *workload;
};

static int
compare(const void *a, const void *b)
{
	return memcmp(a, b, N);
}

static struct set
set_of(const struct udd_model *m, unsigned choice)
{
	struct str plus = {0};
	struct diags d = {0};
	struct err e = {0};
	struct set set = {0};
	struct signatures *s;
	struct udd_diagram *g;
	struct fset on;

	for (unsigned f = 0; f < 5; f++)
		if (choice >> f & 1)
			str_addf(&plus, "%s%s", plus.n ? "," : "", feature[f]);
	if (!CHECK(udd_choose(m, "m0", plus.n ? str_text(&plus) : NULL, NULL, &on, &e)))
		abort();
	g = udd_expand(m, &on, &d);
	s = g ? signatures_new(g, &d) : NULL;
	if (!CHECK(s != NULL))
		abort();
	set.row = mem_new_array(s->n + 1, sizeof *set.row); /* and the signature of zeros */
	for (set.n = 0; set.n < s->n; set.n++)
		for (size_t i = 0; i < N; i++)
			set.row[set.n][i] = (unsigned char)s->coef[set.n * N + i];
	set.n++;
	qsort(set.row, set.n, sizeof *set.row, compare);
	signatures_free(s);
	udd_diagram_free(g);
	diags_free(&d);
	str_free(&plus);
	return set;
}

static bool
has(const struct set *s, const unsigned char *row)
{
	return bsearch(row, s->row, s->n, sizeof *s->row, compare) != NULL;
}

static void
check_uop(void *ctx, const struct sim_uop_counts *t)
{
	struct run *r = ctx;
	unsigned char row[N];

	for (size_t i = 0; i < N; i++)
		row[i] = t->count[r->event[i]];
	if (!has(&r->of[r->planted], row) && r->strange++ == 0) {
		struct str what = {0};

		for (size_t i = 0; i < N; i++)
			if (row[i])
				str_addf(&what, " %s %d", sim_event_name(r->event[i]), row[i]);
		test_check(false, __FILE__, __LINE__, "choice %x, %s: no µpath counts%s", r->planted, r->workload,
			str_text(&what));
		str_free(&what);
	}
	for (unsigned f = 0; f < 5; f++)
		if (!r->needs[f] && r->planted >> f & 1 && !has(&r->of[r->planted & ~(1u << f)], row))
			r->needs[f] = true;
}

static struct sim_machine *
machine(const char *name)
{
	char *path = str_format("../models/machines/%s.machine", name);
	unsigned long n;
	char *text = test_read(path, &n);
	struct diags d = {0};
	struct sim_machine *m = text ? sim_machine_parse(path, text, n, NULL, &d) : NULL;

	if (!CHECK(m != NULL))
		abort();
	diags_free(&d);
	free(text);
	free(path);
	return m;
}

static void
runs(const struct sim_machine *m, struct run *r, const char *text, size_t batches)
{
	struct err e = {0};
	struct sim_workload *w = sim_workload_new(text, 42, &e);
	struct sim_uop *u = mem_new_array(BATCH, sizeof *u);
	sim_plants plants = 0;
	struct sim_core *c;

	if (!test_check(w != NULL, __FILE__, __LINE__, "%s: %s", text, e.what))
		abort();
	for (unsigned f = 0; f < 5; f++) {
		enum sim_plant p;

		if (r->planted >> f & 1 && CHECK(sim_plant_find(feature[f], &p)))
			plants |= 1u << p;
	}
	r->workload = text;
	c = sim_core_new(m, plants, sim_workload_memory(w));
	sim_core_observe(c, check_uop, r);
	for (size_t b = 0; b < batches; b++)
		sim_core_run(c, u, sim_workload_fill(w, u, BATCH, &e));
	sim_core_free(c);
	sim_workload_free(w);
	free(u);
}

static const char *const workload[] = {
	"linear:footprint=64M",
	"linear:footprint=64M,stride=-64,loads=0.8,touched=0",
	"linear:footprint=1G,stride=8,page=2m,wrong=0.01",
	"random:footprint=8G,loads=0.6,store_depends=0.7,wrong=0.05",
	"random:footprint=64G,page=2m,loads=0.6,store_depends=0.7,clears=0.01",
	"random:footprint=2T,page=1g,loads=0.6,store_depends=0.5,depends=0.2,wrong=0.02",
	"zipf:footprint=256M,loads=0.5,clears=0.005,refresh=3000",
	"branchy:footprint=256M",
	"gups:footprint=1G,touched=0",
};

/* Early lookups alone change no model; they show only through merged requests. */
static bool
shows(unsigned choice, unsigned f)
{
	return f != 1 || choice >> 2 & 1;
}

static void
each_uop_goes_a_path_of_its_model(void)
{
	struct udd_model *m = haswell_model("haswell-mmu");
	struct sim_machine *on[2] = {machine("haswell"), machine("small")};
	struct set set[CHOICES];
	size_t batches = test_rounds(4, 100);

	for (unsigned choice = 0; choice < CHOICES; choice++)
		set[choice] = set_of(m, choice);
	for (unsigned choice = 0; choice < CHOICES; choice++) {
		struct run r = {.of = set, .planted = choice};

		for (size_t i = 0; i < N; i++)
			if (!CHECK(sim_event_find(m->counter[i].event[0].name, &r.event[i])))
				abort();
		for (size_t k = 0; k < 2; k++)
			for (size_t i = 0; i < sizeof workload / sizeof *workload; i++)
				runs(on[k], &r, workload[i], batches);
		test_label("choice %x", choice);
		CHECK_INT(r.strange, 0);
		for (unsigned f = 0; f < 5; f++)
			if (choice >> f & 1) {
				test_label("choice %x, %s", choice, feature[f]);
				CHECK_INT(r.needs[f], shows(choice, f));
			}
	}
	for (unsigned choice = 0; choice < CHOICES; choice++)
		free(set[choice].row);
	for (size_t k = 0; k < 2; k++)
		sim_machine_free(on[k]);
	udd_free(m);
}

TEST_MAIN(CASE(each_uop_goes_a_path_of_its_model))
