/* Views 2 and 3 on cells: every pane, popup and size, in colour, in monochrome and in ASCII; and that a drawing fits
 * into a frame's time. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "draw/cell.h"
#include "draw/view/view.h"
#include "draw/view/view_parts.h"
#include "explorer/state/state_geometry.h"
#include "explorer/state/state_relax.h"
#include "open_session.h"
#include "stage.h"
#include "test.h"
#include "work/analysis/geometry.h"

/* Exact totals of programs under the model of page faults. */
static void
constraints_of_exact_totals(void)
{
	struct state s;

	stage_open(&s, "linux-page-faults", NULL, "programs.csv", true);
	stage_compute(&s);
	state_act(&s, ACTION_constraints);
	stage_compare(&s, "constraints-looking", 80, 24, false); /* the engine has not answered yet */
	stage_answer(&s);
	stage_every_size(&s, "constraints");
	state_act(&s, ACTION_details);
	stage_compare(&s, "constraint", 80, 24, false);
	stage_compare(&s, "constraint", 120, 40, false);
	stage_compare(&s, "constraint", 80, 24, true);
	state_act(&s, ACTION_back);
	state_act(&s, ACTION_certificate);
	stage_compare(&s, "certificate", 80, 24, false);
	state_act(&s, ACTION_back);
	state_act(&s, ACTION_lose);
	stage_answer(&s);
	stage_press(&s, ACTION_down, 2);
	stage_compare(&s, "loss", 80, 24, false);
	stage_compare(&s, "loss", 120, 40, false);
	stage_compare(&s, "loss", 40, 10, false);
	stage_compare(&s, "loss", 80, 24, true);
	state_act(&s, ACTION_back);
	state_act(&s, ACTION_filter);
	stage_compare(&s, "filter", 80, 24, false);
	answer_prompt(&s, "MAJ");
	stage_compare(&s, "filtered", 80, 24, false);
	state_act(&s, ACTION_filter);
	answer_prompt(&s, "no such counter");
	stage_compare(&s, "filtered-none", 80, 24, false);
	state_act(&s, ACTION_help);
	stage_compare(&s, "constraints-help", 80, 24, false);
	stage_close(&s);
}

static void
noisy_constraints(void)
{
	struct state s;

	stage_open(&s, "haswell-mmu", NULL, "walks.csv", false);
	stage_compute(&s);
	state_act(&s, ACTION_constraints);
	stage_press(&s, ACTION_down, 1);
	stage_answer(&s);
	stage_every_size(&s, "walks-constraints");
	state_act(&s, ACTION_sort);
	stage_compare(&s, "walks-tightness", 80, 24, false);
	state_act(&s, ACTION_observations);
	state_choose(&s, PANE_LIST, 0);
	state_act(&s, ACTION_mark);
	state_act(&s, ACTION_constraints);
	stage_compare(&s, "walks-marked", 80, 24, false);
	stage_close(&s);
}

/* A counter into which page faults leak is named before the others that might be wrong. leak.csv: hecate sim --machine
 * small --samples 2 --accesses 20000 --warm-up 1000 --exact --plant merging --workload
 * random:footprint=64M,touched=0,loads={0.3,0.5,0.7,1} --lie dtlb_load_misses.walk_completed=fault:1 --csv */
static void
a_leak(void)
{
	struct state s;

	stage_open(&s, "haswell-mmu", "merging", "leak.csv", true);
	stage_compute(&s);
	state_act(&s, ACTION_constraints);
	stage_answer(&s);
	stage_compare(&s, "leak", 80, 24, false);
	stage_compare(&s, "leak", 120, 40, false);
	stage_compare(&s, "leak", 200, 60, false);
	state_act(&s, ACTION_details);
	stage_compare(&s, "leak-popup", 120, 40, true);
	stage_close(&s);
}

