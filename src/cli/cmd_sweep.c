/* hecate sweep: many models against many files of data, by several processes, of several machines with mpirun. */
#include "cli/commands.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/checksum.h"
#include "base/err.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/number.h"
#include "base/parallel.h"
#include "base/str.h"
#include "cli/model_args.h"
#include "cli/options.h"
#include "cli/own_options.h"
#include "cli/print/print.h"
#include "cli/print/print_sweep.h"
#include "cli/reading.h"
#include "cli/signals.h"
#include "cli/trust_args.h"
#include "cli/writing.h"
#include "core/obs/obs.h"
#include "shape/shape.h"
#include "shape/wire.h"
#include "work/files/data.h"
#include "work/files/recording.h"
#include "work/sweep/kept_cells.h"
#include "work/sweep/ranks.h"
#include "work/sweep/sweep.h"
#include "work/trust/facts.h"

#define KEY_TEXT 48
#define SAID_MOST 1000 /* bytes of another rank's messages that rank 0 prints */

struct cmd_sweep {
	const struct options *options;
	struct model_args *model;
	uint64_t *sum; /* per model: checksum of it and of how it is judged */
	struct sweep_table table;
	bool *known;
	struct kept_cells *kept; /* NULL: nothing is kept */
	size_t found;            /* cells that were kept before */
	struct sweep_cost cost;
	struct err unkept; /* why a cell could not be kept */
	struct reading reading;
	/* in a process that judges: the last model's analysis, and the processors that its options know */
	struct analysis *analysis;
	size_t analysed;
	struct trust_books books;
};

static void
sweep_add_name(char ***name, size_t *n, const char *text)
{
	*name = mem_resize(*name, *n + 1, sizeof **name);
	(*name)[(*n)++] = mem_str(text);
}

/* A model is a file with its ending, a folder of FDL files, or the name of no file. */
static bool
is_model(const char *arg)
{
	char *text = NULL;
	size_t n = 0;

	if (file_has_ending(arg, MODEL_ENDINGS) || (!strchr(arg, '/') && !strchr(arg, '.') && access(arg, F_OK) != 0))
		return true;
	if (file_is_folder(arg))
		text = file_folder_text(arg, &n, &(struct err){0});
	free(text);
	return n > 0;
}

/* Each file is read once for each model, so it must be one that can be. */
static bool
add_data(struct sweep_table *table, const char *arg, struct err *e)
{
	char **file = data_files(arg, e);
	bool good = file != NULL;

	for (size_t i = 0; good && file[i]; i++) {
		struct stat st;

		if (stat(file[i], &st) == 0 && !S_ISREG(st.st_mode)) {
			err_set(e, "%s is no file, and sweep reads data once for each model", file[i]);
			good = err_hint(e, "write them to a file");
		} else if (access(file[i], R_OK) != 0) {
			err_set(e, "cannot open %s: %s", file[i], strerror(errno));
			good = err_hint(e, "check the path, and the right to read it");
		} else {
			sweep_add_name(&table->data, &table->n_data, file[i]);
		}
	}
	str_split_free(file);
	return good;
}

static bool
take_args(struct cmd_sweep *sweep, struct err *e)
{
	const struct options *options = sweep->options;
	struct sweep_table *table = &sweep->table;

	for (size_t i = 0; i < options->n_args; i++)
		if (is_model(options->arg[i]))
			sweep_add_name(&table->model, &table->n_models, options->arg[i]);
		else if (!add_data(table, options->arg[i], e))
			return false;
	if (table->n_models && table->n_data)
		return true;
	err_set(e, "sweep needs models and files of data");
	return err_hint(e, "for instance: hecate sweep linux-page-faults models/*.udd runs/*.csv --keep verdicts.hct");
}

static void
checksum_text(struct checksum *sum, const char *text)
{
	checksum_add(sum, text, strlen(text) + 1);
}

/* What was measured of this machine's events (work/trust/facts.h): corrections depend on it. */
static void
checksum_facts(struct checksum *sum)
{
	struct trust_cpuid cpu = {0};
	struct err e = {0};
	char *path = trust_facts_cpu(&cpu) ? trust_facts_file(&cpu, &e) : NULL, *text = NULL;
	size_t n = 0;

	if (path && access(path, F_OK) == 0)
		text = file_read(path, UDD_FILE_MAX, &n, &e);
	if (text)
		checksum_add(sum, text, n);
	free(text);
	free(path);
}

