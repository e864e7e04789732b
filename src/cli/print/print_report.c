/* hecate report: where its files go, and the report on networks and stacks. */

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/err.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/shell.h"
#include "base/str.h"
#include "cli/options.h"
#include "cli/own_options.h"
#include "cli/print/print.h"
#include "cli/profile_args.h"
#include "cli/reading.h"
#include "cli/writing.h"
#include "core/network/network.h"
#include "core/stack/stack.h"
#include "draw/report_files.h"
#include "draw/theme.h"
#include "explorer/autosave/autosave.h"
#include "explorer/report/report_timeline.h"
#include "explorer/state/state.h"
#include "explorer/state/state_timeline.h"
#include "work/files/files.h"
#include "work/files/recording.h"
#include "work/machine.h"
#include "work/probe/probe_store.h"
#include "work/timeline/run_answer.h"
#include "work/timeline/timeline.h"

/* --- files ------------------------------------------------------------------------------------------------------- */

#define THEME_BYTES ((size_t)64 * 1024)

void
print_place(const struct options *options, const char *subject, char **folder, char **name)
{
	const char *out = options->output, *slash = strrchr(out, '/');
	struct stat st;

	if (stat(out, &st) == 0 && S_ISDIR(st.st_mode)) {
		*folder = str_format("%s%s", out, str_ends(out, "/") ? "" : "/");
		*name = str_format("%s-report", subject);
		return;
	}
	*folder = slash ? mem_strn(out, (size_t)(slash - out) + 1) : mem_str("");
	*name = mem_str(slash ? slash + 1 : out);
	if (str_ends(*name, ".md"))
		(*name)[strlen(*name) - 3] = '\0';
	else if (str_ends(*name, ".html"))
		(*name)[strlen(*name) - 5] = '\0';
}

bool
print_is_html(const struct options *options)
{
	const char *format = ((const struct report_options *)options->own)->format;

	return format ? str_eq(format, "html") : options->output && str_ends(options->output, ".html");
}

bool
print_write_html(const struct options *options, const char *subject, const struct str *html)
{
	struct err e = {0};
	char *folder, *name, *path;
	bool good;

	if (writing_is_stream(options))
		return writing_text(options, html);
	print_place(options, subject, &folder, &name);
	path = str_format("%s%s.html", folder, name);
	good = writing_file(path, html, &e) || print_failed(&e);
	if (good && !options->quiet)
		log_line(NULL, "written: %s", path);
	free(folder);
	free(name);
	free(path);
	return good;
}

void
print_theme(struct theme *theme)
{
	char *path = file_find("light", "themes", ".theme", NULL), *text = NULL;
	size_t n;

	if (path)
		text = file_read(path, THEME_BYTES, &n, NULL);
	if (!text || !theme_parse(path, text, theme, NULL))
		theme_default(theme);
	free(text);
	free(path);
}

bool
print_write(const struct options *options, struct report_files *f, const char *folder)
{
	struct err e = {0};
	bool good = true;

	for (int i = REPORT_FILES; i-- > 0 && good;) {
		char *path = str_format("%s%s", folder, f->name[i] ? f->name[i] : "");

		good = !f->name[i] || writing_file(path, &f->text[i], &e) || print_failed(&e);
		if (good && f->name[i] && !options->quiet)
			log_line(NULL, "written: %s", path);
		free(path);
	}
	report_files_free(f);
	return good;
}

/* --- networks and stacks ----------------------------------------------------------------------------------------- */

static const char *
print_report_name_of(const struct state *s)
{
	if (!s->data.timeline)
		return "probes";
	return timeline_network(s->data.timeline) ? timeline_network(s->data.timeline)->name
						  : timeline_stack(s->data.timeline)->name;
}

/* Fails when a file could not be read to its end: the report would claim that the missing rows were not counted. */
static bool
was_read(const struct state *s)
{
	struct err e = {0};

	for (size_t i = 0; i < s->data.n_tables; i++)
		if (!reading_is_whole(s->data.table[i]))
			return false;
	if (!s->view.timeline.said.failure)
		return true;
	err_set(&e, "%s", s->view.message.text);
	return print_failed(&e);
}

