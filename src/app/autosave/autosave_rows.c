/* Verdicts and notes as rows. They are added to those in the file one by one; the table is never rewritten as a whole.
 */
#include "app/autosave/autosave.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/state/state.h"
#include "base/str.h"
#include "collect/store/session_sheet.h"
#include "core/udd/model.h"

bool
autosave_remarks_read(struct session_file *f, struct state *s, struct err *e)
{
	struct sheet sheet;

	if (!session_sheet_read(f, SHEET_REMARK, &sheet, e))
		return false;
	for (size_t i = 0; i < sheet.n_rows; i++) {
		enum remark_on on = remark_on_of(sheet_cell(&sheet, i, 1));

		/* A newer hecate may know further subjects: these notes stay in the file and are not shown. */
		if (on != REMARK_KINDS)
			remarks_take(&s->question.remarks, sheet_cell(&sheet, i, 0), on, sheet_cell(&sheet, i, 2),
				sheet_cell(&sheet, i, 3), sheet_cell(&sheet, i, 4));
	}
	sheet_clear(&sheet);
	return true;
}

static void
add_verdict(
	const struct state *s, const struct finding *f, const char *model, const char *features, struct sheet *out)
{
	char *confidence = str_format("%.15g", s->question.how.confidence), *number[3] = {0};
	const double value[3] = {f->measure.distance2, f->measure.threshold2, f->measure.p};
	const struct constraint *worst = f->n_violated ? f->violated : f->n_certificates ? f->certificate : NULL;
	const char *cell[12];

	for (int i = 0; i < 3; i++)
		number[i] = isfinite(value[i]) ? str_format("%.15g", value[i]) : NULL;
	memcpy(cell,
		((const char *[12]){model, features, f->name, confidence,
			region_name((enum region_kind)s->question.how.decides), verdict_name(f->verdict),
			verdict_name(f->family_wise), number[0], number[1], number[2], worst ? worst->text : NULL,
			f->reason}),
		sizeof cell);
	sheet_add(out, cell);
	for (int i = 0; i < 3; i++)
		free(number[i]);
	free(confidence);
}

bool
autosave_verdicts_write(struct session_file *f, int64_t model_number, const struct state *s, struct err *e)
{
	struct sheet sheet = {.n_columns = session_sheet_columns(SHEET_VERDICT)};
	struct str features = {0};
	char *model = str_format("%" PRId64, model_number);
	bool good;

	features_json(s->question.model, &s->answers.result->on, &features);
	for (size_t i = 0; i < s->answers.result->n_findings; i++)
		add_verdict(s, &s->answers.result->finding[i], model, str_text(&features), &sheet);
	good = session_sheet_write(f, SHEET_VERDICT, &sheet, false, e);
	sheet_clear(&sheet);
	str_free(&features);
	free(model);
	return good;
}

bool
autosave_remarks_write(struct session_file *f, const struct state *s, struct err *e)
{
	struct sheet sheet = {.n_columns = session_sheet_columns(SHEET_REMARK)};
	bool good = true;

	for (size_t i = 0; i < s->question.remarks.n; i++) {
		const struct remark *r = &s->question.remarks.remark[i];
		const char *cell[5] = {r->id, remark_on_name(r->on), r->what, r->text, r->written};

		if (r->unsaved)
			sheet_add(&sheet, cell);
	}
	for (size_t i = 0; i < s->question.remarks.n_gone && good; i++)
		good = session_sheet_drop(f, SHEET_REMARK, s->question.remarks.gone[i], e);
	good = good && session_sheet_write(f, SHEET_REMARK, &sheet, false, e);
	sheet_clear(&sheet);
	return good;
}