/* Loads the models, and sums up what their verdicts depend on. */
static bool
load_models(struct cmd_sweep *sweep)
{
	struct sweep_table *table = &sweep->table;
	bool good = true;

	sweep->model = mem_new_array(table->n_models, sizeof *sweep->model);
	sweep->sum = mem_new_array(table->n_models, sizeof *sweep->sum);
	for (size_t i = 0; i < table->n_models && good; i++) {
		struct model_args *args = &sweep->model[i];
		struct checksum sum;
		struct wire w = {0};

		args->model = model_args_load_named(sweep->options, table->model[i], &args->bundle);
		good = args->model && model_args_choose(sweep->options, args->model, &args->on) &&
			model_args_analysis(sweep->options, args->model, &args->how);
		if (!good)
			break;
		checksum_begin(&sum);
		checksum_text(&sum, program_version);
		checksum_facts(&sum);
		for (size_t k = 0; k < args->bundle.n; k++)
			checksum_add(&sum, args->bundle.file[k].text, args->bundle.file[k].n);
		for (size_t k = 0; k < args->bundle.define.n; k++)
			checksum_text(&sum, args->bundle.define.text[k]);
		checksum_add(&sum, &args->on, sizeof args->on);
		analysis_options_wire(&w, &args->how);
		checksum_add(&sum, w.data, w.n);
		checksum_add(&sum, &sweep->options->totals, sizeof sweep->options->totals);
		sweep->sum[i] = checksum_value(&sum);
		wire_free(&w);
	}
	return good;
}

/* All that verdicts depend on besides the files of data. */
static uint64_t
question_of(const struct cmd_sweep *sweep)
{
	struct checksum sum;

	checksum_begin(&sum);
	for (size_t i = 0; i < sweep->table.n_models && sweep->sum; i++)
		checksum_add(&sum, &sweep->sum[i], sizeof sweep->sum[i]);
	return checksum_value(&sum);
}

static bool
same_processors(const struct trust_books *a, const struct trust_books *b)
{
	bool same = a->n == b->n;

	for (size_t i = 0; i < a->n && same; i++)
		same = str_eq(a->item[i].cpu, b->item[i].cpu);
	return same;
}

/* Judges a cell as `hecate check MODEL FILE` does. */
static void
judge_cell(void *ctx, size_t number, struct sweep_cell *out)
{
	struct cmd_sweep *sweep = ctx;
	const struct options *options = sweep->options;
	size_t at = number / sweep->table.n_data;
	const struct model_args *args = &sweep->model[at];
	struct analysis_options how = args->how;
	struct trust_books books = {0};
	struct err e = {0};
	struct obs_table *data = data_read_watched(sweep->table.data[number % sweep->table.n_data], options->exact,
		&(const struct data_watch){.totals = options->totals}, &e);
	struct str why = {0};
	struct result *result;

	if (!data) {
		err_text(&e, &why);
		sweep_cell_fail(out, str_text(&why));
		str_free(&why);
		return;
	}
	trust_args_books(options, &data, 1, false, &books);
	if (!sweep->analysis || sweep->analysed != at || !same_processors(&books, &sweep->books)) {
		analysis_free(sweep->analysis);
		how.books = books;
		sweep->analysis = analysis_new(args->model, &how);
		sweep->analysed = at;
		trust_books_clear(&sweep->books);
		sweep->books = books;
	} else {
		trust_books_clear(&books);
	}
	analysis_set_table(sweep->analysis, 0, data);
	result = analysis_run(sweep->analysis, &args->on, NULL);
	sweep_cell_take(out, result);
	result_free(result);
}

/* What a cell is kept under: the model and how it is judged, and the file as make(1) knows it, by its time. */
static void
cell_key(const struct cmd_sweep *sweep, size_t number, char key[KEY_TEXT])
{
	const char *path = sweep->table.data[number % sweep->table.n_data];
	struct checksum sum;
	struct stat st = {0};

	checksum_begin(&sum);
	checksum_text(&sum, path);
	if (stat(path, &st) == 0) {
		checksum_add(&sum, &st.st_size, sizeof st.st_size);
		checksum_add(&sum, &st.st_mtim, sizeof st.st_mtim);
	}
	snprintf(key, KEY_TEXT, "sweep %016llx %016llx", (unsigned long long)sweep->sum[number / sweep->table.n_data],
		(unsigned long long)checksum_value(&sum));
}