static void
nothing_is_infeasible(void)
{
	struct state s;

	stage_open(&s, "linux-page-faults", "A,C,D", "programs.csv", true);
	stage_compute(&s);
	state_act(&s, ACTION_constraints);
	stage_answer(&s);
	stage_compare(&s, "survives", 80, 24, false);
	stage_compare(&s, "survives", 120, 40, false);
	stage_compare(&s, "survives", 80, 24, true);
	state_act(&s, ACTION_certificate);
	stage_compare(&s, "survives-certificate", 80, 24, false);
	stage_close(&s);
}

static void
observations(void)
{
	struct state s;

	stage_open(&s, "linux-page-faults", NULL, "programs.csv", true);
	stage_compute(&s);
	state_act(&s, ACTION_observations);
	stage_every_size(&s, "observations");
	state_act(&s, ACTION_samples);
	stage_compare(&s, "observation", 80, 24, false);
	state_act(&s, ACTION_back);
	state_act(&s, ACTION_mark);
	stage_press(&s, ACTION_down, 2);
	state_act(&s, ACTION_mark);
	state_act(&s, ACTION_compare);
	stage_compare(&s, "compare", 80, 24, false);
	state_act(&s, ACTION_back);
	state_act(&s, ACTION_whence);
	stage_compare(&s, "observations-whence", 80, 24, false);
	stage_close(&s);
}

static void
noisy_observations(void)
{
	struct state s;

	stage_open(&s, "haswell-mmu", NULL, "walks.csv", false);
	stage_compute(&s);
	state_act(&s, ACTION_observations);
	stage_press(&s, ACTION_down, 1);
	stage_every_size(&s, "walks");
	state_act(&s, ACTION_samples);
	stage_compare(&s, "walks-samples", 120, 40, false);
	state_act(&s, ACTION_right);
	stage_show(&s, 80, 24);
	stage_press(&s, ACTION_down, 40);
	stage_compare(&s, "walks-samples-below", 80, 24, false);
	state_act(&s, ACTION_back);
	state_act(&s, ACTION_certificate);
	stage_compare(&s, "walks-certificate", 80, 24, false);
	state_act(&s, ACTION_back);
	state_act(&s, ACTION_filter);
	answer_prompt(&s, "feasible");
	stage_compare(&s, "walks-filtered", 80, 24, false);
	stage_close(&s);
}

/* Samples, multiplexing, phases and past verdicts of an observation that grows, as engine and run would report them. */
static void
the_growing_observation(void)
{
	struct state s;
	struct finding *f;

	stage_open(&s, "haswell-mmu", NULL, "walks.csv", false);
	stage_compute(&s);
	f = &s.answers.result->finding[s.answers.result->n_findings - 1];
	s.data.history.point = mem_new_array(12, sizeof *s.data.history.point);
	s.data.history.n = 12;
	s.data.history.of = mem_str(f->name);
	for (size_t i = 0; i < 12; i++)
		s.data.history.point[i] = (struct verdict_point){.seconds = 0.1 * (double)(i + 1),
			.samples = i + 1,
			.distance2 = 8.0 * (double)i,
			.threshold2 = 45.6,
			.verdict = i < 2 ? VERDICT_UNDECIDED
				: i < 6  ? VERDICT_FEASIBLE
					 : VERDICT_INFEASIBLE};
	f->data.effective = 0.4;
	f->time.lag = 0.61;
	free(f->time.phase);
	f->time.phase = mem_new_array(2, sizeof *f->time.phase);
	f->time.n_phases = 2;
	f->time.phase[0] = 6;
	f->time.phase[1] = 14;
	for (size_t i = 0; i < f->counter.n_running; i++)
		f->counter.running[i] = i % 2 ? 0.57 : 1;
	state_act(&s, ACTION_observations);
	state_act(&s, ACTION_last);
	CHECK_INT(s.view.selected, s.answers.result->n_findings - 1);
	stage_compare(&s, "growing", 120, 40, false);
	stage_compare(&s, "growing", 80, 24, true);
	stage_close(&s);
}

