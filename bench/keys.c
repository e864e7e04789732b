/* The time from a key to its frame: cursor keys in the panes of views 1 to 3 and 5, each followed by a drawing.
 * `make bench-keys`; OLD=TREE compares with the bench/keys that was built in TREE/build, round by round. View 1 shows a
 * search over 12 of haswell-study's features, 4096 models, folded and unfolded; views 2 and 3 show 300 observations. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "bench.h"
#include "core/udd/model.h"
#include "draw/cell.h"
#include "draw/view/view.h"
#include "explorer/state/state.h"
#include "explorer/state/state_search.h"
#include "explorer/state/state_timeline.h"
#include "signature_file.h"
#include "text/diag.h"
#include "work/analysis/analysis.h"
#include "work/files/data.h"
#include "work/files/texts.h"

#define KEYS 40 /* half of them move down, half of them up */
#define FEATURES 12
#define ROUNDS 7
#define CASES_MOST 32

struct row {
	char name[48];
	double seconds; /* of one key and its frame: the least of all rounds */
};

struct rows {
	struct row row[CASES_MOST];
	size_t n;
};

/* Every set of the first 12 features: a model's parent has one feature more. */
static struct search_graph *
keys_graph(const struct result *r)
{
	struct search_graph *g = search_graph_new();

	g->task = SEARCH_AUTO;
	g->n_observations = r->n_findings;
	g->observation = mem_new_array(r->n_findings, sizeof *g->observation);
	for (size_t i = 0; i < r->n_findings; i++)
		g->observation[i] = mem_str(r->finding[i].name);
	g->model = mem_new_array(1 << FEATURES, sizeof *g->model);
	g->edge = mem_new_array(1 << FEATURES, sizeof *g->edge);
	for (uint64_t off = 0; off < 1 << FEATURES; off++) {
		struct search_graph_model *m = &g->model[g->n_models++];
		uint64_t up = off & (off - 1);

		*m = (struct search_graph_model){.on.w[0] = ((1 << FEATURES) - 1) & ~off, .cone = off + 1,
			.usable = true, .survives = off == 0 || off == 2,
			.step = off ? GRAPH_ELIMINATION : GRAPH_START};
		m->infeasible = m->survives ? 0 : 1 + off % 7;
		m->n_words = (r->n_findings + 63) / 64;
		m->refuted = mem_new_array(m->n_words, sizeof *m->refuted);
		if (off)
			g->edge[g->n_edges++] = (struct search_graph_edge){.from = (size_t)up, .to = (size_t)off,
				.changed.w[0] = off ^ up, .step = GRAPH_ELIMINATION};
	}
	g->needs.minimal = mem_new_array(1, sizeof *g->needs.minimal);
	g->needs.minimal[g->needs.n_minimal++] = 2;
	g->tested = g->n_models;
	g->sets = (double)g->n_models;
	g->complete = true;
	return g;
}

static void
open_model(struct state *s)
{
	struct signature_file *f = signature_file_read("cones/haswell-m0.txt");
	struct bundle b = {0};
	struct udd_loader loader = bundle_disk_loader(&b);
	struct analysis_options how = {.confidence = 0.99};
	struct diags d = {0};
	struct err e = {0};
	struct fset on = {0};
	char *path = file_find("haswell-study", "models", ".udd", &e);
	struct udd_model *m = udd_parse(path, &loader, &d);
	struct analysis *a;

	state_init(s);
	state_set_model(s, &b, m, &how, &on);
	a = analysis_new(m, &how);
	analysis_set_table(a, 0, bench_observations(f, 300, 20));
	state_take_result(s, analysis_run(a, &on, NULL));
	state_search_began(s, SEARCH_AUTO);
	state_take_search(s, keys_graph(s->answers.result));
	analysis_free(a);
	diags_free(&d);
	free(path);
	signature_file_free(f);
}

static void
open_network(struct state *s)
{
	struct text text = {0}, none = {0};
	struct diags d = {0};
	struct err e = {0};
	struct network *n = text_load("spr-cxl", TEXT_NETWORK, &text, &e) ? text_network(&text, &d) : NULL;
	char *path = str_format("%s/screens/expect/fotonik.csv", getenv("HECATE_TESTS"));

	state_init(s);
	state_open_timeline(s, n, &text, NULL, &none);
	s->data.table = mem_new(sizeof *s->data.table);
	s->data.table[0] = data_read(path, false, &e);
	s->data.n_tables = 1;
	state_timeline_follow(s);
	free(path);
	diags_free(&d);
}

