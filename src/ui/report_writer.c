#include "ui/report_writer.h"

#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/err.h"
#include "base/str.h"
#include "core/obs/rows.h"
#include "draw/report_files.h"
#include "draw/theme.h"
#include "explorer/report/report.h"
#include "explorer/report/report_timeline.h"
#include "explorer/state/state.h"
#include "explorer/state/state_diff.h"
#include "explorer/state/state_geometry.h"
#include "explorer/state/state_probes.h"
#include "explorer/state/state_timeline.h"
#include "ui/themes.h"
#include "work/run/output.h"

/* Loads the rows of long files that the report needs. Returns NULL, or why it cannot. */
static const struct err *
unread(const struct state *s)
{
	const struct err *e = NULL;

	for (size_t i = 0; i < s->data.n_tables && !e; i++)
		e = obs_table_failure(s->data.table[i]);
	return e;
}

bool
report_writer_has(const struct state *s, bool page)
{
	if (state_reports_contest(s))
		return true;
	if (page && !s->question.model && !s->data.timeline)
		return state_has_curves(s);
	return s->question.model ? s->answers.result && !s->answers.result->error : s->data.timeline != NULL;
}

/* Makes the report's one HTML page, or Markdown and pictures. */
static void
make_report(const struct state *state, bool page, struct report *r, struct timeline_report *p, const char *name,
	struct report_files *f)
{
	const struct geometry *geometry = state_geometry(state);
	struct theme light, dark;
	struct err e = {0};

	themes_load("light", &light, &e);
	themes_load("dark", &dark, &e);
	if (state_reports_contest(state)) {
		if (!page) {
			report_files_make_diff(f, p, &light, name);
			return; /* Markdown has the time */
		}
		p->when = NULL;
		f->name[REPORT_TEXT] = str_format("%s.html", name);
		report_html_file_diff(p, &light, &dark, &f->text[REPORT_TEXT]);
	} else if (!page && state->question.model) {
		report_files_make(f, r, &light, name);
	} else if (!page) {
		report_files_make_timeline(f, p, &light, name);
	} else {
		r->when = p->when = NULL;
		f->name[REPORT_TEXT] = str_format("%s.html", name);
		if (state->question.model)
			report_html_file(r, state_is_current(state, &state->answers.geometry_stamp) ? geometry : NULL,
				&light, &dark, &f->text[REPORT_TEXT]);
		else
			report_html_file_timeline(p, &light, &dark, &f->text[REPORT_TEXT]);
	}
}

void
report_writer_write(struct state *state, bool page)
{
	struct report_files f = {0};
	struct err e = {0};
	time_t now = time(NULL);
	struct tm tm;
	char when[32], *name = NULL, *path = NULL;
	const struct err *lack;
	bool good = true;
	struct report r = {
		.model = state->question.model,
		.how = &state->question.how,
		.result = state->answers.result,
		.graph = state->answers.search.graph,
		.remarks = &state->question.remarks,
		.machine = state->data.machine.machine,
		.program = state->view.frame.program,
		.when = when,
		.data = state->data.saved.in ? &state->data.saved.in : NULL,
		.n_data = state->data.saved.in ? 1 : 0,
		.bundle = &state->question.bundle,
		.table = state->data.table,
		.n_tables = state->data.n_tables,
	};

	struct timeline_report p = {
		.session = state, .machine = r.machine, .program = state->view.frame.program, .when = when,
		.args = state->data.saved.in ? &state->data.saved.in : NULL, .n_args = state->data.saved.in ? 1 : 0,
	};

	state_timeline_show_all(state);
	strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &tm));
	for (unsigned i = 1; i == 1 || access(path, F_OK) == 0; i++) {
		free(name);
		free(path);
		name = str_format("hecate-report-%u", i);
		path = str_format("%s.%s", name, page ? "html" : "md");
	}
	make_report(state, page, &r, &p, name, &f);
	lack = unread(state);
	if (lack) {
		e = *lack;
		good = false;
	}
	for (int i = REPORT_FILES; i-- > 0 && good;)
		good = !f.name[i] || output_save(f.name[i], &f.text[i], &e);
	if (good)
		state_say(state, false, page ? "written: %s" : "written: %s, with pictures next to it", path);
	else
		state_say(state, true, "%s", e.what);
	report_files_free(&f);
	free(name);
	free(path);
}