static void
without_data(void)
{
	struct state s;

	stage_open(&s, "haswell-mmu", NULL, NULL, false);
	state_act(&s, ACTION_constraints);
	stage_compare(&s, "no-cone", 80, 24, false);
	stage_compute(&s);
	stage_answer(&s);
	stage_compare(&s, "no-data-constraints", 80, 24, false);
	stage_compare(&s, "no-data-constraints", 200, 60, false);
	state_act(&s, ACTION_observations);
	stage_compare(&s, "no-data-observations", 80, 24, false);
	stage_compare(&s, "no-data-observations", 200, 60, false);
	stage_close(&s);
}

/* Signs show what colours show; what is out of date is dim. */
static void
roles_of_rows(void)
{
	struct state s;
	struct grid *g = grid_new(80, 24, false);
	struct drawn d;

	stage_open(&s, "linux-page-faults", NULL, "programs.csv", true);
	stage_compute(&s);
	state_act(&s, ACTION_constraints);
	draw_screen(&s, g, &d);
	CHECK_INT(grid_at(g, 1, 4)->cp, 0x2717);
	CHECK_INT(grid_at(g, 1, 4)->fg, ROLE_INFEASIBLE);
	CHECK_INT(grid_at(g, 0, 4)->bg, ROLE_SELECT);
	CHECK_INT(grid_at(g, 1, 8)->cp, 0x2713);
	CHECK_INT(grid_at(g, 1, 8)->fg, ROLE_FEASIBLE);
	CHECK_INT(d.layout.focus, PANE_CONSTRAINTS);
	fset_put(&s.question.on, 0, true);
	draw_screen(&s, g, &d);
	CHECK_INT(grid_at(g, 1, 4)->fg, ROLE_DIM);
	state_act(&s, ACTION_observations);
	draw_screen(&s, g, &d);
	CHECK_INT(grid_at(g, 1, 4)->fg, ROLE_DIM);
	CHECK_INT(d.layout.focus, PANE_LIST);
	grid_free(g);
	stage_close(&s);
}

/* Doubts about a verdict: a mark in the list, also if the name is cut, a sentence next to it, and all of them with
 * i. */
static void
a_doubt_about_an_observation(void)
{
	static const int width[] = {40, 60, 80, 120};
	struct state s;
	size_t doubtful = 0;

	stage_open(&s, "haswell-mmu", NULL, "walks.csv", false);
	stage_compute(&s);
	for (size_t i = 0; i < s.answers.result->n_findings; i++)
		doubtful += finding_doubts(&s.answers.result->finding[i]) > 0;
	CHECK_INT(doubtful, 1);
	for (int view = 0; view < 2; view++) {
		state_act(&s, view ? ACTION_observations : ACTION_models);
		for (size_t i = 0; i < sizeof width / sizeof *width; i++) {
			struct grid *g = grid_new(width[i], 40, true);
			struct drawn d;
			size_t marks = 0;

			draw_screen(&s, g, &d);
			for (int y = 0; y < 40; y++)
				for (int x = 4; x < width[i] / 2; x++)
					marks += grid_at(g, x - 3, y)->cp == 'm' && grid_at(g, x - 2, y)->cp == 'c' &&
						grid_at(g, x - 1, y)->cp == 'f' && grid_at(g, x, y)->cp == ' ' &&
						grid_at(g, x + 1, y)->cp == '~';
			test_label("view %d, %d columns", view ? 3 : 1, width[i]);
			CHECK_INT(marks, 1);
			grid_free(g);
		}
	}
	for (int i = 0; i < 20 && !str_eq(state_finding(&s)->name, "mcf"); i++)
		state_act(&s, ACTION_down);
	stage_compare(&s, "doubt", 120, 40, false);
	stage_compare(&s, "doubt", 80, 24, true);
	state_act(&s, ACTION_whence);
	stage_compare(&s, "doubt-whence", 80, 24, false);
	stage_close(&s);
}

static bool
header_says(const struct state *s, int width, const char *words)
{
	struct grid *g = grid_new(width, 24, true);
	struct str row = {0};
	struct drawn d;
	bool said;

	draw_screen(s, g, &d);
	for (int x = 0; x < width; x++)
		str_addc(&row, (char)grid_at(g, x, 0)->cp);
	said = strstr(str_text(&row), words) != NULL;
	str_free(&row);
	grid_free(g);
	return said;
}

