/* hecate check: verdicts for recorded data, or for what is counted here and now: a command, or what runs already. */
#include "cli/commands.h"

#include <stdio.h>
#include <stdlib.h>

#include "app/analysis.h"
#include "app/flow_ranges.h"
#include "app/live.h"
#include "base/err.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/str.h"
#include "cli/collect.h"
#include "cli/options.h"
#include "cli/report.h"
#include "cli/run_live.h"
#include "cli/work.h"
#include "core/udd/model.h"

static int
status_of(const struct result *r)
{
	struct err e = {0};

	if (r->count[VERDICT_INFEASIBLE])
		return 1;
	if (r->count[VERDICT_FEASIBLE] || r->count[VERDICT_BORDERLINE])
		return 0;
	err_set(&e, r->n_findings ? "nothing could be decided" : "no observation to judge");
	if (!r->n_findings)
		err_hint(&e, "does --observations match a name in the data?");
	return work_fail(&e);
}

static int
report(const struct options *o, const struct work_live *w, const struct udd_model *m, const struct result *r, const struct live *live)
{
	struct str out = {0};
	bool good;

	if (r->error) {
		fputs(r->error, stderr);
		return 2;
	}
	for (size_t i = 0; i < r->n_notes && !o->quiet && !o->json; i++)
		log_line(NULL, "%s", r->note[i].text);
	if (o->json)
		report_check_json(o, m, r, live, w, &out);
	else
		report_check_text(o, m, r, &out);
	good = work_write(o, &out);
	str_free(&out);
	return good ? status_of(r) : 2;
}

/* What went through each feature, for those that are feasible. */
static void
find_ranges(struct analysis *a, struct result *r)
{
	bool *ask = mem_new_array(r->n_findings, sizeof *ask);
	struct flow_ranges **out = mem_new_array(r->n_findings, sizeof(struct flow_ranges *));

	for (size_t i = 0; i < r->n_findings; i++)
		ask[i] = r->finding[i].verdict == VERDICT_FEASIBLE;
	analysis_flow_ranges(a, &r->on, ask, r->n_findings, FLOW_ALL_FEATURES, out, NULL);
	for (size_t i = 0; i < r->n_findings; i++)
		r->finding[i].ranges = out[i];
	free(ask);
	free(out);
}

int
cmd_check(const struct options *o)
{
	struct collection c;
	struct result *r = NULL;
	int status = 2;

	if (collect_begin(&c, o, "-- gcc -c x.c")) {
		r = analysis_run(c.analysis, &c.job.on, NULL);
		if (o->flow && !r->error)
			find_ranges(c.analysis, r);
		status = report(o, &c.watch, c.job.model, r, c.live);
	}
	result_free(r);
	collect_end(&c);
	run_live_obey_signal();
	return status;
}