static bool
print_report_read_data(const struct options *options, size_t first, struct state *state)
{
	struct err e = {0};

	if (options->n_args <= first) {
		err_set(&e, "report needs data");
		err_hint(&e, "for instance: hecate report FILE, or hecate report NETWORK DATA");
		return print_failed(&e);
	}
	for (size_t i = first; i < options->n_args; i++) {
		struct obs_table *table = reading_open(options, options->arg[i]);

		if (!table)
			return false;
		state_add_recorded(state, table);
	}
	state_timeline_recorded(state);
	state_timeline_show_all(state);
	if (!was_read(state))
		return false;
	if (timeline_snapshots(state->data.timeline) ||
		(state->answers.timeline.bars && state->answers.timeline.bars->n))
		return true;
	err_set(&e, "the data have no counter of %s", print_report_name_of(state));
	shell_hint(&e, "hecate export %s lists what they have", options->arg[first]);
	return print_failed(&e);
}

/* Restores the session from the file: cursors and notes. */
static bool
restore(const struct options *o, struct autosave *k, struct state *s)
{
	for (size_t i = 0; i < o->n_args && !s->data.saved.in; i++)
		if (recording_is(o->arg[i]))
			autosave_restore(k, s, o->arg[i], 0);
	if (*s->view.message.text && !o->quiet)
		log_line(NULL, "%s", s->view.message.text);
	state_say_nothing(s);
	state_timeline_show_all(s);
	return was_read(s);
}

/* What a recorded run answers, with how it ended; NULL: it is none, or there are several. */
static struct run_answer *
recorded_answer(const struct options *options, const struct state *state)
{
	const char *last = options->arg[options->n_args - 1];

	return state->data.n_tables == 1 && recording_is(last) && run_answer_serves(state->data.table[0])
		? run_answer_recorded(last, state->data.table[0]) : NULL;
}

static bool
write_report(const struct options *options, const struct state *state)
{
	time_t now = time(NULL);
	struct tm tm;
	char when[32];
	struct doctor machine;
	struct timeline_report r = {
		.session = state,
		.args = options->arg,
		.n_args = options->n_args,
		.machine = machine.machine,
		.program = program_version,
		.when = when,
	};
	struct report_files f;
	struct theme theme;
	struct str out = {0};
	char *folder, *name;
	bool good;

	machine_probe(&machine);
	print_theme(&theme);
	if (print_is_html(options)) {
		struct run_answer *answer = recorded_answer(options, state);
		struct theme dark;

		r.when = NULL;
		r.answer = answer;
		theme_default(&dark);
		report_html_file_timeline(&r, &theme, &dark, &out);
		run_answer_free(answer);
		good = was_read(state) && print_write_html(options, print_report_name_of(state), &out);
		str_free(&out);
		return good;
	}
	strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &tm));
	if (writing_is_stream(options)) {
		r.no_picture = "it needs a file or folder: give -o";
		timeline_report_markdown(&r, &out);
		good = was_read(state) && writing_text(options, &out);
		str_free(&out);
		return good;
	}
	print_place(options, print_report_name_of(state), &folder, &name);
	report_files_make_timeline(&f, &r, &theme, name);
	good = was_read(state);
	if (good)
		good = print_write(options, &f, folder);
	else
		report_files_free(&f);
	free(folder);
	free(name);
	return good;
}

bool
print_is_curves(const struct options *options)
{
	enum text_kind kind;
	struct err e = {0};

	return options->n_args == 1 && recording_is(options->arg[0]) && probe_store_holds(options->arg[0]) &&
		!recording_brings(options->arg[0], &kind, &e);
}

int
print_curves(const struct options *options)
{
	struct state state = {0};
	struct autosave *autosave = autosave_new();
	struct err e = {0};
	bool good = print_is_html(options);

	state_init(&state);
	if (good) {
		autosave_restore(autosave, &state, options->arg[0], 0);
		good = write_report(options, &state);
	} else {
		err_set(&e, "a report on curves of probes is a page");
		err_hint(&e, "give --format html, or -o FILE.html");
		print_failed(&e);
	}
	autosave_free(autosave);
	state_free(&state);
	return good ? 0 : 2;
}

int
print_profile(const struct options *options)
{
	struct profile_args p;
	struct state s = {0};
	struct autosave *autosave = autosave_new();
	bool good = profile_args_load(options, &p);

	state_init(&s);
	if (good) {
		state_open_timeline(&s, p.network, &p.network_text, NULL, &(struct text){0});
		for (size_t i = 0; i < p.n_stacks; i++)
			state_add_stack(&s, p.stack[i], &p.stack_text[i]);
		p.network = NULL;
		p.n_stacks = 0;
		good = print_report_read_data(options, p.first_data, &s);
	}
	good = good && restore(options, autosave, &s) && write_report(options, &s);
	profile_args_free(&p);
	autosave_free(autosave);
	state_free(&s);
	return good ? 0 : 2;
}
