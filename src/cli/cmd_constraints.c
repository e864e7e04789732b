#include "cli/commands.h"

#include <stdio.h>

#include "base/str.h"
#include "cli/model_args.h"
#include "cli/options.h"
#include "cli/print/print.h"
#include "cli/writing.h"
#include "core/udd/model.h"
#include "work/analysis/analysis.h"

int
cmd_constraints(const struct options *o)
{
	struct model_args j;
	struct analysis *a = NULL;
	struct result *r = NULL;
	struct writing out;
	int status = 2;

	if (!model_args_begin(&j, o))
		goto out;
	a = analysis_new(j.model, &j.how);
	r = analysis_run(a, &j.on, NULL);
	if (r->error) {
		fputs(r->error, stderr);
		goto out;
	}
	writing_begin(&out, o);
	if (o->json)
		print_constraints_json(j.model, r, &out.json);
	else
		print_constraints_text(o, j.model, r, &out.text);
	status = writing_end(&out, true) ? 0 : 2;
out:
	result_free(r);
	analysis_free(a);
	model_args_end(&j);
	return status;
}
