/* hecate import: recorded data into a session file, while they are read. */
#include "cli/commands.h"

#include <stdlib.h>

#include "app/files/ingest.h"
#include "app/files/recording.h"
#include "base/err.h"
#include "base/log.h"
#include "cli/options.h"
#include "cli/print/print.h"
#include "cli/reading.h"
#include "cli/text_args.h"

struct importing {
	const struct options *o;
	struct reading reading;
};

static void
say(void *ctx, const char *sentence)
{
	const struct importing *i = ctx;

	if (!i->o->quiet)
		log_line(NULL, "%s", sentence);
}

static bool
go_on(void *ctx, const struct data_progress *p)
{
	struct importing *i = ctx;

	return reading_go_on(&i->reading, p);
}

static int
report_end(const struct options *o, const struct ingest_result *r)
{
	struct err e = {0};

	if (!r->stopped) {
		if (!o->quiet)
			log_line(
				NULL, "%s: %zu %s added, %zu rows", o->output, r->observations,
				r->observations == 1 ? "observation was" : "observations were", r->rows);
		if (r->cut && !o->quiet)
			log_line(NULL,
				"%s ends in the middle of a line, which was left out; once the file has grown, "
				"the same command adds it",
				r->path);
		return 0;
	}
	err_set(&e, "the import of %s was interrupted; %zu rows are in %s", r->path, r->rows, o->output);
	err_hint(&e, "the same command continues from there");
	return print_failure(&e);
}

static int
store(const struct options *o, const struct text_args *s)
{
	struct importing i = {.o = o};
	const struct ingest_how how = {.path = (const char *const *)o->arg,
		.n = o->n_args,
		.exact = o->exact,
		.go_on = go_on,
		.say = say,
		.ctx = &i};
	struct err e = {0};
	struct recording *r =
		s ? text_args_record(s, o->output, NULL, &e) : recording_open(o->output, NULL, NULL, NULL, &e);
	struct ingest_result result;
	bool good;

	if (!r)
		return print_failure(&e);
	reading_begin(&i.reading, o, true);
	good = recording_ingest(r, &how, &result, &e);
	recording_close(r);
	reading_end(&i.reading);
	return good ? report_end(o, &result) : print_failure(&e);
}

int
cmd_import(const struct options *o)
{
	struct text_args s = {0};
	struct err e = {0};
	int status = 2;

	if (!o->output || o->n_args == 0) {
		err_set(&e, o->output ? "import needs data" : "import needs -o FILE, the session file");
		err_hint(&e, "for instance: hecate import -o s.hecate data.csv");
		return print_failure(&e);
	}
	if (!o->model_name || text_args_load(o, o->model_name, &s))
		status = store(o, o->model_name ? &s : NULL);
	text_args_free(&s);
	signals_obey();
	return status;
}