/* Presses the keys once, with a frame after each, at two sizes. The row of the first size is rows->row[at]. */
static void
press(struct state *s, const char *name, enum pane_id pane, struct rows *rows, size_t at)
{
	static const struct { int w, h; } size[] = {{120, 40}, {200, 60}};

	s->view.focus = pane;
	for (size_t i = 0; i < 2; i++, at++) {
		struct grid *g = grid_new(size[i].w, size[i].h, false);
		struct drawn drawn[2];
		double start, t;

		draw_screen(s, g, &drawn[0]);
		s->layout = &drawn[0].layout;
		start = bench_processor_seconds();
		for (int k = 0; k < KEYS; k++) {
			state_act(s, k < KEYS / 2 ? ACTION_down : ACTION_up);
			draw_screen(s, g, &drawn[(k + 1) % 2]);
			s->layout = &drawn[(k + 1) % 2].layout;
		}
		t = (bench_processor_seconds() - start) / KEYS;
		s->layout = &layout_initial;
		grid_free(g);
		if (at == rows->n)
			rows->n++, rows->row[at].seconds = INFINITY;
		snprintf(rows->row[at].name, sizeof rows->row[at].name, "%s, %d × %d", name, size[i].w, size[i].h);
		rows->row[at].seconds = fmin(rows->row[at].seconds, t);
	}
}

static void
measure(struct rows *rows)
{
	struct state s;
	size_t at = 0;

	open_model(&s);
	for (int k = 0; k < ROUNDS; k++) {
		at = 0;

		state_act(&s, ACTION_models);
		press(&s, "1 Features", PANE_FEATURES, rows, at);
		press(&s, "1 Search, folded", PANE_SEARCH, rows, at += 2);
		state_act(&s, ACTION_fold_all);
		press(&s, "1 Search, unfolded", PANE_SEARCH, rows, at += 2);
		state_act(&s, ACTION_fold_all);
		press(&s, "1 Tree", PANE_TREE, rows, at += 2);
		state_act(&s, ACTION_constraints);
		press(&s, "2 Constraints", PANE_CONSTRAINTS, rows, at += 2);
		state_act(&s, ACTION_observations);
		press(&s, "3 Observations", PANE_LIST, rows, at += 2);
		state_act(&s, ACTION_geometry);
		press(&s, "4 Geometry", PANE_PLOT, rows, at += 2);
	}
	state_free(&s);
	open_network(&s);
	at += 2;
	for (int k = 0; k < ROUNDS; k++) {
		state_act(&s, ACTION_paths);
		press(&s, "5 Paths", PANE_NETWORK, rows, at);
		state_act(&s, ACTION_queues);
		press(&s, "7 Queues", PANE_QUEUES, rows, at + 2);
	}
	state_free(&s);
}

/* Lets another bench/keys measure: one line of microseconds a row. Keeps the least. */
static bool
measure_other(const char *program, const struct rows *own, struct rows *out)
{
	char *command = str_format("%s figures", program);
	FILE *f = popen(command, "r");
	size_t n = 0;
	double t;

	while (f && n < own->n && fscanf(f, "%lf", &t) == 1) {
		out->row[n].seconds = n < out->n ? fmin(out->row[n].seconds, t * 1e-6) : t * 1e-6;
		n++;
	}
	out->n = n;
	free(command);
	return f && pclose(f) == 0 && n == own->n;
}

int
main(int argc, char **argv)
{
	const char *old = getenv("HECATE_OLD");
	struct rows own = {0}, other = {0};
	char *program = old && *old ? str_format("%s/build/bench/keys", old) : NULL;
	double logs = 0;

	measure(&own);
	if (argc > 1 && str_eq(argv[1], "figures")) {
		for (size_t i = 0; i < own.n; i++)
			printf("%.3f\n", own.row[i].seconds * 1e6);
		return 0;
	}
	for (int k = 0; program && k < 3; k++) {
		if (!measure_other(program, &own, &other)) {
			fprintf(stderr, "%s gives no figures\n", program);
			return 1;
		}
		measure(&own);
	}
	free(program);
	for (size_t i = 0; i < own.n; i++) {
		printf("a key and its frame, view %-30s %8.1f µs", own.row[i].name, own.row[i].seconds * 1e6);
		if (other.n) {
			double ratio = other.row[i].seconds / own.row[i].seconds;

			printf("   old %8.1f µs   ratio %.2f", other.row[i].seconds * 1e6, ratio);
			logs += log(ratio);
		}
		printf("\n");
	}
	if (other.n)
		printf("geometric mean of the ratios: %.2f   reach 1.3\n", exp(logs / (double)own.n));
	return 0;
}
