/* hecate import: recorded data into a session file, while they are read. */
#include "cli/commands.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/json.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/names.h"
#include "base/str.h"
#include "cli/options.h"
#include "cli/own_options.h"
#include "cli/print/print.h"
#include "cli/reading.h"
#include "cli/text_args.h"
#include "cli/writing.h"
#include "work/analysis/result.h"
#include "work/files/ingest.h"
#include "work/files/recording.h"

struct importing {
	const struct options *o;
	struct reading reading;
	struct result_note *note; /* what was left out or put right */
	size_t n_notes, notes_cap;
};

static void
cmd_import_say(void *ctx, const char *sentence)
{
	const struct importing *i = ctx;

	if (!i->o->quiet && !i->o->json)
		log_line(NULL, "%s", sentence);
}

static void
take_note(void *ctx, const char *code, const char *sentence)
{
	struct importing *i = ctx;

	cmd_import_say(ctx, sentence);
	mem_grow(&i->note, &i->notes_cap, i->n_notes + 1, sizeof *i->note);
	i->note[i->n_notes++] = (struct result_note){.code = mem_str(code), .text = mem_str(sentence)};
}

static void
free_notes(struct importing *i)
{
	for (size_t k = 0; k < i->n_notes; k++) {
		free(i->note[k].code);
		free(i->note[k].text);
	}
	free(i->note);
}

static bool
cmd_import_go_on(void *ctx, const struct data_progress *p)
{
	struct importing *i = ctx;

	return reading_go_on(&i->reading, p);
}

/* Prints hecate.import/1 (docs/json.md). */
static int
print_document(const struct importing *importing, const struct ingest_result *result)
{
	struct str text = {0};
	struct json_writer w = {.out = &text};
	struct err e = {0};
	bool good;

	json_open(&w, NULL, '{');
	json_str(&w, "schema", "hecate.import/1");
	json_str(&w, "file", importing->o->output);
	json_int(&w, "observations", (int64_t)result->observations);
	json_int(&w, "rows", (int64_t)result->rows);
	json_bool(&w, "cut", result->cut);
	json_open(&w, "warnings", '[');
	for (size_t k = 0; k < importing->n_notes; k++)
		print_json_warning(&w, importing->note[k].code, importing->note[k].text);
	json_close(&w, ']');
	json_close(&w, '}');
	str_addc(&text, '\n');
	good = writing_flush(&text, &e);
	str_free(&text);
	return good ? 0 : print_failure(&e);
}

static int
report_end(const struct importing *importing, const struct ingest_result *result)
{
	const struct options *options = importing->o;
	struct err e = {0};

	if (!result->stopped) {
		if (options->json)
			return print_document(importing, result);
		if (!options->quiet)
			log_line(
				NULL, "%s: %zu %s added, %zu rows", options->output, result->observations,
				result->observations == 1 ? "observation was" : "observations were", result->rows);
		if (result->cut && !options->quiet)
			log_line(NULL,
				"%s ends in the middle of a line, which was left out; once the file has grown, "
				"the same command adds it",
				result->path);
		return 0;
	}
	err_set(&e, "the import of %s was interrupted; %zu rows are in %s", result->path, result->rows,
		options->output);
	err_hint(&e, "the same command continues from there");
	return print_failure(&e);
}

/* Adds the columns of --counts. */
static void
add_counts(const struct options *o, struct names *counts)
{
	const struct import_options *own = o->own;
	size_t n = 0;
	char **item = own->counts ? str_split(own->counts, ',', &n) : NULL;

	for (size_t i = 0; i < n; i++)
		names_add(counts, item[i], strlen(item[i]));
	if (item)
		str_split_free(item);
}

static int
store(const struct options *options, const struct text_args *args)
{
	struct importing i = {.o = options};
	struct names counts = {0};
	const struct ingest_how how = {.path = (const char *const *)options->arg,
		.n = options->n_args,
		.exact = options->exact,
		.totals = options->totals,
		.counts = &counts,
		.go_on = cmd_import_go_on,
		.say = cmd_import_say,
		.note = take_note,
		.ctx = &i};
	struct err e = {0};
	struct recording *recording = args ? text_args_record(args, options->output, NULL, &e)
					   : recording_open(options->output, NULL, NULL, NULL, &e);
	struct ingest_result result;
	int status;
	bool good;

	if (!recording)
		return print_failure(&e);
	add_counts(options, &counts);
	reading_begin(&i.reading, options, true);
	good = recording_ingest(recording, &how, &result, &e);
	recording_close(recording);
	reading_end(&i.reading);
	status = good ? report_end(&i, &result) : print_failure(&e);
	free_notes(&i);
	names_free(&counts);
	return status;
}

int
cmd_import(const struct options *options)
{
	struct text_args s = {0};
	struct err e = {0};
	int status = 2;

	if (!options->output || options->n_args == 0) {
		err_set(&e, options->output ? "import needs data" : "import needs -o FILE, the session file");
		err_hint(&e, "for instance: hecate import -o s.hct data.csv");
		return print_failure(&e);
	}
	if (!options->model_name || text_args_load(options, options->model_name, &s))
		status = store(options, options->model_name ? &s : NULL);
	text_args_free(&s);
	signals_obey();
	return status;
}