static bool
find_kept(struct cmd_sweep *sweep, struct err *e)
{
	const struct sweep_options *own = sweep->options->own;
	size_t n = sweep->table.n_models * sweep->table.n_data;

	sweep->table.cell = mem_new_array(n, sizeof *sweep->table.cell);
	sweep->known = mem_new_array(n, sizeof *sweep->known);
	if (!own->keep)
		return true;
	if (sweep->options->output && str_eq(sweep->options->output, own->keep)) {
		err_set(e, "-o and --keep name the same file");
		return err_hint(e, "-o gets the table, --keep what the next sweep continues from: name two");
	}
	signal(SIGXFSZ, SIG_IGN); /* writing fails instead, and is reported */
	sweep->kept = kept_cells_open(own->keep, e);
	for (size_t i = 0; i < n && sweep->kept; i++) {
		char key[KEY_TEXT];

		cell_key(sweep, i, key);
		sweep->known[i] = kept_cells_find(sweep->kept, key, &sweep->table.cell[i]);
		sweep->found += sweep->known[i];
	}
	if (sweep->found && !sweep->options->quiet)
		log_line(NULL, "%zu of %zu verdicts are in %s from an earlier sweep", sweep->found, n, own->keep);
	return sweep->kept != NULL;
}

/* A cell without an answer is judged again next time. */
static void
keep_cell(void *ctx, size_t number)
{
	struct cmd_sweep *sweep = ctx;
	char key[KEY_TEXT];

	if (!sweep->kept || *sweep->unkept.what || sweep->table.cell[number].answer == SWEEP_FAILED)
		return;
	cell_key(sweep, number, key);
	if (!kept_cells_add(sweep->kept, key, &sweep->table.cell[number], &sweep->unkept))
		print_failure(&sweep->unkept);
}

static bool
go_on(void *ctx, size_t known, size_t of, size_t processes)
{
	struct cmd_sweep *sweep = ctx;
	char *line = str_format(
		"hecate: %zu of %zu verdicts, %zu process%s", known, of, processes, processes == 1 ? "" : "es");

	reading_line(&sweep->reading, line);
	free(line);
	return !signals_interrupted();
}

static void
say(void *ctx, const char *sentence)
{
	const struct cmd_sweep *sweep = ctx;

	if (!sweep->options->quiet)
		log_line(NULL, "%s", sentence);
}

static void
say_stopped(const struct cmd_sweep *sweep)
{
	const struct sweep_options *own = sweep->options->own;
	size_t n = sweep->table.n_models * sweep->table.n_data, known = 0;

	for (size_t i = 0; i < n; i++)
		known += sweep->known[i];
	if (own->keep)
		log_line(NULL, "stopped: %zu of %zu verdicts are in %s; the same command continues", known, n,
			own->keep);
	else
		log_line(NULL, "stopped at %zu of %zu verdicts; --keep FILE would keep them", known, n);
}

/* The figures of docs/sweep.md. */
static void
say_cost(const struct sweep_cost *cost)
{
	if (cost->cells)
		log_line(NULL,
			"%zu processes of %zu ranks judged %zu cells in %.2f s of processor time, the busiest in "
			"%.2f s; giving them out took %.2f s",
			cost->processes, cost->ranks, cost->cells, cost->judging, cost->busiest, cost->giving);
}

/* Says that cells have no answer, and why the first has none. Returns exit status 2. */
static int
fail_of_cells(const struct cmd_sweep *sweep, size_t failed)
{
	const struct sweep_table *table = &sweep->table;
	struct err e = {0};
	size_t i = 0;

	while (table->cell[i].answer != SWEEP_FAILED)
		i++;
	err_set(&e, "%zu of %zu cells have no answer: %s by %s: %s", failed, table->n_models * table->n_data,
		table->data[i % table->n_data], table->model[i / table->n_data], table->cell[i].reason);
	return print_failure(&e);
}

