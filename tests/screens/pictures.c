/* The pictures of the documents: screens written as SVG, as the explorer does on `w`. Each is compared with its file in
 * docs/pictures. HECATE_UPDATE=1 (tools/make-pictures) writes the files instead: look at them before you commit
 * them. */
#include <stdio.h>
#include <stdlib.h>

#include "app/state/state.h"
#include "base/mem.h"
#include "base/str.h"
#include "draw/cell.h"
#include "draw/theme.h"
#include "draw/view/view.h"
#include "stage.h"
#include "test.h"

static void
compare_picture(const struct state *s, const char *name, int w, int h)
{
	struct grid *g = grid_new(w, h, false);
	struct str svg = {0};
	struct drawn drawn;
	struct theme theme;
	char *path = str_format("../docs/pictures/%s.svg", name);

	theme_default(&theme);
	draw_screen(s, g, &drawn);
	grid_svg(g, &theme, &svg);
	test_label("%s", path);
	if (getenv("HECATE_UPDATE")) {
		char *full = str_format("%s/%s", getenv("HECATE_TESTS"), path);
		FILE *f = fopen(full, "w");

		CHECK(f && fputs(str_text(&svg), f) >= 0);
		if (f)
			fclose(f);
		free(full);
	} else {
		char *want = test_read(path, NULL);

		CHECK(want && str_eq(want, str_text(&svg)));
		free(want);
	}
	free(path);
	str_free(&svg);
	grid_free(g);
}

/* README.md: the page-fault model against eight recorded programs; five of them refute it. */
static void
a_refuted_model(void)
{
	struct state s;

	stage_open(&s, "linux-page-faults", NULL, "programs.csv", true);
	stage_compute(&s);
	stage_answer(&s);
	compare_picture(&s, "models", 120, 40);
	stage_close(&s);
}

TEST_MAIN(CASE(a_refuted_model))
