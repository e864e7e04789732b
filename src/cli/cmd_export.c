/* hecate export: a session's samples out again. */
#include "cli/commands.h"

#include <stdlib.h>

#include "app/recording.h"
#include "base/err.h"
#include "base/log.h"
#include "base/str.h"
#include "cli/options.h"
#include "cli/work.h"
#include "core/obs/obs.h"

/* What the CSV has no place for, and the reader must say instead. */
static void
say_exact(const struct options *o, const struct obs_table *t)
{
	size_t exact = 0;

	for (size_t i = 0; i < t->n; i++)
		exact += t->obs[i]->exact;
	if (exact && !o->quiet)
		log_line(NULL, "%zu of %zu observations are exact totals: --exact says so when the CSV is read", exact, t->n);
}

static bool
write_session(const struct options *o, struct session_file *f, struct err *e)
{
	struct session_origin *origin = NULL;
	struct session_model m = {0};
	struct str out = {0};
	struct obs_table *t = session_file_read(f, &origin, e);
	bool good = t && session_file_model(f, &m, e);

	if (good && o->json)
		recording_json(o->arg[0], &m, t, origin, &out);
	else if (good)
		good = recording_csv(t, &out, e);
	if (!good)
		work_fail(e);
	else if (!o->json)
		say_exact(o, t);
	good = good && work_write(o, &out);
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
	bool good;

	if (o->n_args == 0) {
		err_set(&e, "export needs a session file");
		err_hint(&e, "hecate record -o FILE and hecate import -o FILE make one");
		return work_fail(&e);
	}
	if (o->csv && o->json) {
		err_set(&e, "--csv and --json are two forms");
		err_hint(&e, "choose one of them");
		return work_fail(&e);
	}
	f = session_file_open_to_read(o->arg[0], &e);
	if (!f)
		return work_fail(&e);
	good = write_session(o, f, &e);
	session_file_close(f);
	return good ? 0 : 2;
}
