/* Drawings are made in a theme whose colours are numbers of roles. Then each becomes a CSS variable, so that one
 * drawing is right in light and in dark. */
#include "draw/report_files.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/network/queues.h"
#include "core/network/stall_rows.h"
#include "draw/graph_svg.h"
#include "draw/report_drawings.h"
#include "draw/theme.h"
#include "explorer/report/report_diff.h"
#include "explorer/report/report_html.h"
#include "explorer/state/state.h"
#include "work/probe/probe_book.h"
#include "work/timeline/timeline.h"

#define MARK 0x0d0e00 /* plus a role: a colour that stands for it */
#define CURVES_MOST 12
#define MARK_TEXT "\"#0d0e"

static struct theme
theme_of_marks(const struct theme *like)
{
	struct theme marks = *like;

	marks.mono = false;
	for (unsigned i = 0; i < ROLE_COUNT; i++)
		marks.role[i].rgb = MARK + i;
	return marks;
}

/* In text every quote is an entity, so that only attributes can hold a mark. */
static void
name_colors(struct str *svg)
{
	struct str out = {0};
	const char *from = str_text(svg), *at;

	while ((at = strstr(from, MARK_TEXT))) {
		unsigned long role = strtoul(at + strlen(MARK_TEXT), NULL, 16);

		str_addn(&out, from, (size_t)(at - from));
		str_addf(&out, "\"var(--%s)\"", role < ROLE_COUNT ? theme_role_name((enum role)role) : "text");
		from = at + strlen(MARK_TEXT) + 3;
	}
	str_add(&out, from);
	str_free(svg);
	*svg = out;
}

static void
add_colors(const struct theme *theme, const char *scheme, struct str *out)
{
	str_addf(out, "@media %s{:root{", scheme);
	for (unsigned i = 0; i < ROLE_COUNT; i++)
		str_addf(out, "--%s:#%06x;", theme_role_name((enum role)i), (unsigned)theme->role[i].rgb);
	str_add(out, "}}\n");
}

static void
finish(struct report_drawings *drawings, const struct theme *light, const struct theme *dark)
{
	for (size_t i = 0; i < DRAWINGS; i++)
		if (drawings->svg[i].n)
			name_colors(&drawings->svg[i]);
	for (size_t i = 0; i < drawings->n_curves; i++)
		name_colors(&drawings->curve[i]);
	add_colors(light, "all", &drawings->colors);
	add_colors(dark, "screen and (prefers-color-scheme:dark)", &drawings->colors);
}

static void
drawings_free(struct report_drawings *drawings)
{
	for (size_t i = 0; i < drawings->n_curves; i++)
		str_free(&drawings->curve[i]);
	free(drawings->curve);
	for (size_t i = 0; i < DRAWINGS; i++) {
		str_free(&drawings->svg[i]);
		str_free(&drawings->lacks[i]);
	}
	str_free(&drawings->colors);
}

void
report_html_file(const struct report *report, const struct geometry *geometry, const struct theme *light,
	const struct theme *dark, struct str *out)
{
	struct report_drawings drawings = {0};
	struct theme marks = theme_of_marks(light);
	struct err e = {0};

	report_files_model(report, &marks, &drawings.svg[DRAWING_MODEL], &e);
	if (!drawings.svg[DRAWING_MODEL].n)
		str_add(&drawings.lacks[DRAWING_MODEL], e.what);
	if (report->graph)
		graph_svg(report->graph, report->model, &marks, &drawings.svg[DRAWING_SEARCH]);
	if (geometry)
		geometry_svg(report, geometry, &marks, &drawings.svg[DRAWING_GEOMETRY]);
	verdicts_svg(report->result, &marks, &drawings.svg[DRAWING_VERDICTS]);
	finish(&drawings, light, dark);
	report_html(report, &drawings, out);
	drawings_free(&drawings);
}

/* View 9 with each curve of the machine that it shows. */
static void
draw_curves(const struct state *state, const struct theme *marks, struct report_drawings *drawings)
{
	const struct probe_book *book = state->data.probes;
	struct state one = *state; /* a shallow copy, which is only read */

	drawings->curve = mem_new_array(CURVES_MOST, sizeof *drawings->curve);
	for (size_t i = 0; book && book->machine && i < book->n && drawings->n_curves < CURVES_MOST; i++) {
		if (!probe_book_curve(book, book->machine, book->entry[i].name))
			continue;
		one.view.probes.chosen = i;
		report_files_view(&one, VIEW_PROBES, PANE_CURVE, true, marks, &drawings->curve[drawings->n_curves++]);
	}
}

void
report_html_file_timeline(const struct timeline_report *report, const struct theme *light, const struct theme *dark,
	struct str *out)
{
	const struct state *state = report->session;
	const struct timeline_analysis *analysis = state->answers.timeline.analysis;
	bool watched = state->data.timeline != NULL;
	const struct {
		enum report_drawing drawing;
		enum view view;
		enum pane_id pane;
		bool shows;
	} row[] = {
		{DRAWING_PATHS, VIEW_PATHS, PANE_NETWORK, analysis != NULL},
		{DRAWING_QUEUES, VIEW_QUEUES, PANE_QUEUES, analysis && analysis->queues->known},
		{DRAWING_STALLS, VIEW_STALLS, PANE_BARS,
			watched && (state->answers.timeline.bars || (state->answers.timeline.rows &&
				state->answers.timeline.rows->own > 0))},
	};
	struct report_drawings drawings = {0};
	struct theme marks = theme_of_marks(light);

	for (size_t i = 0; i < sizeof row / sizeof *row; i++)
		if (row[i].shows)
			report_files_view(state, row[i].view, row[i].pane, true, &marks, &drawings.svg[row[i].drawing]);
	draw_curves(state, &marks, &drawings);
	finish(&drawings, light, dark);
	if (watched)
		timeline_report_html(report, &drawings, out);
	else
		curves_report_html(report, &drawings, out);
	drawings_free(&drawings);
}

void
report_html_file_diff(
	const struct timeline_report *report, const struct theme *light, const struct theme *dark, struct str *out)
{
	struct report_drawings drawings = {0};
	struct theme marks = theme_of_marks(light);

	report_files_view(report->session, VIEW_DIFF, PANE_QUANTITIES, true, &marks, &drawings.svg[DRAWING_DIFF]);
	finish(&drawings, light, dark);
	diff_report_html(report, &drawings, out);
	drawings_free(&drawings);
}