/* The header shows the other way to count if the two differ and it fits; the observation that only counts by itself has
 * the mark of what is not refuted for certain. */
static void
holm_beside(void)
{
	struct state s;
	struct result *r;
	size_t k = 0;
	char words[64];

	stage_open(&s, "linux-page-faults", NULL, "programs.csv", true);
	stage_compute(&s);
	r = s.answers.result;
	CHECK(header_says(&s, 120, "infeasible") && !header_says(&s, 120, "judged alone"));
	while (r->finding[k].verdict != VERDICT_INFEASIBLE)
		k++;
	r->finding[k].verdict = r->finding[k].own.family_wise = VERDICT_FEASIBLE;
	r->count[VERDICT_INFEASIBLE]--;
	r->refuted.family_wise--;
	snprintf(words, sizeof words, "%zu of %zu infeasible, %zu if each is judged alone", r->refuted.family_wise,
		r->n_findings, r->refuted.one_by_one);
	CHECK(header_says(&s, 120, words));
	CHECK(!header_says(&s, 80, "judged alone"));
	CHECK_STR(finding_mark(&r->finding[k]), "≈");
	CHECK_INT(finding_role(&r->finding[k]), ROLE_BORDERLINE);
	stage_close(&s);
}

/* Every row, tab and key leads where it says when clicked; panes of text scroll to their end and no further. */
static void
clicks_and_scrolling(void)
{
	struct state s;
	struct grid *g = grid_new(120, 40, false);
	struct drawn d;
	bool tab = false, row = false;
	int at;

	stage_open(&s, "linux-page-faults", NULL, "programs.csv", true);
	stage_compute(&s);
	state_act(&s, ACTION_constraints);
	stage_answer(&s);
	draw_screen(&s, g, &d);
	for (int i = 0; i < d.n_hits; i++) {
		tab |= d.hit[i].kind == HIT_ACTION && d.hit[i].action == ACTION_observations && d.hit[i].r.y == 1;
		row |= d.hit[i].kind == HIT_ROW && d.hit[i].pane == PANE_BROKEN && d.hit[i].action == ACTION_jump;
	}
	CHECK(tab);
	CHECK(row);
	s.view.focus = PANE_TOUCHED;
	for (int i = 0; i < 100; i++) {
		stage_look(&s, g, &d);
		state_act(&s, ACTION_down);
	}
	at = s.view.cursor[PANE_TOUCHED];
	CHECK(at > 0 && at < 40);
	state_act(&s, ACTION_up);
	CHECK_INT(s.view.cursor[PANE_TOUCHED], at - 1);
	state_act(&s, ACTION_palette); /* so that there are lines to draw */
	for (int w = 1; w < 140; w += 7) /* nothing is drawn outside, at any size */
		for (int h = 1; h < 50; h += 3) {
			struct grid *small = grid_new(w, h, w % 2 == 0);

			for (int v = VIEW_CONSTRAINTS; v < VIEW_COUNT; v++)
				for (int p = POPUP_NONE; p <= POPUP_COMPARE; p++) {
					if (p == POPUP_VARIANT || p == POPUP_PROMPT)
						continue;
					s.view.current = (enum view)v;
					s.view.focus = v == VIEW_CONSTRAINTS  ? PANE_CONSTRAINTS
						: v == VIEW_OBSERVATIONS ? PANE_LIST
									 : PANE_PLOT;
					s.view.popup.kind = (enum popup)p;
					draw_screen(&s, small, &d);
				}
			grid_free(small);
		}
	CHECK(d.n_hits <= HITS_MAX);
	s.view.popup.kind = POPUP_NONE;
	grid_free(g);
	stage_close(&s);
}

