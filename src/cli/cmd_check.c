/* hecate check: verdicts for recorded data, or for a command or running processes that are counted now. */
#include "cli/commands.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/str.h"
#include "cli/collect.h"
#include "cli/errata.h"
#include "cli/options.h"
#include "cli/own_options.h"
#include "cli/print/print.h"
#include "cli/print/print_explain.h"
#include "cli/print/print_trust.h"
#include "cli/signals.h"
#include "cli/writing.h"
#include "core/udd/model.h"
#include "work/analysis/analysis.h"
#include "work/analysis/drafts.h"
#include "work/analysis/explain.h"
#include "work/analysis/suspects.h"
#include "work/analysis/uop_ranges.h"
#include "work/files/files.h"
#include "work/trust/facts.h"

static int
status_of(const struct result *r)
{
	struct err e = {0};

	if (r->count[VERDICT_INFEASIBLE])
		return r->count[VERDICT_INFEASIBLE] > r->refuted.in_doubt ? 1 : 3;
	if (r->count[VERDICT_FEASIBLE] || r->count[VERDICT_BORDERLINE])
		return 0;
	err_set(&e, r->n_findings ? "nothing could be decided" : "no observation to judge");
	if (!r->n_findings)
		err_hint(&e, "does --observations match a name in the data?");
	return print_failure(&e);
}

/* The answers that --explain and --propose ask for. */
struct more {
	struct explanations *why;
	struct drafts *drafts;
	struct suspects suspects;
	bool suspected;          /* suspects were looked for */
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
cmd_check_report(const struct options *o, const struct collection *c, const struct result *r, const struct more *more)
{
	const struct udd_model *m = c->args.model;
	struct writing out;
	bool good;

	if (r->error) {
		fputs(r->error, stderr);
		return 2;
	}
	for (size_t i = 0; i < r->n_notes && !o->quiet && !o->json; i++)
		log_line(NULL, "%s", r->note[i].text);
	good = !o->draft || print_drafts_keep(o, m, &c->args.bundle, more->drafts);
	writing_begin(&out, o);
	if (good && o->json) {
		print_check_json(o, m, r, &c->counting, more->why, more->suspected ? &more->suspects : NULL,
			more->drafts, &out.json);
	} else if (good) {
		print_check_text(o, m, r, &c->counting, &out.text);
		add_suspects(m, r, more, &out.text);
		print_explain_text(o, m, r, more->why, &out.text);
		print_drafts_text(m, r, more->drafts, &out.text);
		if (more->drafts && more->drafts->found->n)
			suspects_caution(m, &more->suspects, &out.text);
	}
	good = writing_end(&out, good);
	return good ? status_of(r) : 2;
}

/* How much went through each feature, for feasible observations. */
static void
find_ranges(struct analysis *a, struct result *r)
{
	bool *ask = mem_new_array(r->n_findings, sizeof *ask);
	struct uop_ranges **out = mem_new_array(r->n_findings, sizeof(struct uop_ranges *));

	for (size_t i = 0; i < r->n_findings; i++)
		ask[i] = r->finding[i].verdict == VERDICT_FEASIBLE;
	analysis_flow_ranges(a, &r->on, ask, r->n_findings, FLOW_ALL_FEATURES, out, NULL);
	for (size_t i = 0; i < r->n_findings; i++)
		r->finding[i].witness.ranges = out[i];
	free(ask);
	free(out);
}

/* Names errata of the events that refute. The processor is known if the data, or what counted them, name it. */
static void
find_errata(const struct options *o, const struct collection *c, struct result *r)
{
	const struct trust_books *known = &c->args.how.books;
	struct str remarks = {0};
	struct trust_book *b;

	if (r->error || !r->count[VERDICT_INFEASIBLE] || o->counterpoint)
		return;
	b = trust_facts_load(&remarks);
	trust_errata_note(b, c->args.model, known->n ? known->item[0].cpu : NULL, r);
	trust_book_free(b);
	str_free(&remarks);
}

int
cmd_check(const struct options *o)
{
	struct collection c;
	struct result *r = NULL;
	struct more more = {0};
	int status = 2;

	if (o->n_args == 1 && file_has_ending(o->arg[0], ".trust"))
		return print_trust_check(o, o->arg[0]);
	if (collect_begin(&c, o, "-- gcc -c x.c", NULL, NULL)) {
		r = analysis_run(c.analysis, &c.args.on, NULL);
		if (o->flow && !r->error)
			find_ranges(c.analysis, r);
		find_errata(o, &c, r);
		find_more(o, c.analysis, r, &more);
		status = cmd_check_report(o, &c, r, &more);
	}
	explanations_free(more.why);
	suspects_clear(&more.suspects);
	drafts_free(more.drafts);
	result_free(r);
	collect_end(&c);
	signals_obey();
	return status;
}
