/* hecate report: questions, findings and notes as one HTML file, or as Markdown with pictures. */
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
#include "cli/profile_args.h"
#include "cli/reading.h"
#include "cli/trust_args.h"
#include "cli/writing.h"
#include "core/obs/obs.h"
#include "core/search/search_graph.h"
#include "core/trust/correct.h"
#include "core/udd/model.h"
#include "draw/report_files.h"
#include "draw/theme.h"
#include "explorer/autosave/autosave.h"
#include "explorer/report/report.h"
#include "explorer/state/state.h"
#include "explorer/state/state_search.h"
#include "work/analysis/analysis.h"
#include "work/analysis/geometry.h"
#include "work/analysis/observations.h"
#include "work/files/files.h"
#include "work/files/recording.h"
#include "work/machine.h"
#include "work/search/search.h"

/* The material of the report: a session without a screen. */
struct report_material {
	const struct options *o;
	struct state s;
	struct autosave *keep;
	struct analysis *analysis;
	struct result *result;
	struct obs_table **table; /* the analysis owns the tables */
	size_t n_tables;
};

static bool
load_session(struct report_material *material)
{
	const struct options *options = material->o;
	struct bundle b = {0};
	struct udd_model *model = model_args_load(options, &b);
	struct analysis_options how = {0};
	struct fset on;

	if (!model || !model_args_choose(options, model, &on) || !model_args_analysis(options, model, &how)) {
		udd_free(model);
		bundle_free(&b);
		return false;
	}
	state_set_model(&material->s, &b, model, &how, &on);
	for (size_t i = 0; i < options->n_args && !material->s.data.saved.in; i++)
		if (recording_is(options->arg[i]))
			autosave_restore(material->keep, &material->s, options->arg[i],
				autosave_given_by(options->variant || options->features || options->without,
					options->confidence != CONFIDENCE_DEFAULT, options->region, options->counters,
					options->observations, options->family_wise || options->one_by_one,
					options->split_phases));
	if (*material->s.view.message.text && !options->quiet)
		log_line(NULL, "%s", material->s.view.message.text);
	return true;
}

static bool
cmd_report_judge(struct report_material *material)
{
	const struct options *options = material->o;
	size_t first = reading_first(options), n = options->n_args > first ? options->n_args - first : 0;
	struct analysis_options how = material->s.question.how;
	struct obs_table **table;
	struct err e = {0};

	if (n == 0) {
		err_set(&e, "report needs data");
		err_hint(&e, "for instance: hecate report FILE, or hecate report MODEL DATA");
		return print_failed(&e);
	}
	table = mem_new_array(n, sizeof(struct obs_table *));
	if (!reading_tables(options, (const char *const *)options->arg + first, n, table)) {
		free(table);
		return false;
	}
	trust_args_books(options, table, n, false, &how.books);
	how.flow = print_is_html(options);
	material->analysis = analysis_new(material->s.question.model, &how);
	trust_books_clear(&how.books);
	for (size_t i = 0; i < n; i++)
		analysis_set_table(material->analysis, i, table[i]);
	material->table = mem_new_array(n, sizeof *material->table);
	for (size_t i = 0; i < n; i++)
		material->table[material->n_tables++] = table[i];
	free(table);
	material->result = analysis_run(material->analysis, &material->s.question.on, NULL);
	if (!material->result->error)
		return true;
	fputs(material->result->error, stderr);
	return false;
}

/* The search in the session file is used if it covers these observations and all models; otherwise a search runs
 * now. */
static void
search_models(struct report_material *material)
{
	struct search *search;
	struct search_graph *have = material->s.answers.search.graph;

	if (have && !search_same_observations(have, material->result)) {
		state_forget_search(&material->s);
		have = NULL;
	}
	if ((have && have->complete) || !material->s.question.model->n_features || !material->result->n_findings)
		return;
	search = search_run(material->analysis, &material->s.question.on, material->o->max_tests, NULL);
	if (search_began(search))
		state_join_search(&material->s, NULL, search_take_graph(search));
	search_free(search);
}

static bool
write_files(struct report_material *material, struct report *report)
{
	struct report_files f;
	struct theme theme;
	char *folder, *name;
	bool good;

	print_theme(&theme);
	print_place(material->o, material->s.question.model->name, &folder, &name);
	report_files_make(&f, report, &theme, name);
	good = print_write(material->o, &f, folder);
	free(folder);
	free(name);
	return good;
}

/* The observation whose geometry the report shows: the worst. */
static struct geometry *
worst_geometry(struct report_material *material)
{
	size_t n, *order = observations_order(material->result, OBSERVATIONS_BY_DISTANCE, NULL, NULL, &n);
	struct geometry *geometry = NULL;

	for (size_t i = 0; i < n && !geometry; i++)
		if (material->result->finding[order[i]].verdict == VERDICT_INFEASIBLE ||
			!material->result->count[VERDICT_INFEASIBLE])
			geometry = analysis_geometry(material->analysis, &material->s.question.on, order[i], NULL);
	free(order);
	return geometry;
}

static bool
write_html(struct report_material *material, const struct report *report)
{
	struct geometry *geometry = worst_geometry(material);
	struct theme light, dark;
	struct str out = {0};
	bool good;

	print_theme(&light);
	theme_default(&dark);
	report_html_file(report, geometry, &light, &dark, &out);
	good = print_write_html(material->o, material->s.question.model->name, &out);
	geometry_free(geometry);
	str_free(&out);
	return good;
}

static bool
cmd_report_report(struct report_material *material)
{
	const struct options *options = material->o;
	size_t first = reading_first(options);
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
		.model = material->s.question.model,
		.how = &material->s.question.how,
		.result = material->result,
		.graph = material->s.answers.search.graph,
		.remarks = &material->s.question.remarks,
		.model_arg = first ? options->arg[0] : NULL,
		.data = options->arg + first,
		.n_data = options->n_args - first,
		.machine = machine.machine,
		.program = program_version,
		.when = when,
		.bundle = &material->s.question.bundle,
		.table = material->table,
		.n_tables = material->n_tables,
		.no_search_picture = "it needs a file or folder: give -o",
		.no_model_picture = "it needs a file or folder: give -o",
	};

	if (print_is_html(options)) {
		r.when = NULL;
		return write_html(material, &r);
	}
	if (!writing_is_stream(options))
		return write_files(material, &r);
	report_markdown(&r, &out);
	good = writing_text(options, &out);
	str_free(&out);
	return good;
}

int
cmd_report(const struct options *options)
{
	struct report_material w = {.o = options};
	bool good;

	if (print_is_curves(options))
		return print_curves(options);
	if (profile_args_are(options))
		return print_profile(options);
	state_init(&w.s);
	w.keep = autosave_new();
	good = load_session(&w) && cmd_report_judge(&w);
	if (good)
		search_models(&w);
	good = good && cmd_report_report(&w);
	result_free(w.result);
	analysis_free(w.analysis);
	free(w.table);
	autosave_free(w.keep);
	state_free(&w.s);
	return good ? 0 : 2;
}