/* Letters stand next to the axes' counters and the pairs, and next to the counts of two observations. */
static void
letters_beside_counters(void)
{
	struct state s;

	stage_open(&s, "haswell-mmu", NULL, "walks.csv", false);
	stage_compute(&s);
	stage_trust(&s, "mem_uops_retired.stlb_miss_loads,dtlb_load_misses.walk_completed,"
			"dtlb_load_misses.miss_causes_a_walk");
	state_act(&s, ACTION_geometry);
	stage_answer(&s);
	stage_compare(&s, "trust-geometry", 80, 24, false);
	stage_compare(&s, "trust-geometry", 80, 24, true);
	stage_compare(&s, "trust-geometry", 120, 40, false);
	state_act(&s, ACTION_observations);
	stage_answer(&s);
	state_act(&s, ACTION_mark);
	stage_press(&s, ACTION_down, 1);
	state_act(&s, ACTION_compare);
	stage_compare(&s, "trust-compare", 80, 24, false);
	stage_close(&s);
}

/* A worst constraint that all refuted observations share stands above the list, in full, and names that would be cut
 * leave out the keys of their settings. */
static void
what_observations_share(void)
{
	static const char *const name[] = {"linear:footprint=600G,stride=64,loads=1",
		"linear:footprint=600G,stride=-64", "linear:footprint=16G,stride=1G", "gups:footprint=64G,page=4k"};
	struct state s;
	const char *text = NULL;
	size_t renamed = 0;

	stage_open(&s, "haswell-mmu", NULL, "walks.csv", false);
	stage_compute(&s);
	state_act(&s, ACTION_observations);
	for (size_t i = 0; i < s.answers.result->n_findings; i++) {
		struct finding *f = &s.answers.result->finding[i];

		if (f->verdict != VERDICT_INFEASIBLE || !f->proof.n_violated)
			continue;
		text = text ? text : f->proof.violated->text;
		if (f->proof.violated->text != text) {
			free(f->proof.violated->text);
			f->proof.violated->text = mem_str(text);
		}
		if (renamed < sizeof name / sizeof *name) {
			free(f->name);
			f->name = mem_str(name[renamed++]);
		}
	}
	CHECK_INT(renamed, 4);
	stage_compare(&s, "observations-share", 80, 24, false);
	stage_compare(&s, "observations-share", 120, 40, true);
	stage_close(&s);
}

/* View 4 opens on the two sides of the constraint that the observation breaks most, and after Space, which switches on
 * what frees it, nothing refutes it. Space again has nothing to do. */
static void
what_is_violated_and_its_repair(void)
{
	struct state s;
	struct plane p;
	struct repair repair;
	const struct constraint *worst;
	struct fset none = {0};

	stage_open(&s, "haswell-mmu", NULL, "walks.csv", false);
	stage_compute(&s);
	state_act(&s, ACTION_geometry);
	CHECK(!state_repair(&s, &repair));
	state_act(&s, ACTION_repair); /* the ranking is not known yet */
	CHECK(strstr(s.view.message.text, "still") && fset_equal(&s.question.on, &none));
	stage_show(&s, 120, 40);
	stage_answer(&s);
	worst = state_finding(&s)->proof.violated;
	if (CHECK(worst && state_plane(&s, &p)))
		for (size_t i = 0; i < p.n; i++)
			CHECK_INT(p.x[i] + p.y[i], llabs((long long)worst->coef[state_geometry(&s)->counter[i]]));
	plane_clear(&p);
	CHECK(state_repair(&s, &repair) && repair.frees && repair.freed >= 1);
	state_act(&s, ACTION_repair);
	CHECK(fset_equal(&s.question.on, &repair.added) && strstr(s.view.message.text, "takes it back"));
	stage_compute(&s);
	CHECK_INT(state_finding(&s)->verdict, VERDICT_FEASIBLE);
	state_act(&s, ACTION_repair);
	CHECK(fset_equal(&s.question.on, &repair.added) && strstr(s.view.message.text, "nothing refutes"));
	state_act(&s, ACTION_undo);
	CHECK(fset_equal(&s.question.on, &none));
	stage_close(&s);
}

