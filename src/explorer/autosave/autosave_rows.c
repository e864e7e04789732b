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
autosave_remarks_read(struct session_file *file, struct state *state, struct err *e)
{
	struct session_table table;

	if (!session_table_read(file, SESSION_TABLE_REMARK, &table, e))
		return false;
	for (size_t i = 0; i < table.n_rows; i++) {
		enum remark_on on = remark_on_of(session_table_cell(&table, i, 1));

		/* A newer hecate may know further subjects: these notes stay in the file and are not shown. */
		if (on != REMARK_KINDS)
			remarks_take(&state->question.remarks, session_table_cell(&table, i, 0), on,
				session_table_cell(&table, i, 2), session_table_cell(&table, i, 3),
				session_table_cell(&table, i, 4));
	}
	session_table_clear(&table);
	return true;
}

static void
autosave_rows_add_verdict(const struct state *s, const struct finding *finding, const char *model, const char *features,
	struct session_table *out)
{
	char *confidence = str_format("%.15g", s->question.how.confidence), *number[3] = {0};
	const double value[3] = {finding->measure.distance2, finding->measure.threshold2, finding->measure.p};
	const struct constraint *worst = finding->proof.n_violated ? finding->proof.violated
		: finding->proof.n_certificates                    ? finding->proof.certificate
							     : NULL;
	const char *cell[12];

	for (int i = 0; i < 3; i++)
		number[i] = isfinite(value[i]) ? str_format("%.15g", value[i]) : NULL;
	memcpy(cell,
		((const char *[12]){model, features, finding->name, confidence,
			region_name((enum region_kind)s->question.how.decides), verdict_name(finding->own.verdict),
			verdict_name(finding->own.family_wise), number[0], number[1], number[2],
			worst ? worst->text : NULL, finding->reason}),
		sizeof cell);
	session_table_add(out, cell);
	for (int i = 0; i < 3; i++)
		free(number[i]);
	free(confidence);
}

bool
autosave_verdicts_write(struct session_file *file, int64_t model_number, const struct state *state, struct err *e)
{
	struct session_table table = {.n_columns = session_table_columns(SESSION_TABLE_VERDICT)};
	struct str features = {0};
	char *model = str_format("%" PRId64, model_number);
	bool good;

	features_json(state->question.model, &state->answers.result->on, &features);
	for (size_t i = 0; i < state->answers.result->n_findings; i++)
		autosave_rows_add_verdict(
			state, &state->answers.result->finding[i], model, str_text(&features), &table);
	good = session_table_write(file, SESSION_TABLE_VERDICT, &table, false, e);
	session_table_clear(&table);
	str_free(&features);
	free(model);
	return good;
}

bool
autosave_remarks_write(struct session_file *file, const struct state *state, struct err *e)
{
	struct session_table table = {.n_columns = session_table_columns(SESSION_TABLE_REMARK)};
	bool good = true;

	for (size_t i = 0; i < state->question.remarks.n; i++) {
		const struct remark *remark = &state->question.remarks.remark[i];
		const char *cell[5] = {
			remark->id, remark_on_name(remark->on), remark->what, remark->text, remark->written};

		if (remark->unsaved)
			session_table_add(&table, cell);
	}
	for (size_t i = 0; i < state->question.remarks.n_gone && good; i++)
		good = session_table_drop(file, SESSION_TABLE_REMARK, state->question.remarks.gone[i], e);
	good = good && session_table_write(file, SESSION_TABLE_REMARK, &table, false, e);
	session_table_clear(&table);
	return good;
}