static int
sweep_report(const struct cmd_sweep *sweep)
{
	size_t count[SWEEP_ANSWERS];
	struct writing out;
	struct err e = {0};

	writing_begin(&out, sweep->options);
	if (sweep->options->json)
		print_sweep_json(sweep->options, &sweep->table, &out.json);
	else
		print_sweep_text(sweep->options, &sweep->table, &out.text);
	if (!writing_end(&out, true) || *sweep->unkept.what)
		return 2;
	sweep_table_count(&sweep->table, 0, sweep->table.n_models, count);
	if (count[SWEEP_FAILED])
		return fail_of_cells(sweep, count[SWEEP_FAILED]);
	if (count[SWEEP_REFUTED] || count[SWEEP_IN_DOUBT])
		return count[SWEEP_REFUTED] ? 1 : 3;
	if (count[SWEEP_SURVIVES])
		return 0;
	err_set(&e, "nothing could be decided");
	return print_failure(&e);
}

static bool
cmd_sweep_prepare(struct cmd_sweep *sweep, size_t rank)
{
	struct err e = {0};

	if (!take_args(sweep, &e) || (rank == 0 && !writing_can(sweep->options->output, &e)))
		return print_failed(&e);
	return load_models(sweep) && (rank > 0 || find_kept(sweep, &e) || print_failed(&e));
}

/* Takes what is printed on standard error, which is put back, and returns its beginning. */
static char *
take_said(int said, int standard_error)
{
	char text[SAID_MOST + 1];
	ssize_t n;

	fflush(stderr);
	n = pread(said, text, SAID_MOST, 0);
	dup2(standard_error, STDERR_FILENO);
	close(standard_error);
	close(said);
	n = n < 0 ? 0 : n;
	while (n > 0 && text[n - 1] == '\n')
		n--;
	return mem_strn(text, (size_t)n);
}

/* Judges; with other ranks if mpirun started them. Each rank prepares itself, and what goes wrong there is printed by
 * rank 0. Returns the exit status. */
static int
cmd_sweep_run(struct cmd_sweep *sweep, bool together, size_t rank)
{
	const struct sweep_options *own = sweep->options->own;
	int said = rank ? memfd_create("hecate", MFD_CLOEXEC) : -1, standard_error = said < 0 ? -1 : dup(STDERR_FILENO);
	struct sweep_how how = {.judge = judge_cell, .go_on = go_on, .take = keep_cell, .say = say, .ctx = sweep};
	bool prepared, good;
	int status = 2;
	struct err e = {0};
	char *why = NULL;

	if (standard_error >= 0)
		dup2(said, STDERR_FILENO);
	prepared = cmd_sweep_prepare(sweep, rank);
	if (standard_error >= 0)
		why = take_said(said, standard_error);
	how.cannot = prepared ? NULL : why ? why : "";
	how.n_models = sweep->table.n_models;
	how.n_data = sweep->table.n_data;
	how.data = (const char *const *)sweep->table.data;
	how.question = question_of(sweep);
	how.jobs = own->jobs ? own->jobs : together ? 1 : parallel_threads();
	if (together || how.jobs > 1)
		setenv("HECATE_THREADS", "1", 0); /* the processes share the processors */
	how.ranks = together ? ranks_join(&e) : NULL;
	good = (together ? how.ranks != NULL : prepared) &&
		sweep_run(&how, sweep->table.cell, sweep->known, &sweep->cost, &e);
	free(why);
	reading_end(&sweep->reading);
	if (!rank && sweep->options->verbose && !sweep->options->quiet)
		say_cost(&sweep->cost);
	if (rank)
		status = good ? 0 : 2; /* rank 0 says what another rank cannot do */
	else if (good && prepared)
		status = sweep_report(sweep);
	else if (*e.what)
		status = print_failure(&e);
	else if (prepared)
		say_stopped(sweep);
	/* The others wait for it here: when one ends earlier, mpirun may end this process before its report. */
	if (good)
		ranks_leave(how.ranks);
	return status;
}

int
cmd_sweep(const struct options *options)
{
	struct cmd_sweep sweep = {.options = options};
	size_t rank;
	bool together = ranks_wanted(&rank);
	int status;

	reading_begin(&sweep.reading, options, true);
	status = cmd_sweep_run(&sweep, together, rank);
	kept_cells_close(sweep.kept);
	for (size_t i = 0; sweep.model && i < sweep.table.n_models; i++)
		model_args_end(&sweep.model[i]);
	sweep_table_clear(&sweep.table);
	free(sweep.model);
	free(sweep.sum);
	free(sweep.known);
	signals_obey();
	return status;
}
