#include "draw/report_files.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "core/udd/diagram.h"
#include "core/udd/model.h"
#include "draw/dag_svg.h"
#include "draw/graph_svg.h"
#include "draw/view/view.h"
#include "explorer/report/report_diff.h"
#include "explorer/state/state.h"
#include "text/diag.h"
#include "work/analysis/result.h"

#define PICTURE_COLUMNS 160 /* size of a view's picture */
#define PICTURE_ROWS 48

void
report_files_model(const struct report *r, const struct theme *theme, struct str *out, struct err *e)
{
	struct diags d = {0};
	struct udd_diagram *g = udd_expand(r->model, &r->result->on, &d);

	if (g)
		dag_svg(g, theme, out, e);
	else
		err_set(e, "these features make no diagram");
	udd_diagram_free(g);
	diags_free(&d);
}

/* Names of pictures are used in links: only letters, digits and a few signs. */
static char *
file_name(const char *name, const char *ending)
{
	return str_format("%s%s", name, ending);
}

void
report_files_make(struct report_files *files, struct report *report, const struct theme *theme, const char *name)
{
	struct err e = {0};

	*files = (struct report_files){0};
	report_files_model(report, theme, &files->text[REPORT_MODEL], &e);
	if (files->text[REPORT_MODEL].n)
		report->model_picture = files->name[REPORT_MODEL] = file_name(name, "-model.svg");
	else
		report->no_model_picture = e.what;
	if (report->graph) {
		graph_svg(report->graph, report->model, theme, &files->text[REPORT_SEARCH]);
		report->search_picture = files->name[REPORT_SEARCH] = file_name(name, "-search.svg");
	}
	files->name[REPORT_TEXT] = file_name(name, ".md");
	report_markdown(report, &files->text[REPORT_TEXT]);
	report->model_picture = report->search_picture = report->no_model_picture = NULL; /* the files own them now */
}

/* True if nothing but rules between panes is in the row. */
static bool
is_blank(struct grid *grid, int y)
{
	for (int x = 0; x < grid->w; x++) {
		uint32_t cp = grid_at(grid, x, y)->cp;

		if (cp != ' ' && cp != 0x2502)
			return false;
	}
	return true;
}

/* Moves up the rows that a picture needs: not the tabs, not the keys, and of blank rows one. */
static void
keep_still(struct grid *grid)
{
	int rows = 0;

	for (int y = 0; y < grid->h - 1; y++) {
		if (y == 1 || (is_blank(grid, y) && (rows == 0 || is_blank(grid, rows - 1))))
			continue;
		memmove(grid_at(grid, 0, rows), grid_at(grid, 0, y), (size_t)grid->w * sizeof *grid->cell);
		rows++;
	}
	grid->h = rows;
}

void
report_files_view(const struct state *state, enum view view, enum pane_id pane, bool still, const struct theme *theme,
	struct str *out)
{
	struct state copy = *state; /* a shallow copy, which is only read */
	struct grid *grid = grid_new(PICTURE_COLUMNS, PICTURE_ROWS, false);
	struct drawn drawn;

	copy.view.current = view;
	copy.view.focus = pane;
	copy.view.popup.kind = POPUP_NONE;
	copy.view.message.text[0] = '\0';
	copy.layout = &layout_initial;
	draw_screen(&copy, grid, &drawn);
	if (still)
		keep_still(grid);
	grid_svg(grid, theme, out);
	grid_free(grid);
}

void
report_files_make_timeline(struct report_files *files, struct timeline_report *report, const struct theme *theme,
	const char *name)
{
	static const struct {
		enum report_file file;
		enum report_picture_kind picture;
		enum view view;
		enum pane_id pane;
		const char *ending;
		bool network;
	} row[] = {
		{REPORT_PATHS, PICTURE_PATHS, VIEW_PATHS, PANE_NETWORK, "-paths.svg", true},
		{REPORT_STALLS, PICTURE_STALLS, VIEW_STALLS, PANE_BARS, "-stalls.svg", false},
		{REPORT_QUEUES, PICTURE_QUEUES, VIEW_QUEUES, PANE_QUEUES, "-queues.svg", true},
	};

	*files = (struct report_files){0};
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		if (row[i].network && !report->session->answers.timeline.analysis)
			continue;
		report_files_view(report->session, row[i].view, row[i].pane, false, theme, &files->text[row[i].file]);
		report->picture[row[i].picture] = files->name[row[i].file] = file_name(name, row[i].ending);
	}
	files->name[REPORT_TEXT] = file_name(name, ".md");
	timeline_report_markdown(report, &files->text[REPORT_TEXT]);
	memset(report->picture, 0, sizeof report->picture); /* the files own them now */
}

void
report_files_make_diff(
	struct report_files *files, const struct timeline_report *report, const struct theme *theme, const char *name)
{
	files->name[REPORT_TEXT] = file_name(name, ".md");
	files->name[REPORT_DIFF] = file_name(name, "-difference.svg");
	report_files_view(report->session, VIEW_DIFF, PANE_QUANTITIES, true, theme, &files->text[REPORT_DIFF]);
	diff_report_markdown(report, files->name[REPORT_DIFF], &files->text[REPORT_TEXT]);
}

void
report_files_free(struct report_files *f)
{
	for (int i = 0; i < REPORT_FILES; i++) {
		free(f->name[i]);
		str_free(&f->text[i]);
	}
}
