/* The time to draw a screen: views 2 and 3 with 300 observations of Haswell's m0 (26 counters, 35 constraints), view 5
 * with a network, at three sizes. `make bench-draw`. A frame has 16.7 ms (docs/screens.md section 5). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "bench.h"
#include "core/udd/model.h"
#include "draw/cell.h"
#include "draw/view/view.h"
#include "explorer/state/state.h"
#include "explorer/state/state_timeline.h"
#include "signature_file.h"
#include "text/diag.h"
#include "work/analysis/analysis.h"
#include "work/files/data.h"
#include "work/files/texts.h"

#define ROUNDS 51
#define STEPS 1000

static void
open_session(struct state *s, const struct signature_file *f)
{
	struct bundle b = {0};
	struct udd_loader loader = bundle_disk_loader(&b);
	struct analysis_options how = {.confidence = 0.99};
	struct diags d = {0};
	struct err e = {0};
	struct fset on = {0};
	char *path = file_find("haswell-mmu", "models", ".udd", &e);
	struct udd_model *m = udd_parse(path, &loader, &d);
	struct analysis *a;
	double start;

	state_init(s);
	state_set_model(s, &b, m, &how, &on);
	a = analysis_new(m, &how);
	analysis_set_table(a, 0, bench_observations(f, 300, 20));
	start = clock_seconds();
	state_take_result(s, analysis_run(a, &on, NULL));
	printf("%zu observations, %zu constraints, %zu infeasible: verdicts in %.0f ms\n",
		s->answers.result->n_findings, s->answers.result->n_constraints,
		s->answers.result->count[VERDICT_INFEASIBLE], (clock_seconds() - start) * 1e3);
	analysis_free(a);
	diags_free(&d);
	free(path);
}

static void
time_view(const struct state *s, const char *name)
{
	static const struct { int w, h; } size[] = {{80, 24}, {120, 40}, {200, 60}};

	for (size_t i = 0; i < 3; i++) {
		struct grid *g = grid_new(size[i].w, size[i].h, false);
		double t[ROUNDS], median;

		for (size_t k = 0; k < ROUNDS; k++) {
			struct drawn d;
			double start = clock_seconds();

			draw_screen(s, g, &d);
			t[k] = clock_seconds() - start;
		}
		median = bench_median(t, ROUNDS); /* sorts */
		printf("view %-14s %3d × %-2d   median %6.2f ms, worst %6.2f ms\n", name, size[i].w, size[i].h,
			median * 1e3, t[ROUNDS - 1] * 1e3);
		grid_free(g);
	}
}

/* A server's network with owners: 8 cores and 8 slices. The whole cost of a new snapshot on the screen: its analysis,
 * with earlier snapshots, and the drawing. */
static void
paths(void)
{
	struct text text = {0}, none = {0};
	struct diags d = {0};
	struct err e = {0};
	struct state s;
	struct network *n = text_load("spr-cxl", TEXT_NETWORK, &text, &e) ? text_network(&text, &d) : NULL;
	char *path = str_format("%s/screens/expect/fotonik.csv", getenv("HECATE_TESTS"));
	struct grid *g = grid_new(120, 40, false);
	double start;

	state_init(&s);
	state_open_timeline(&s, n, &text, NULL, &none);
	s.data.table = mem_new(sizeof *s.data.table);
	s.data.table[0] = data_read(path, false, &e);
	s.data.n_tables = 1;
	state_timeline_follow(&s);
	time_view(&s, "5 Paths");
	start = bench_processor_seconds();
	for (int i = 0; i < STEPS; i++) {
		struct drawn drawn;

		state_act(&s, i / 10 % 2 ? ACTION_snapshot_next : ACTION_snapshot_back);
		draw_screen(&s, g, &drawn);
	}
	printf("a snapshot analysed and drawn at 120 × 40, ten in a second: %.2f %% of a processor\n",
		(bench_processor_seconds() - start) / STEPS * 10 * 100);
	grid_free(g);
	free(path);
	diags_free(&d);
	state_free(&s);
}

int
main(void)
{
	static const struct {
		enum action view;
		const char *name;
	} view[] = {{ACTION_constraints, "2 Constraints"}, {ACTION_observations, "3 Observations"}};
	struct signature_file *f = signature_file_read("cones/haswell-m0.txt");
	struct state s;

	open_session(&s, f);
	for (size_t v = 0; v < 2; v++) {
		state_act(&s, view[v].view);
		time_view(&s, view[v].name);
	}
	state_free(&s);
	signature_file_free(f);
	paths();
	return 0;
}
