/* hecate export: the samples of a session file, as CSV or JSON. */
#include "cli/commands.h"

#include <stdlib.h>

#include "app/files/recording.h"
#include "base/err.h"
#include "base/log.h"
#include "base/str.h"
#include "cli/options.h"
#include "cli/work.h"
#include "cli/work_sink.h"
#include "core/obs/obs.h"

/* Warns of what the CSV cannot hold and its reader must state. */
static void
say_exact(const struct options *o, const struct obs_table *t)
{
	size_t exact = 0;

	for (size_t i = 0; i < t->n; i++)
		exact += t->obs[i]->exact;
	if (exact && !o->quiet)
		log_line(NULL, "%zu of %zu observations are exact totals: use --exact when the CSV is read", exact,
			t->n);
}

static bool
drain(void *ctx, struct str *text, struct err *e)
{
	return work_sink_drain(ctx, text, e);
}

/* Takes over the file. */
static bool
write_session(const struct options *o, struct session_file *f, struct err *e)
{
	struct session_origin *origin = NULL;
	struct session_model m = {0};
	struct work_sink sink;
	const struct recording_drain d = {drain, &sink};
	struct str out = {0};
	bool good = session_file_model(f, &m, e);
	struct obs_table *t =
		good ? session_file_read_far(f, SESSION_NEAR_CELLS, &origin, e) : (session_file_close(f), NULL);

	work_sink_begin(&sink, o);
	good = t && (o->json ? recording_json(o->arg[0], &m, t, origin, &d, &out, e) : recording_csv(t, &d, &out, e));
	if (good && !o->json)
		say_exact(o, t);
	good = work_sink_end(&sink, &out, good, e) && good;
	if (!good)
		work_fail(e);
	session_origin_free(origin, t ? t->n : 0);
	session_model_free(&m);
	obs_table_free(t);
	str_free(&out);
	return good;
}

int
cmd_export(const struct options *o)
{
	struct session_file *f;
	struct err e = {0};

	if (o->n_args == 0) {
		err_set(&e, "export needs a session file");
		err_hint(&e, "hecate record -o FILE and hecate import -o FILE make one");
		return work_fail(&e);
	}
	if (o->csv && o->json) {
		err_set(&e, "--csv and --json exclude each other");
		err_hint(&e, "choose one of them");
		return work_fail(&e);
	}
	f = session_file_open_to_read(o->arg[0], &e);
	if (!f)
		return work_fail(&e);
	return write_session(o, f, &e) ? 0 : 2;
}
