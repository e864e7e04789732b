/* hecate search: which choices of features survive the data, recorded or counted here and now. */
#include "cli/commands.h"

#include <stdio.h>

#include "app/analysis.h"
#include "app/live.h"
#include "app/search.h"
#include "base/err.h"
#include "base/log.h"
#include "base/str.h"
#include "cli/collect.h"
#include "cli/options.h"
#include "cli/report_search.h"
#include "cli/run_live.h"
#include "cli/work.h"
#include "core/udd/model.h"

static int
report(const struct options *o, const struct work_live *w, const struct udd_model *m, const struct search *s, const struct live *live)
{
	struct str out = {0};
	struct err e = {0};
	bool good;

	if (s->start->error) {
		fputs(s->start->error, stderr);
		return 2;
	}
	if (!s->start->n_findings) {
		err_set(&e, "no observation to judge");
		err_hint(&e, "does --observations match a name in the data?");
		return work_fail(&e);
	}
	for (size_t i = 0; i < s->start->n_notes && !o->quiet && !o->json; i++)
		log_line(NULL, "%s", s->start->note[i].text);
	if (o->json)
		report_search_json(o, m, s, live, w, &out);
	else
		report_search_text(o, m, s, &out);
	good = work_write(o, &out);
	str_free(&out);
	if (s->decided || !good)
		return good ? 0 : 2;
	err_set(&e, "nothing could be decided");
	return work_fail(&e);
}

int
cmd_search(const struct options *o)
{
	struct job j = {0};
	struct analysis *a = NULL;
	struct source_keep *keep = source_keep_new(); /* starts nothing before it is needed */
	struct work_live w = {0};
	struct live *live = NULL;
	struct search *s = NULL;
	struct err e = {0};
	int status = 2;

	if (!work_live(o, &w) || !job_begin(&j, o))
		goto out;
	if (o->n_args <= work_first_data(o) && !o->argv && !w.has_target) {
		err_set(&e, "search needs data, a command behind --, or what to watch: -p, -t, -a, -C");
		err_hint(&e, "for instance: hecate search %s -r 10 -- gcc -c x.c", o->arg[0]);
		work_fail(&e);
		goto out;
	}
	a = analysis_new(j.model, &j.how);
	if (!collect_data(o, &w, &j, a, keep, &live))
		goto out;
	s = search_run(a, &j.on, o->max_tests, NULL);
	status = report(o, &w, j.model, s, live);
out:
	search_free(s);
	live_free(live);
	source_keep_free(keep);
	analysis_free(a);
	work_live_free(&w);
	job_end(&j);
	run_live_obey_signal();
	return status;
}
