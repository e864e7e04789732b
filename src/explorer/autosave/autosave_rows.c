/* Verdicts and notes as rows. They are added to those in the file one by one; the table is never rewritten as a whole.
 */
#include "explorer/autosave/autosave.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "collect/store/session_table.h"
#include "core/udd/model.h"
#include "explorer/state/state.h"

bool
autosave_remarks_read(struct session_file *f, struct state *s, struct err *e)
{
	struct session_table table;

	if (!session_table_read(f, SESSION_TABLE_REMARK, &table, e))
		return false;
	for (size_t i = 0; i < table.n_rows; i++) {
		enum remark_on on = remark_on_of(session_table_cell(&table, i, 1));

		/* A newer hecate may know further subjects: these notes stay in the file and are not shown. */
		if (on != REMARK_KINDS)
			remarks_take(&s->question.remarks, session_table_cell(&table, i, 0), on,
				session_table_cell(&table, i, 2), session_table_cell(&table, i, 3),
				session_table_cell(&table, i, 4));
	}
	session_table_clear(&table);
	return true;
}

static void
autosave_rows_add_verdict(const struct state *s, const struct finding *f, const char *model, const char *features,
	struct session_table *out)
{
	char *confidence = str_format("%.15g", s->question.how.confidence), *number[3] = {0};
	const double value[3] = {f->measure.distance2, f->measure.threshold2, f->measure.p};
	const struct constraint *worst = f->proof.n_violated ? f->proof.violated
		: f->proof.n_certificates                    ? f->proof.certificate
							     : NULL;
	const char *cell[12];

	for (int i = 0; i < 3; i++)
		number[i] = isfinite(value[i]) ? str_format("%.15g", value[i]) : NULL;
	memcpy(cell,
		((const char *[12]){model, features, f->name, confidence,
			region_name((enum region_kind)s->question.how.decides), verdict_name(f->own.verdict),
			verdict_name(f->own.family_wise), number[0], number[1], number[2], worst ? worst->text : NULL,
			f->reason}),
		sizeof cell);
	session_table_add(out, cell);
	for (int i = 0; i < 3; i++)
		free(number[i]);
	free(confidence);
}

bool
autosave_verdicts_write(struct session_file *f, int64_t model_number, const struct state *s, struct err *e)
{
	struct session_table table = {.n_columns = session_table_columns(SESSION_TABLE_VERDICT)};
	struct str features = {0};
	char *model = str_format("%" PRId64, model_number);
	bool good;

	features_json(s->question.model, &s->answers.result->on, &features);
	for (size_t i = 0; i < s->answers.result->n_findings; i++)
		autosave_rows_add_verdict(s, &s->answers.result->finding[i], model, str_text(&features), &table);
	good = session_table_write(f, SESSION_TABLE_VERDICT, &table, false, e);
	session_table_clear(&table);
	str_free(&features);
	free(model);
	return good;
}

bool
autosave_remarks_write(struct session_file *f, const struct state *s, struct err *e)
{
	struct session_table table = {.n_columns = session_table_columns(SESSION_TABLE_REMARK)};
	bool good = true;

	for (size_t i = 0; i < s->question.remarks.n; i++) {
		const struct remark *r = &s->question.remarks.remark[i];
		const char *cell[5] = {r->id, remark_on_name(r->on), r->what, r->text, r->written};

		if (r->unsaved)
			session_table_add(&table, cell);
	}
	for (size_t i = 0; i < s->question.remarks.n_gone && good; i++)
		good = session_table_drop(f, SESSION_TABLE_REMARK, s->question.remarks.gone[i], e);
	good = good && session_table_write(f, SESSION_TABLE_REMARK, &table, false, e);
	session_table_clear(&table);
	return good;
}
