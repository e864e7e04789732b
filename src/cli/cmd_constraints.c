#include "cli/commands.h"

#include <stdio.h>

#include "app/analysis.h"
#include "base/str.h"
#include "cli/options.h"
#include "cli/report.h"
#include "cli/work.h"
#include "core/udd/model.h"

int
cmd_constraints(const struct options *o)
{
	struct bundle b = {0};
	struct udd_model *m = work_load(o, &b);
	struct analysis_options how = {0};
	struct analysis *a = NULL;
	struct result *r = NULL;
	struct str out = {0};
	struct fset on;
	int status = 2;

	if (!m || !work_choose(o, m, &on) || !work_analysis_options(o, m, &how)) {
		udd_free(m);
		goto out;
	}
	a = analysis_new(m, &how);
	r = analysis_run(a, &on, NULL);
	if (r->error) {
		fputs(r->error, stderr);
		goto out;
	}
	if (o->json)
		report_constraints_json(m, r, &out);
	else
		report_constraints_text(o, m, r, &out);
	status = work_write(o, &out) ? 0 : 2;
out:
	str_free(&out);
	result_free(r);
	analysis_free(a);
	analysis_options_free(&how);
	bundle_free(&b);
	return status;
}
