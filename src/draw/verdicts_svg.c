#include "draw/report_drawings.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"
#include "draw/svg.h"
#include "draw/theme.h"
#include "work/analysis/result.h"

#define ROWS_MOST 60
#define ROW_H 18.0
#define TOP 34.0
#define NAME_W 310.0
#define PLOT_W 360.0
#define TEXT_W 340.0
#define NAME_COLUMNS 39
#define TEXT_COLUMNS 45

struct verdicts_row {
	const struct finding *finding;
	const struct constraint *c; /* NULL: not judged */
	double at, reach;           /* shares of the counts; below 0: broken */
};

static const enum role verdict_role[] = {
	[VERDICT_FEASIBLE] = ROLE_FEASIBLE, [VERDICT_INFEASIBLE] = ROLE_INFEASIBLE,
	[VERDICT_BORDERLINE] = ROLE_BORDERLINE, [VERDICT_UNDECIDED] = ROLE_UNDECIDED,
};
static const char *const verdict_sign[] = {
	[VERDICT_FEASIBLE] = "✓", [VERDICT_INFEASIBLE] = "✗", [VERDICT_BORDERLINE] = "≈", [VERDICT_UNDECIDED] = "?",
};

/* The constraint that is broken most, or else kept most narrowly. */
static struct verdicts_row
verdicts_row_of(const struct result *result, const struct finding *finding)
{
	struct verdicts_row row = {.finding = finding, .at = NAN};

	for (size_t i = 0; i < finding->n_slacks && i < result->n_constraints; i++) {
		const struct constraint_slack *slack = &finding->slack[i];
		bool equality = result->constraint[i].equality;
		double at = (equality ? -fabs(slack->at) : slack->at) / slack->size, reach = slack->reach / slack->size;

		/* that counts are not negative says nothing of the model */
		if (!isfinite(at) || at + reach >= row.at + row.reach ||
			(at >= 0 && constraint_counters(&result->constraint[i]) < 2))
			continue;
		row = (struct verdicts_row){finding, &result->constraint[i], at, isfinite(reach) ? reach : 0};
	}
	if (!(row.at + row.reach < 0) && finding->proof.n_certificates && finding->proof.certificate->margin > 0)
		row = (struct verdicts_row){
			finding, finding->proof.certificate, -finding->proof.certificate->margin, 0};
	return row;
}

/* Refuted ones come first, each kind by the end of its region that is nearest to what is allowed. */
static int
worse_first(const void *a, const void *b)
{
	const struct verdicts_row *x = a, *y = b;

	if (!x->c != !y->c)
		return !x->c - !y->c;
	if ((x->finding->verdict == VERDICT_INFEASIBLE) != (y->finding->verdict == VERDICT_INFEASIBLE))
		return x->finding->verdict == VERDICT_INFEASIBLE ? -1 : 1;
	if (x->c && x->at + x->reach != y->at + y->reach)
		return x->at + x->reach < y->at + y->reach ? -1 : 1;
	return (x->finding > y->finding) - (x->finding < y->finding);
}

/* The shares at the left and the right end. Extremes are cut off, so that small shares remain visible. */
static void
verdicts_ends(const struct verdicts_row *row, size_t n, double *least, double *most)
{
	*least = -0.01;
	*most = 0.01;
	for (size_t i = 0; i < n; i++)
		if (row[i].c) {
			*least = fmin(*least, row[i].at - row[i].reach);
			*most = fmax(*most, row[i].at + row[i].reach);
		}
	*least = fmax(*least, -1) * 1.05;
	*most = fmin(fmin(*most, 1), fmax(0.05, -*least)) * 1.05;
}

struct verdicts_scale {
	double least, most;
};

static double
verdicts_x(const struct verdicts_scale *scale, double share)
{
	double t = (share - scale->least) / (scale->most - scale->least);

	return NAME_W + PLOT_W * (t < 0 ? 0 : t > 1 ? 1 : t);
}

