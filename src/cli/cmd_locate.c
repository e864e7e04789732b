/* hecate locate: where in a trusted model an event of unknown meaning could be counted. */
#include "cli/commands.h"

#include <stdio.h>
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
#include "cli/writing.h"
#include "core/obs/obs.h"
#include "core/udd/model.h"
#include "work/search/locate.h"

/* Loads the tables of the arguments after the event; if a session file brought the model, it comes first. NULL when one
 * cannot be read. */
static struct obs_table **
cmd_locate_read_data(const struct options *options, size_t *n)
{
	struct obs_table **table = mem_new_array(options->n_args, sizeof(struct obs_table *));

	*n = 0;
	for (size_t i = reading_first(options) == 0 ? 0 : 2; i < options->n_args; i++) {
		if (i == 1)
			continue;
		table[*n] = reading_table(options, options->arg[i]);
		if (!table[(*n)++]) {
			for (size_t k = 0; k < *n; k++)
				obs_table_free(table[k]);
			free(table);
			return NULL;
		}
	}
	return table;
}

static bool
check_arguments(const struct options *o, struct err *e)
{
	if (o->n_args < 2) {
		err_set(e, "locate needs an event and data that have it");
		return shell_hint(e, "for instance: hecate locate %s EVENT data.csv", o->n_args ? o->arg[0] : "MODEL");
	}
	if (o->n_args > 2 || reading_first(o) == 0)
		return true;
	err_set(e, "locate needs data that have the event %s", o->arg[1]);
	return shell_hint(e, "for instance: hecate locate %s %s data.csv", o->arg[0], o->arg[1]);
}

static int
cmd_locate_report(const struct options *options, const struct model_args *args, const struct locate_result *result)
{
	struct writing out;

	if (result->error) {
		fputs(result->error, stderr);
		return 2;
	}
	writing_begin(&out, options);
	if (options->json)
		print_locate_json(options, args->model, &args->on, result, &out.json);
	else
		print_locate_text(options, args->model, &args->on, result, &out.text);
	return writing_end(&out, true) ? 0 : 2;
}

int
cmd_locate(const struct options *options)
{
	struct model_args j = {0};
	struct obs_table **table = NULL;
	struct locate_result *result = NULL;
	struct err e = {0};
	size_t n = 0;
	int status = 2;

	if (!model_args_begin(&j, options))
		goto out;
	if (!check_arguments(options, &e)) {
		print_failure(&e);
		goto out;
	}
	table = cmd_locate_read_data(options, &n);
	if (!table)
		goto out;
	trust_args_books(options, table, n, false, &j.how.books);
	result = locate_run(j.model, &j.on, &j.how, table, n, options->arg[1], options->max_tests, NULL, &e);
	status = result ? cmd_locate_report(options, &j, result) : print_failure(&e);
out:
	locate_result_free(result);
	for (size_t i = 0; i < n && table; i++)
		obs_table_free(table[i]);
	free(table);
	model_args_end(&j);
	return status;
}
