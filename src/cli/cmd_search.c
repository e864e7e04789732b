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
#include "cli/search_watch.h"
#include "cli/work.h"
#include "core/udd/model.h"

static int
report(const struct options *o, const struct work_live *w, const struct udd_model *m, const struct search *s, const struct live *live,
       const struct search_watch *watch)
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
		report_search_json(o, m, s, live, w, watch, &out);
	else
		report_search_text(o, m, s, watch, &out);
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
	struct search_watch watch;
	struct collection c;
	struct search *s = NULL;
	int status = 2;

	search_watch_begin(&watch, o, &c);
	if (collect_watched(&c, o, "-r 10 -- gcc -c x.c", o->watch ? search_watch_seen : NULL, &watch)) {
		s = o->watch ? search_watch_last(&watch) : search_run(c.analysis, &c.job.on, o->max_tests, NULL);
		status = report(o, &c.watch, c.job.model, s, c.live, o->watch ? &watch : NULL);
	}
	search_free(s);
	search_watch_end(&watch);
	collect_end(&c);
	run_live_obey_signal();
	return status;
}
