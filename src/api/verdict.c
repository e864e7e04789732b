#include "hecate/verdict.h"

#include <stdlib.h>

#include "api/state.h"
#include "base/err.h"
#include "base/mem.h"
#include "core/obs/obs.h"
#include "work/analysis/analysis.h"
#include "work/files/data.h"

struct hecate_verdicts {
	struct result *result;
};

static const struct finding *
finding_of(const struct hecate_verdicts *v, size_t i)
{
	return &v->result->finding[i];
}

struct hecate_verdicts *
hecate_check(const struct hecate_model *model, const struct hecate_choice *choice, const struct hecate_data *data,
	double confidence, char **message)
{
	struct analysis_options how = analysis_options_default();
	struct hecate_verdicts *verdicts;
	struct analysis *analysis;
	struct err e = {0};
	struct fset on;

	if (!(confidence > 0 && confidence < 1)) {
		err_set(&e, "a confidence of %g", confidence);
		err_hint(&e, "it lies between 0 and 1, for instance 0.99");
		api_fail(message, &e);
		return NULL;
	}
	if (!api_choose(model, choice, &on, message))
		return NULL;
	how.confidence = confidence;
	analysis = analysis_new(model->udd, &how);
	analysis_set_table(analysis, 0, data_copy(data->table));
	verdicts = mem_new(sizeof *verdicts);
	verdicts->result = analysis_run(analysis, &on, NULL);
	analysis_free(analysis);
	analysis_options_free(&how);
	if (verdicts->result->error) {
		err_set(&e, "%s", verdicts->result->error);
		api_fail(message, &e);
		hecate_verdicts_free(verdicts);
		return NULL;
	}
	return verdicts;
}

void
hecate_verdicts_free(struct hecate_verdicts *v)
{
	if (!v)
		return;
	result_free(v->result);
	free(v);
}

size_t
hecate_verdicts_observations(const struct hecate_verdicts *v)
{
	return v->result->n_findings;
}

const char *
hecate_verdicts_name(const struct hecate_verdicts *v, size_t i)
{
	return finding_of(v, i)->name;
}

enum hecate_verdict
hecate_verdicts_kind(const struct hecate_verdicts *v, size_t i)
{
	return (enum hecate_verdict)finding_of(v, i)->verdict;
}

const char *
hecate_verdicts_word(enum hecate_verdict kind)
{
	return verdict_name((enum verdict_kind)kind);
}

double
hecate_verdicts_p(const struct hecate_verdicts *v, size_t i)
{
	return finding_of(v, i)->measure.p;
}

const char *
hecate_verdicts_reason(const struct hecate_verdicts *v, size_t i)
{
	return finding_of(v, i)->reason;
}

size_t
hecate_verdicts_violations(const struct hecate_verdicts *v, size_t i)
{
	return finding_of(v, i)->proof.n_violated;
}

const char *
hecate_verdicts_violation(const struct hecate_verdicts *v, size_t i, size_t k)
{
	return finding_of(v, i)->proof.violated[k].text;
}

const int64_t *
hecate_verdicts_certificate(const struct hecate_verdicts *v, size_t i)
{
	const struct finding_proof *proof = &finding_of(v, i)->proof;

	return proof->n_certificates ? proof->certificate[0].coef : NULL;
}
