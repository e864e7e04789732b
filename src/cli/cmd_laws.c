/* hecate laws: which relations that always hold the counts of recorded data break, and which event is to blame. */
#include "cli/commands.h"

#include <fnmatch.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/log.h"
#include "base/mem.h"
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
#include "work/files/data.h"
#include "work/files/laws_files.h"

#define UNREAD_NAMED 3

/* Judges every observation of a table by every file of laws. */
static void
judge_table(const struct options *options, struct laws_print *print, const struct obs_table *table)
{
	const struct laws_how how = {.confidence = options->confidence, .runs = (double)options->stated_runs,
		.exact = options->exact, .independent_rows = options->independent_rows};
	struct columns_match **match = mem_new_array(print->n_laws, sizeof *match);

	for (size_t i = 0; i < print->n_laws; i++)
		match[i] = laws_match(print->laws[i], table);
	for (size_t o = 0; o < table->n; o++) {
		const struct obs *obs = table->obs[o];

		if (options->observations && fnmatch(options->observations, obs->name, 0) != 0)
			continue;
		print_laws_observation(print, obs);
		for (size_t i = 0; i < print->n_laws; i++) {
			struct laws_judgement *judgement = laws_judge(print->laws[i], match[i], obs, &how);

			print_laws_judgement(print, i, judgement);
			laws_judgement_free(judgement);
		}
		print_laws_observation_end(print);
	}
	for (size_t i = 0; i < print->n_laws; i++)
		columns_match_free(match[i]);
	free(match);
	writing_drain(print->out);
}

/* What the arguments name: the only file of each, which is read before anything is printed, or the files of a folder,
 * which are read one after the other. */
struct laws_data {
	char ***file;             /* per argument; ended by NULL */
	struct obs_table **table; /* per argument; NULL: a folder */
	size_t n, unread;
};

static void
laws_data_free(struct laws_data *data)
{
	for (size_t i = 0; i < data->n; i++) {
		str_split_free(data->file[i]);
		obs_table_free(data->table[i]);
	}
	free(data->file);
	free(data->table);
}

static bool
laws_data_open(struct laws_data *data, const struct options *options)
{
	const char **only = mem_new_array(options->n_args, sizeof *only);
	struct obs_table **table = mem_new_array(options->n_args, sizeof *table);
	size_t *at = mem_new_array(options->n_args, sizeof *at), n = 0;
	struct err e = {0};
	bool good = true;

	data->file = mem_new_array(options->n_args, sizeof *data->file);
	data->table = mem_new_array(options->n_args, sizeof *data->table);
	while (good && data->n < options->n_args) {
		const char *path = options->arg[data->n];
		char **file = data_files(path, &e);

		good = file || print_failure(&e) == 0;
		data->file[data->n++] = file;
		if (good && !file[1] && str_eq(file[0], path)) {
			at[n] = data->n - 1;
			only[n++] = path;
		}
	}
	good = good && reading_tables(options, only, n, table);
	for (size_t i = 0; i < n; i++)
		data->table[at[i]] = table[i];
	free(only);
	free(table);
	free(at);
	return good;
}

/* Judges the files of a folder. Those that hold no counts are counted, and the first ones are named. */
static void
judge_folder(const struct options *options, struct laws_print *print, struct laws_data *data, char *const *file)
{
	for (; *file; file++) {
		struct err e = {0};
		struct obs_table *table = data_read_watched(*file, options->exact,
			&(const struct data_watch){.totals = options->totals}, &e);

		if (table)
			judge_table(options, print, table);
		else if (data->unread++ < UNREAD_NAMED && !options->quiet)
			print_failure(&e);
		obs_table_free(table);
	}
}

static bool
judge_all(const struct options *options, struct laws *const *laws, size_t n, struct laws_data *data, bool *broken)
{
	struct laws_print print = {.options = options};
	struct writing out;

	writing_begin(&out, options);
	print.out = &out;
	for (size_t i = 0; i < data->n; i++)
		print.short_text |= !data->table[i];
	print_laws_begin(&print, laws, n);
	for (size_t i = 0; i < data->n; i++)
		if (data->table[i])
			judge_table(options, &print, data->table[i]);
		else
			judge_folder(options, &print, data, data->file[i]);
	if (data->unread > UNREAD_NAMED && !options->quiet)
		log_line(NULL, "%zu files hold no counts that can be read; the first %d are named above", data->unread,
			UNREAD_NAMED);
	print_laws_end(&print, data->unread);
	*broken = print.n_broken > 0;
	return writing_end(&out, true);
}

int
cmd_laws(const struct options *options)
{
	const struct laws_options *own = options->own;
	struct laws_data data = {0};
	struct diags diags = {0};
	struct err e = {0};
	struct laws **laws;
	bool broken = false, good;
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
	good = writing_can(options->output, &e);
	if (!good)
		print_failure(&e);
	good = good && laws_data_open(&data, options) && judge_all(options, laws, n, &data, &broken);
	laws_data_free(&data);
	laws_files_free(laws, n);
	return !good ? 2 : broken;
}
