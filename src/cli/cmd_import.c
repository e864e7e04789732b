/* hecate import: recorded data into a session file, all of it or nothing. */
#include "cli/commands.h"

#include <stdlib.h>

#include "app/files/recording.h"
#include "base/err.h"
#include "base/log.h"
#include "base/mem.h"
#include "cli/options.h"
#include "cli/subject.h"
#include "cli/work.h"
#include "core/obs/obs.h"

static bool
store(const struct options *o, const struct subject *s, struct obs_table *const *table)
{
	struct err e = {0};
	struct recording *r = s ? subject_record(s, o->output, NULL, &e) : recording_open(o->output, NULL, NULL, NULL, &e);
	bool good = r && recording_add(r, table, o->n_args, &e);
	size_t n = 0;

	recording_close(r);
	for (size_t i = 0; i < o->n_args; i++)
		n += table[i]->n;
	if (!good)
		work_fail(&e);
	else if (!o->quiet)
		log_line(NULL, "%s: %zu observations were added", o->output, n);
	return good;
}

int
cmd_import(const struct options *o)
{
	struct obs_table **table = mem_new_array(o->n_args, sizeof *table);
	struct subject s = {0};
	struct err e = {0};
	int status = 2;

	if (!o->output || o->n_args == 0) {
		err_set(&e, o->output ? "import needs data" : "import needs -o FILE, the session file");
		err_hint(&e, "for instance: hecate import -o s.hecate data.csv");
		work_fail(&e);
		goto out;
	}
	if (o->model_name && !subject_load(o, o->model_name, &s))
		goto out;
	for (size_t i = 0; i < o->n_args; i++)
		if (!(table[i] = work_read_data(o, o->arg[i])))
			goto out;
	status = store(o, o->model_name ? &s : NULL, table) ? 0 : 2;
out:
	for (size_t i = 0; i < o->n_args; i++)
		obs_table_free(table[i]);
	free(table);
	subject_free(&s);
	return status;
}
