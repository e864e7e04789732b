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
cmd_constraints(const struct options *options)
{
	struct model_args j;
	struct analysis *analysis = NULL;
	struct result *result = NULL;
	struct writing out;
	int status = 2;

	if (!model_args_begin(&j, options))
		goto out;
	analysis = analysis_new(j.model, &j.how);
	result = analysis_run(analysis, &j.on, NULL);
	if (result->error) {
		fputs(result->error, stderr);
		goto out;
	}
	writing_begin(&out, options);
	if (options->json)
		print_constraints_json(j.model, result, &out.json);
	else
		print_constraints_text(options, j.model, result, &out.text);
	status = writing_end(&out, true) ? 0 : 2;
out:
	result_free(result);
	analysis_free(analysis);
	model_args_end(&j);
	return status;
}
