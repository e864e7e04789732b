/* hecate check: verdicts for recorded data, or for a command or running processes that are counted now. */
#include "cli/commands.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/str.h"
#include "cli/collect.h"
#include "cli/options.h"
#include "cli/own_options.h"
#include "cli/print/print.h"
#include "cli/print/print_explain.h"
#include "cli/print/print_laws.h"
#include "cli/print/print_trust.h"
#include "cli/signals.h"
#include "cli/trust_args.h"
#include "cli/writing.h"
#include "core/udd/model.h"
#include "work/analysis/analysis.h"
#include "work/analysis/drafts.h"
#include "work/analysis/explain.h"
#include "work/analysis/suspects.h"
#include "work/analysis/uop_ranges.h"
#include "work/files/files.h"
#include "work/files/laws_told.h"
#include "work/trust/facts.h"

static int
status_of(const struct result *result)
{
	struct err e = {0};

	if (result->count[VERDICT_INFEASIBLE])
		return result->count[VERDICT_INFEASIBLE] > result->refuted.in_doubt ? 1 : 3;
	if (result->count[VERDICT_FEASIBLE] || result->count[VERDICT_BORDERLINE])
		return 0;
	err_set(&e, result->n_findings ? "nothing could be decided" : "no observation to judge");
	if (!result->n_findings)
		err_hint(&e, "does --observations match a name in the data?");
	return print_failure(&e);
}

/* What is printed next to the verdicts. */
struct more {
	struct explanations *why;
	struct drafts *drafts;
	struct suspects suspects;
	bool suspected;          /* suspects were looked for */
	struct laws_told *laws;  /* NULL: none are installed, or not asked */
	struct obs_table **table;
	size_t n_tables;
};

static void
find_more(const struct options *o, struct analysis *a, const struct result *r, struct more *more)
{
	const struct check_options *own = o->own;

	if (o->explain && !r->error)
		more->why = analysis_explain(a, r, NULL);
	more->suspected = (o->explain || own->propose || o->draft) && !r->error;
	if (more->suspected)
		more->suspects = suspects_find(a, &r->on, NULL);
	if ((own->propose || o->draft) && !r->error)
		more->drafts = analysis_drafts(a, &r->on, NULL);
}

/* What the laws say of the data, whatever the model says. CounterPoint knows none. */
static struct laws_told *
find_laws(const struct options *options, const struct more *more)
{
	const struct laws_how how = {.confidence = options->confidence, .independent_rows = options->independent_rows};
	struct err e = {0};

	return options->counterpoint
		? NULL : laws_told_new(more->table, more->n_tables, options->observations, &how, &e);
}

/* Prints counters that may be wrong, before what the model may lack. */
static void
add_suspects(const struct udd_model *m, const struct result *r, const struct more *more, struct str *out)
{
	char *sentence = suspects_sentence(m, &more->suspects);

	if (!sentence)
		return;
	str_addf(out, "\n%s", sentence);
	print_feature_names(m, &r->on, "no features", out);
	str_addc(out, '\n');
	free(sentence);
}

static int
cmd_check_report(const struct options *options, const struct collection *collection, const struct result *result,
	const struct more *more)
{
	const struct udd_model *model = collection->args.model;
	struct writing out;
	bool good;

	if (result->error) {
		fputs(result->error, stderr);
		return 2;
	}
	for (size_t i = 0; i < result->n_notes && !options->quiet && !options->json; i++)
		log_line(NULL, "%s", result->note[i].text);
	good = !options->draft || print_drafts_keep(options, model, &collection->args.bundle, more->drafts);
	writing_begin(&out, options);
	if (good && options->json) {
		const struct check_json with = {.why = more->why,
			.suspects = more->suspected ? &more->suspects : NULL, .drafts = more->drafts,
			.laws = more->laws, .table = more->table, .n_tables = more->n_tables};

		print_check_json(options, model, result, &collection->counting, &with, &out.json);
	} else if (good) {
		print_check_text(options, model, result, &collection->counting, &out.text);
		for (size_t i = 0; i < more->n_tables; i++)
			counting_metrics(&collection->counting, more->table[i], i == collection->at, &out.text, NULL);
		print_laws_told(options, more->laws, &out.text);
		add_suspects(model, result, more, &out.text);
		print_explain_text(options, model, result, more->why, &out.text);
		print_drafts_text(model, result, more->drafts, &out.text);
		if (more->drafts && more->drafts->found->n)
			suspects_caution(model, &more->suspects, &out.text);
	}
	good = writing_end(&out, good);
	return good ? status_of(result) : 2;
}

/* How much went through each feature, for feasible observations. */
static void
find_ranges(struct analysis *analysis, struct result *result)
{
	bool *ask = mem_new_array(result->n_findings, sizeof *ask);
	struct uop_ranges **out = mem_new_array(result->n_findings, sizeof(struct uop_ranges *));

	for (size_t i = 0; i < result->n_findings; i++)
		ask[i] = result->finding[i].verdict == VERDICT_FEASIBLE;
	analysis_flow_ranges(analysis, &result->on, ask, result->n_findings, FLOW_ALL_FEATURES, out, NULL);
	for (size_t i = 0; i < result->n_findings; i++)
		result->finding[i].witness.ranges = out[i];
	free(ask);
	free(out);
}

/* Names errata of the events that refute. The processor is known if the data, or what counted them, name it. */
static void
find_errata(const struct options *options, const struct collection *collection, struct result *result)
{
	const struct trust_books *known = &collection->args.how.books;
	struct str remarks = {0};
	struct trust_book *book;

	if (result->error || !result->count[VERDICT_INFEASIBLE] || options->counterpoint)
		return;
	book = trust_facts_load(&remarks);
	trust_errata_note(book, collection->args.model, known->n ? known->item[0].cpu : NULL, result);
	trust_book_free(book);
	str_free(&remarks);
}

int
cmd_check(const struct options *options)
{
	struct collection c;
	struct result *result = NULL;
	struct more more = {0};
	int status = 2;

	if (options->n_args == 1 && file_has_ending(options->arg[0], ".trust"))
		return print_trust_check(options, options->arg[0]);
	if (collect_begin(&c, options, "-- gcc -c x.c", NULL, NULL)) {
		result = analysis_run(c.analysis, &c.args.on, NULL);
		if (options->flow && !result->error)
			find_ranges(c.analysis, result);
		find_errata(options, &c, result);
		find_more(options, c.analysis, result, &more);
		more.table = analysis_tables(c.analysis, &more.n_tables);
		more.laws = find_laws(options, &more);
		status = cmd_check_report(options, &c, result, &more);
	}
	explanations_free(more.why);
	suspects_clear(&more.suspects);
	drafts_free(more.drafts);
	laws_told_free(more.laws);
	free(more.table);
	result_free(result);
	collect_end(&c);
	signals_obey();
	return status;
}
