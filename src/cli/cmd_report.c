/* hecate report: questions, findings and notes as Markdown with pictures. */
#include "cli/commands.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/err.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/str.h"
#include "cli/model_args.h"
#include "cli/options.h"
#include "cli/print/print.h"
#include "cli/print/print_report.h"
#include "cli/profile_args.h"
#include "cli/reading.h"
#include "cli/trust_args.h"
#include "cli/writing.h"
#include "core/obs/obs.h"
#include "core/trust/correct.h"
#include "core/udd/model.h"
#include "draw/report_files.h"
#include "draw/theme.h"
#include "explorer/autosave/autosave.h"
#include "explorer/report/report.h"
#include "explorer/state/state.h"
#include "explorer/state/state_search.h"
#include "work/analysis/analysis.h"
#include "work/files/files.h"
#include "work/files/recording.h"
#include "work/machine.h"
#include "work/search/search.h"
#include "work/search/search_graph.h"

/* The material of the report: a session without a screen. */
struct report_material {
	const struct options *o;
	struct state s;
	struct autosave *keep;
	struct analysis *analysis;
	struct result *result;
};

static bool
load_session(struct report_material *w)
{
	const struct options *o = w->o;
	struct bundle b = {0};
	struct udd_model *m = model_args_load(o, &b);
	struct analysis_options how = {0};
	struct fset on;

	if (!m || !model_args_choose(o, m, &on) || !model_args_analysis(o, m, &how)) {
		udd_free(m);
		bundle_free(&b);
		return false;
	}
	state_set_model(&w->s, &b, m, &how, &on);
	for (size_t i = 0; i < o->n_args && !w->s.data.saved.in; i++)
		if (recording_is(o->arg[i]))
			autosave_restore(w->keep, &w->s, o->arg[i],
				autosave_given_by(o->variant || o->features || o->without,
					o->confidence != CONFIDENCE_DEFAULT, o->region, o->counters, o->observations,
					o->family_wise || o->one_by_one, o->split_phases));
	if (*w->s.view.message.text && !o->quiet)
		log_line(NULL, "%s", w->s.view.message.text);
	return true;
}

static bool
cmd_report_judge(struct report_material *w)
{
	const struct options *o = w->o;
	size_t first = reading_first(o), n = o->n_args > first ? o->n_args - first : 0;
	struct analysis_options how = w->s.question.how;
	struct obs_table **table;
	struct err e = {0};

	if (n == 0) {
		err_set(&e, "report needs data");
		err_hint(&e, "for instance: hecate report FILE, or hecate report MODEL DATA");
		return print_failed(&e);
	}
	table = mem_new_array(n, sizeof(struct obs_table *));
	if (!reading_tables(o, (const char *const *)o->arg + first, n, table)) {
		free(table);
		return false;
	}
	trust_args_books(o, table, n, false, &how.books);
	w->analysis = analysis_new(w->s.question.model, &how);
	trust_books_clear(&how.books);
	for (size_t i = 0; i < n; i++)
		analysis_set_table(w->analysis, i, table[i]);
	free(table);
	w->result = analysis_run(w->analysis, &w->s.question.on, NULL);
	if (!w->result->error)
		return true;
	fputs(w->result->error, stderr);
	return false;
}

/* The search in the session file is used if it covers these observations and all models; otherwise a search runs
 * now. */
static void
search_models(struct report_material *w)
{
	struct search *s;
	struct search_graph *have = w->s.answers.search.graph;

	if (have && !search_graph_same_observations(have, w->result)) {
		state_forget_search(&w->s);
		have = NULL;
	}
	if ((have && have->complete) || !w->s.question.model->n_features || !w->result->n_findings)
		return;
	s = search_run(w->analysis, &w->s.question.on, w->o->max_tests, NULL);
	if (s->lattice)
		state_join_search(&w->s, NULL, search_graph_of(s, false));
	search_free(s);
}

static bool
write_files(struct report_material *w, struct report *r)
{
	struct report_files f;
	struct theme theme;
	char *folder, *name;
	bool good;

	print_theme(&theme);
	print_place(w->o, w->s.question.model->name, &folder, &name);
	report_files_make(&f, r, &theme, name);
	good = print_write(w->o, &f, folder);
	free(folder);
	free(name);
	return good;
}

static bool
cmd_report_report(struct report_material *w)
{
	const struct options *o = w->o;
	size_t first = reading_first(o);
	struct doctor machine;
	time_t now = time(NULL);
	struct tm tm;
	char when[32];
	struct str out = {0};
	bool good;

	machine_probe(&machine);
	file_offer_demo(&machine);
	strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &tm));
	struct report r = {
		.model = w->s.question.model, .how = &w->s.question.how, .result = w->result,
		.graph = w->s.answers.search.graph,
		.remarks = &w->s.question.remarks,
		.model_arg = first ? o->arg[0] : NULL, .data = o->arg + first, .n_data = o->n_args - first,
		.machine = machine.machine,
		.program = program_version, .when = when,
		.no_search_picture = "it needs a file or folder: give -o",
		.no_model_picture = "it needs a file or folder: give -o",
	};

	if (!writing_is_stream(o))
		return write_files(w, &r);
	report_markdown(&r, &out);
	good = writing_text(o, &out);
	str_free(&out);
	return good;
}

int
cmd_report(const struct options *o)
{
	struct report_material w = {.o = o};
	bool good;

	if (profile_args_are(o))
		return print_profile(o);
	state_init(&w.s);
	w.keep = autosave_new();
	good = load_session(&w) && cmd_report_judge(&w);
	if (good)
		search_models(&w);
	good = good && cmd_report_report(&w);
	result_free(w.result);
	analysis_free(w.analysis);
	autosave_free(w.keep);
	state_free(&w.s);
	return good ? 0 : 2;
}
