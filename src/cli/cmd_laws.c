/* hecate laws: which relations that always hold the counts of recorded data break, and which event is to blame. */
#include "cli/commands.h"

#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/number.h"
#include "base/shell.h"
#include "base/str.h"
#include "cli/options.h"
#include "cli/own_options.h"
#include "cli/print/print.h"
#include "cli/print/print_laws.h"
#include "cli/reading.h"
#include "cli/writing.h"
#include "core/laws/judge.h"
#include "core/obs/columns.h"
#include "core/obs/obs.h"
#include "text/diag.h"
#include "work/files/laws_files.h"

/* Judges every observation of a table by every file of laws. Returns whether a law is broken. */
static bool
judge_table(const struct options *options, struct laws_print *print, struct laws **laws, size_t n,
	const struct obs_table *table)
{
	const struct laws_how how = {.confidence = options->confidence, .exact = options->exact,
		.independent_rows = options->independent_rows};
	struct columns_match **match = mem_new_array(n, sizeof *match);
	bool broken = false;

	for (size_t i = 0; i < n; i++)
		match[i] = laws_match(laws[i], table);
	for (size_t o = 0; o < table->n; o++) {
		const struct obs *obs = table->obs[o];

		if (options->observations && fnmatch(options->observations, obs->name, 0) != 0)
			continue;
		print_laws_observation(print, obs);
		for (size_t i = 0; i < n; i++) {
			struct laws_judgement *judgement = laws_judge(laws[i], match[i], obs, &how);

			broken |= judgement->n_broken > 0;
			print_laws_judgement(print, laws[i], match[i], judgement);
			laws_judgement_free(judgement);
		}
		print_laws_observation_end(print);
	}
	for (size_t i = 0; i < n; i++)
		columns_match_free(match[i]);
	free(match);
	return broken;
}

int
cmd_laws(const struct options *options)
{
	const struct laws_options *own = options->own;
	struct laws_print print = {.options = options};
	struct obs_table **table;
	struct diags diags = {0};
	struct err e = {0};
	struct laws **laws;
	bool broken = false, good = false;
	size_t n;

	laws = laws_files_load(own->laws, &n, &diags, &e);
	print_diagnostics(options, &diags);
	diags_free(&diags);
	if (!laws)
		return *e.what ? print_failure(&e) : 2;
	if (!options->n_args && !options->list) {
		laws_files_free(laws, n);
		err_set(&e, "laws needs data");
		shell_hint(&e, "for instance: hecate laws run.csv; hecate laws --list shows the laws");
		return print_failure(&e);
	}
	table = mem_new_array(options->n_args, sizeof *table);
	if (writing_can(options->output, &e) &&
		reading_tables(options, (const char *const *)options->arg, options->n_args, table)) {
		struct writing out;

		writing_begin(&out, options);
		print.out = &out;
		print_laws_begin(&print, laws, n);
		for (size_t i = 0; i < options->n_args; i++) {
			broken |= judge_table(options, &print, laws, n, table[i]);
			writing_drain(&out);
		}
		print_laws_end(&print);
		good = writing_end(&out, true);
	} else if (*e.what) {
		print_failure(&e);
	}
	for (size_t i = 0; i < options->n_args; i++)
		obs_table_free(table[i]);
	free(table);
	laws_files_free(laws, n);
	return !good ? 2 : broken;
}
