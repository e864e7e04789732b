/* hecate search: which choices of features survive the data, recorded or counted here and now. */
#include "cli/commands.h"

#include <stdio.h>

#include "app/analysis.h"
#include "app/search.h"
#include "app/search_end.h"
#include "base/err.h"
#include "base/log.h"
#include "base/str.h"
#include "cli/collect.h"
#include "cli/options.h"
#include "cli/report_drafts.h"
#include "cli/report_search.h"
#include "cli/run_live.h"
#include "cli/work.h"
#include "core/udd/model.h"

static int
report(const struct options *o, const struct collection *c, const struct search *s, const struct search_end *end)
{
	const struct udd_model *m = c->job.model;
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
		report_search_json(o, m, s, end, c->live, &c->watch, &out);
	else
		report_search_text(o, m, s, end, &out);
	good = (!o->draft || report_drafts_keep(o, m, &c->job.bundle, end->drafts)) && work_write(o, &out);
	str_free(&out);
	if (s->decided || !good)
		return good ? 0 : 2;
	err_set(&e, "nothing could be decided");
	return work_fail(&e);
}

int
cmd_search(const struct options *o)
{
	struct collection c;
	struct search *s = NULL;
	struct search_end *end = NULL;
	int status = 2;

	if (collect_begin(&c, o, "-r 10 -- gcc -c x.c")) {
		s = search_run(c.analysis, &c.job.on, o->max_tests, NULL);
		if (!s->start->error)
			end = search_end_new(c.analysis, s, o->explain, NULL);
		status = report(o, &c, s, end);
	}
	search_end_free(end);
	search_free(s);
	collect_end(&c);
	run_live_obey_signal();
	return status;
}
