/* The pictures of the documents: screens written as SVG, as the explorer does on `w`. Each is compared with its file in
 * docs/pictures. HECATE_UPDATE=1 (tools/make-pictures) writes the files instead: look at them before you commit
 * them. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "draw/cell.h"
#include "draw/interval_diagram.h"
#include "draw/theme.h"
#include "draw/view/view.h"
#include "explorer/state/state.h"
#include "stage.h"
#include "test.h"
#include "ui/themes.h"
#include "work/files/files.h"
#include "work/files/intervals.h"
#include "work/files/simulation.h"

static void
compare_svg(const struct str *svg, const char *name)
{
	char *path = str_format("../docs/pictures/%s.svg", name);

	test_label("%s", path);
	if (getenv("HECATE_UPDATE")) {
		char *full = str_format("%s/%s", getenv("HECATE_TESTS"), path);
		FILE *f = fopen(full, "w");

		CHECK(f && fputs(str_text(svg), f) >= 0);
		if (f)
			fclose(f);
		free(full);
	} else {
		char *want = test_read(path, NULL);

		CHECK(want && str_eq(want, str_text(svg)));
		free(want);
	}
	free(path);
}

static void
compare_grid(const struct grid *g, const char *name)
{
	struct str svg = {0};
	struct theme theme;

	theme_default(&theme);
	grid_svg(g, &theme, &svg);
	compare_svg(&svg, name);
	str_free(&svg);
}

static void
compare_picture(const struct state *s, const char *name, int w, int h)
{
	struct grid *g = grid_new(w, h, false);
	struct drawn drawn;

	draw_screen(s, g, &drawn);
	compare_grid(g, name);
	grid_free(g);
}

/* README.md: the page-fault model against eight recorded programs; five of them refute it. */
static void
a_refuted_model(void)
{
	struct state s;

	stage_open(&s, "linux-page-faults", NULL, "../../../models/demo/page-faults.csv", true);
	stage_compute(&s);
	stage_answer(&s);
	compare_picture(&s, "models", 120, 40);
	stage_close(&s);
}

#define THEME_COLUMNS 3
#define THEME_W 648 /* of a picture of 72 by 20 cells, in pixels */
#define THEME_H 380
#define CAPTION 26
#define GAP 12

/* README.md: the same screen in each installed theme, with the theme's name above. */
static void
all_themes(void)
{
	struct state s;
	struct str svg = {0};
	struct grid *g = grid_new(72, 20, false);
	struct drawn drawn;
	char **name = file_names("themes", ".theme");
	int n = 0, w, h;

	while (name[n])
		n++;
	CHECK(n >= 10);
	stage_open(&s, "linux-page-faults", NULL, "../../../models/demo/page-faults.csv", true);
	free(s.data.name);
	s.data.name = mem_str("page-faults.csv");
	stage_compute(&s);
	stage_answer(&s);
	draw_screen(&s, g, &drawn);
	w = THEME_COLUMNS * (THEME_W + GAP) - GAP;
	h = (n + THEME_COLUMNS - 1) / THEME_COLUMNS * (CAPTION + THEME_H + GAP) - GAP;
	str_addf(&svg, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
		"viewBox=\"0 0 %d %d\">\n", w, h, w, h);
	for (int i = 0; i < n; i++) {
		int x = i % THEME_COLUMNS * (THEME_W + GAP), y = i / THEME_COLUMNS * (CAPTION + THEME_H + GAP);
		struct theme theme;
		struct str one = {0};
		struct err e = {0};

		test_label("%s", name[i]);
		if (!CHECK(themes_load(name[i], &theme, &e)))
			continue;
		grid_svg(g, &theme, &one);
		CHECK(str_starts(str_text(&one), "<svg "));
		str_addf(&svg, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#%06x\"/>\n", x, y, THEME_W,
			CAPTION, theme.role[ROLE_BACKGROUND].rgb);
		str_addf(&svg, "<text x=\"%d\" y=\"%d\" fill=\"#%06x\" font-family=\"sans-serif\" font-size=\"18\" "
			"font-weight=\"bold\">%s</text>\n", x + 9, y + 19, theme.role[ROLE_TEXT].rgb, name[i]);
		str_addf(&svg, "<svg x=\"%d\" y=\"%d\" %s", x, y + CAPTION, str_text(&one) + 5);
		str_free(&one);
	}
	str_add(&svg, "</svg>\n");
	compare_svg(&svg, "themes");
	str_split_free(name);
	str_free(&svg);
	grid_free(g);
	stage_close(&s);
}

/* docs/cpi-stacks.md: what the core does around each kind of event, as hecate sim --intervals -o FILE.svg draws it. */
static void
interval_diagrams(void)
{
	struct simulation how;
	struct err e = {0};
	bool good = simulation_load("core", NULL, &how, &e);

	CHECK(good);
	for (size_t i = 0; good && interval_lesson(i); i++) {
		struct interval *v = interval_new(&how, interval_lesson(i), &e);
		struct grid *g = grid_new(104, INTERVAL_DIAGRAM_ROWS + 2, false);

		CHECK(v != NULL);
		if (v) {
			interval_diagram_draw(v, g, (struct rect){2, 1, 100, INTERVAL_DIAGRAM_ROWS});
			compare_grid(g, v->lesson);
		}
		interval_free(v);
		grid_free(g);
	}
	simulation_free(&how);
}

/* docs/concepts.md: a region beyond the cone of two counters, and one inside of it. */
static void
a_cone_and_its_regions(void)
{
	struct state s;

	CHECK(chdir(getenv("HECATE_TESTS")) == 0);
	stage_open(&s, "../docs/pictures/loads.udd", NULL, "../../../docs/pictures/loads.csv", false);
	free(s.data.name);
	s.data.name = mem_str("loads.csv");
	stage_compute(&s);
	state_act(&s, ACTION_geometry);
	stage_answer(&s);
	s.view.plot.zoom = ZOOM_REGION;
	stage_show(&s, 80, 24);
	stage_answer(&s);
	compare_picture(&s, "loads-region", 80, 24);
	state_act(&s, ACTION_observe_next);
	stage_answer(&s);
	stage_show(&s, 80, 24);
	compare_picture(&s, "loads-cone", 80, 24);
	stage_close(&s);
}

TEST_MAIN(CASE(a_refuted_model), CASE(all_themes), CASE(a_cone_and_its_regions), CASE(interval_diagrams))
