/* Every view with empty, replayed, live and foreign data, at three sizes, in Unicode and ASCII: what holds of each
 * drawing. The goldens of the other files show what is in them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "draw/cell.h"
#include "draw/theme.h"
#include "draw/view/view.h"
#include "explorer/state/state_reason.h"
#include "explorer/state/state_timeline.h"
#include "explorer/state/state_views.h"
#include "stage.h"
#include "stub_run.h"
#include "test.h"

enum kind { EMPTY, REPLAYED, LIVE, FOREIGN, DATA_KINDS };
static const char *const data_name[DATA_KINDS] = {"empty", "replayed", "live", "of another machine"};

#define FOREIGN_DATA "screens/expect/slots.csv"

/* What can be opened, and its data. */
static const struct scene {
	const char *name, *model, *net, *stack, *data;
} scenes[] = {
	{"a model", "linux-page-faults", NULL, NULL, "programs.csv"},
	{"a model of hardware", "haswell-mmu", NULL, NULL, "walks.csv"},
	{"a network", NULL, "spr-cxl", NULL, "screens/expect/fotonik.csv"},
	{"a stack of counters", NULL, NULL, "topdown-l1-spr", "screens/expect/phased.csv"},
	{"a stack of tasks", NULL, NULL, "stall-sources", "screens/expect/tasks.csv"},
};

static void
some_seconds(const struct run *run, struct run_facts *facts)
{
	(void)run;
	facts->seconds = 12.3;
	facts->label = "make";
}

static void
matrix_open(struct state *s, const struct scene *scene, enum kind data, struct run_ops *ops, struct stub_run *run)
{
	const char *const file[] = {data == EMPTY ? NULL : data == FOREIGN ? FOREIGN_DATA : scene->data, NULL};

	if (scene->model) {
		stage_open(s, scene->model, NULL, data == FOREIGN ? "slots.csv" : file[0],
			data != FOREIGN && str_eq(scene->model, "linux-page-faults"));
		stage_compute(s);
	} else {
		stage_open_timeline(s, scene->net, scene->stack, file);
	}
	if (data != LIVE)
		return;
	*ops = stub_run_ops;
	ops->shown = true;
	ops->facts = some_seconds;
	stub_run_begin(run);
	run->run.ops = ops;
	run->run.running = true;
	s->question.subject.argv = str_split("make", ',', NULL);
	state_add_run(s, &run->run);
	state_set_leader(s, &run->run);
}

static char *
drawing(struct state *s, int w, int h, bool ascii, size_t *beyond)
{
	struct grid *g = grid_new(w, h, ascii);
	static struct drawn drawn;
	char *text;

	stage_look(s, g, &drawn);
	text = stage_text(g);
	for (int i = 0; i < w * h; i++)
		*beyond += g->cell[i].fg >= ROLE_COUNT || (ascii && (g->cell[i].cp < ' ' || g->cell[i].cp > '~'));
	grid_free(g);
	return text;
}

static void
every_view(void)
{
	static const int size[][2] = {{80, 24}, {120, 40}, {200, 60}};
	size_t drawings = 0, views[DATA_KINDS] = {0};

	for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++)
		for (int d = 0; d < DATA_KINDS; d++) {
			struct run_ops ops;
			struct stub_run run;
			struct state s;

			matrix_open(&s, &scenes[i], (enum kind)d, &ops, &run);
			for (enum view v = VIEW_START + 1; v < VIEW_COUNT; v++) {
				if (view_reason(&s, v))
					continue;
				stage_show(&s, 120, 40);
				state_show_view(&s, v);
				stage_answer(&s);
				views[d]++;
				for (size_t k = 0; k < 6; k++) {
					bool ascii = k % 2;
					int w = size[k / 2][0], h = size[k / 2][1];
					size_t beyond = 0;
					char *text = drawing(&s, w, h, ascii, &beyond),
					     *again = drawing(&s, w, h, ascii, &beyond);

					test_label("%s, %s, view %s, %dx%d%s", scenes[i].name, data_name[d],
						view_row(v)->name, w, h, ascii ? ", ASCII" : "");
					drawings++;
					CHECK_INT(beyond, 0);
					CHECK_STR(text, again);
					CHECK(strstr(text, "? help") && strstr(text, "\nroles\n"));
					CHECK(strstr(text, view_row(v)->key));
					CHECK((strstr(text, "Esc stops") != NULL) == (d == LIVE));
					free(text);
					free(again);
				}
			}
			stage_close(&s);
		}
	printf("# %zu drawings: %zu, %zu, %zu and %zu views with data that are empty, replayed, live, foreign\n",
		drawings, views[EMPTY], views[REPLAYED], views[LIVE], views[FOREIGN]);
	for (int d = 0; d < DATA_KINDS; d++)
		CHECK(views[d] >= 20);
}

/* Without colour the four verdicts differ in their attributes. */
static void
verdicts_without_colour(void)
{
	struct theme t;

	theme_default(&t);
	for (int a = ROLE_FEASIBLE; a <= ROLE_UNDECIDED; a++)
		for (int b = ROLE_FEASIBLE; b < a; b++)
			CHECK(t.role[a].mono_attr != t.role[b].mono_attr);
}

TEST_MAIN(CASE(every_view), CASE(verdicts_without_colour))