static void
verdicts_draw_row(const struct verdicts_row *row, double y, const struct verdicts_scale *scale,
	const struct theme *theme, struct str *out)
{
	enum verdict_kind kind = row->finding->verdict;
	unsigned color = svg_color(theme, verdict_role[kind]);
	char *name = svg_fit(row->finding->name, NAME_COLUMNS),
	     *text = svg_fit(row->c ? row->c->text : row->finding->reason ? row->finding->reason : "", TEXT_COLUMNS);
	double x = row->c ? verdicts_x(scale, row->at) : 0;

	svg_text(out, 0, y + 4, svg_color(theme, ROLE_TEXT), "", name);
	svg_text(out, NAME_W - 16, y + 4, color, " font-weight=\"bold\"", verdict_sign[kind]);
	svg_text(out, NAME_W + PLOT_W + 12, y + 4, svg_color(theme, ROLE_DIM), "", text);
	if (row->c && row->reach > 0)
		str_addf(out, "<path d=\"M%.1f %.1fV%.1fM%.1f %.1fH%.1fM%.1f %.1fV%.1f\" stroke=\"#%06x\" "
			"stroke-width=\"1.4\" fill=\"none\"/>\n",
			verdicts_x(scale, row->at - row->reach), y - 4, y + 4,
			verdicts_x(scale, row->at - row->reach), y, verdicts_x(scale, row->at + row->reach),
			verdicts_x(scale, row->at + row->reach), y - 4, y + 4, color);
	if (row->c)
		svg_dot(out, x, y, 4.5, color);
	free(name);
	free(text);
}

static void
verdicts_axis(const struct verdicts_scale *scale, double bottom, const struct theme *theme, struct str *out)
{
	double step = svg_step(scale->most - scale->least, 8);
	unsigned dim = svg_color(theme, ROLE_DIM);

	for (double at = ceil(scale->least / step) * step; at <= scale->most; at += step) {
		bool zero = fabs(at) < step / 2;
		char *text = zero ? mem_str("0") : str_format("%s%.3g %%", at < 0 ? "−" : "+", fabs(at) * 100);

		str_addf(out, "<path d=\"M%.1f %.1fV%.1f\" stroke=\"#%06x\" stroke-width=\"%s\"/>\n",
			verdicts_x(scale, at), TOP - 8, bottom, svg_color(theme, zero ? ROLE_TEXT : ROLE_FRAME),
			zero ? "1.4" : "0.7");
		svg_text(out, verdicts_x(scale, at), bottom + 16, dim, " text-anchor=\"middle\"", text);
		free(text);
	}
	svg_text(out, verdicts_x(scale, 0) - 8, TOP - 14, dim, " text-anchor=\"end\"", "← broken");
	svg_text(out, verdicts_x(scale, 0) + 8, TOP - 14, dim, "", "kept →");
}

void
verdicts_svg(const struct result *result, const struct theme *theme, struct str *out)
{
	struct verdicts_row *row = mem_new_array(result->n_findings, sizeof *row);
	size_t n = result->n_findings, shown = n < ROWS_MOST ? n : ROWS_MOST, judged = 0;
	struct verdicts_scale scale;
	double bottom = TOP + ROW_H * (double)shown;
	char *text;

	for (size_t i = 0; i < n; i++) {
		row[i] = verdicts_row_of(result, &result->finding[i]);
		judged += row[i].c != NULL;
	}
	if (judged) {
		qsort(row, n, sizeof *row, worse_first);
		verdicts_ends(row, n, &scale.least, &scale.most);
		text = str_format("%zu observations: distances from the constraint that each breaks or keeps most "
			"narrowly", n);
		svg_begin(out, NAME_W + PLOT_W + TEXT_W + 40, bottom + (n > shown ? 62 : 44), theme, text);
		free(text);
		str_add(out, "<g " SVG_FONT " font-size=\"12\" transform=\"translate(20 14)\">\n");
		verdicts_axis(&scale, bottom - ROW_H / 2, theme, out);
		for (size_t i = 0; i < shown; i++)
			verdicts_draw_row(&row[i], TOP + ROW_H * (double)i, &scale, theme, out);
		if (n > shown) {
			text = str_format("and %zu more, which are further inside", n - shown);
			svg_text(out, 0, bottom + 24, svg_color(theme, ROLE_DIM), "", text);
			free(text);
		}
		str_add(out, "</g>\n");
		svg_end(out);
	}
	free(row);
}
