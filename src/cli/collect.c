#include "cli/collect.h"

#include <stdlib.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/shell.h"
#include "base/str.h"
#include "cli/model_args.h"
#include "cli/options.h"
#include "cli/print/print.h"
#include "cli/reading.h"
#include "cli/trust_args.h"
#include "work/analysis/analysis.h"
#include "work/files/data.h"
#include "work/search/search.h"

/* Makes the analysis and reads the files into it. What is known of the processors is an option of the analysis, so the
 * files come first. */
static bool
collect_read_files(struct collection *collection, const struct options *options, size_t first)
{
	size_t n = options->n_args > first ? options->n_args - first : 0;
	struct obs_table **table = mem_new_array(n, sizeof(struct obs_table *));
	bool good = reading_tables(options, (const char *const *)options->arg + first, n, table);

	if (good) {
		trust_args_books(options, table, n, collection->counting.wanted, &collection->args.how.books);
		collection->analysis = analysis_new(collection->args.model, &collection->args.how);
	}
	for (size_t i = 0; i < n && good; i++)
		analysis_set_table(collection->analysis, i, table[i]);
	free(table);
	return good;
}

static struct counter_list *
collect_make_counters(void *model_args, struct err *e)
{
	const struct model_args *args = model_args;

	(void)e;
	return counter_list_of_model(args->model, &args->on);
}

static bool
count_here(struct collection *c, counting_seen *seen, void *ctx)
{
	c->counting.how = (struct subject_runs_options){.counters = collect_make_counters, .ctx = &c->args,
		.chosen = {c->args.how.counter, c->args.how.n_counters}, .peeked = seen != NULL};
	c->counting.model = c->args.model;
	if (!counting_run(&c->counting, seen, ctx))
		return false;
	analysis_set_table(c->analysis, c->at, data_copy(counting_table(&c->counting)));
	return true;
}

bool
collect_begin(struct collection *collection, const struct options *options, const char *example, counting_seen *seen,
	void *ctx)
{
	size_t first = reading_first(options);
	struct err e = {0};
	struct str hint = {0};

	*collection = (struct collection){0};
	if (!counting_begin(&collection->counting, options) || !model_args_begin(&collection->args, options))
		return false;
	if (options->command->bit == C_SEARCH && !search_can(collection->args.model, &e))
		return print_failed(&e);
	if (options->n_args <= first && !collection->counting.wanted) {
		err_set(&e, "%s needs data, a command after --, or what to watch: -p, -t, -a, -C",
			options->command->name);
		str_addf(&hint, "for instance: hecate %s ", options->command->name);
		shell_add_file(&hint, options->arg[0]);
		err_hint(&e, "%s %s", str_text(&hint), example);
		str_free(&hint);
		print_failure(&e);
		return false;
	}
	collection->at = options->n_args - first;
	return collect_read_files(collection, options, first) &&
		(!collection->counting.wanted || count_here(collection, seen, ctx));
}

void
collect_end(struct collection *c)
{
	counting_end(&c->counting);
	analysis_free(c->analysis);
	model_args_end(&c->args);
}