static bool
screen_says(const struct state *s, const char *words)
{
	struct grid *g = grid_new(120, 40, false);
	struct str text = {0};
	struct drawn d;
	bool said;

	draw_screen(s, g, &d);
	grid_text(g, &text);
	said = strstr(str_text(&text), words) != NULL;
	str_free(&text);
	grid_free(g);
	return said;
}

/* A point that is 125 times too high: close up, the far end of the gap along the other axis would press the point into
 * a corner of a flat picture, so the x axis ends near the point. */
static void
no_flat_picture(void)
{
	struct state s;
	struct plane p;

	stage_open(&s, "linux-page-faults", NULL, "programs.csv", true);
	stage_compute(&s);
	state_act(&s, ACTION_geometry);
	stage_show(&s, 120, 40);
	stage_answer(&s);
	if (CHECK(state_plane(&s, &p)))
		for (size_t i = 0; i < p.n; i++)
			if (p.x[i])
				s.answers.geometry->mean[i] = 50;
	plane_clear(&p);
	s.view.plot.zoom = ZOOM_REGION;
	CHECK(screen_says(&s, "99                      100                     101")); /* not up to 12 480 */
	s.view.plot.zoom = ZOOM_AUTO;
	CHECK(screen_says(&s, "execs200") && screen_says(&s, "page faults handled for any task"));
	stage_close(&s);
}

/* Noise: the pair that shows the refutation best, another one, both zooms, the boxes. */
static void
noisy_geometry(void)
{
	struct state s;

	stage_open(&s, "haswell-mmu", NULL, "walks.csv", false);
	stage_compute(&s);
	state_act(&s, ACTION_geometry);
	stage_compare(&s, "geometry-looking", 80, 24, false);
	stage_answer(&s);
	stage_every_size(&s, "walks-geometry");
	stage_compare(&s, "walks-geometry", 120, 40, true);
	state_act(&s, ACTION_boxes);
	stage_compare(&s, "walks-boxes", 80, 24, false);
	stage_show(&s, 120, 40);
	state_act(&s, ACTION_zoom);
	stage_compare(&s, "walks-zoomed", 120, 40, false);
	stage_press(&s, ACTION_axis_right, 2);
	stage_compare(&s, "walks-other-pair", 80, 24, false);
	state_act(&s, ACTION_help);
	stage_compare(&s, "geometry-help", 80, 24, false);
	stage_close(&s);
}

/* Exact totals: a point, and a violation that no pair shows. */
static void
geometry_of_exact_totals(void)
{
	struct state s;

	stage_open(&s, "linux-page-faults", NULL, "programs.csv", true);
	stage_compute(&s);
	state_act(&s, ACTION_geometry);
	stage_answer(&s);
	stage_every_size(&s, "geometry");
	stage_compare(&s, "geometry", 120, 40, true);
	state_act(&s, ACTION_constraints);
	stage_press(&s, ACTION_down, 3);
	state_act(&s, ACTION_show);
	stage_answer(&s);
	stage_compare(&s, "geometry-of-constraint", 80, 24, false);
	stage_close(&s);
}

/* An empty pane says why. */
static void
geometry_of_nothing(void)
{
	struct state s;

	stage_open(&s, "haswell-mmu", NULL, NULL, false);
	state_act(&s, ACTION_geometry);
	stage_compare(&s, "geometry-no-cone", 80, 24, false);
	stage_compute(&s);
	stage_answer(&s);
	stage_compare(&s, "geometry-no-data", 80, 24, false);
	stage_close(&s);
}

TEST_MAIN(CASE(noisy_geometry), CASE(what_observations_share), CASE(no_flat_picture),
	CASE(what_is_violated_and_its_repair),
	CASE(letters_beside_counters), CASE(geometry_of_exact_totals),
	CASE(geometry_of_nothing), CASE(constraints_of_exact_totals), CASE(noisy_constraints), CASE(a_leak),
	CASE(nothing_is_infeasible), CASE(observations), CASE(noisy_observations), CASE(the_growing_observation),
	CASE(without_data), CASE(roles_of_rows), CASE(a_doubt_about_an_observation), CASE(holm_beside),
	CASE(clicks_and_scrolling))
