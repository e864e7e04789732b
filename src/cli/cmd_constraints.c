#include "cli/commands.h"

#include <stdio.h>

#include "app/analysis/analysis.h"
#include "base/str.h"
#include "cli/options.h"
#include "cli/print/print.h"
#include "cli/work.h"
#include "cli/work_out.h"
#include "core/udd/model.h"

int
cmd_constraints(const struct options *o)
{
	struct job j;
	struct analysis *a = NULL;
	struct result *r = NULL;
	struct work_out out;
	int status = 2;

	if (!job_begin(&j, o))
		goto out;
	a = analysis_new(j.model, &j.how);
	r = analysis_run(a, &j.on, NULL);
	if (r->error) {
		fputs(r->error, stderr);
		goto out;
	}
	work_out_begin(&out, o);
	if (o->json)
		print_constraints_json(j.model, r, &out.json);
	else
		print_constraints_text(o, j.model, r, &out.text);
	status = work_out_end(&out, true) ? 0 : 2;
out:
	result_free(r);
	analysis_free(a);
	job_end(&j);
	return status;
}
