#include "explorer/control/control_model.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/number.h"
#include "base/str.h"
#include "base/utf8.h"
#include "convert/fdl/fdl.h"
#include "core/udd/model.h"
#include "explorer/autosave/autosave.h"
#include "explorer/control/control.h"
#include "explorer/engine/engine.h"
#include "explorer/state/lesson_play.h"
#include "explorer/state/state.h"
#include "explorer/state/state_reload.h"
#include "text/diag.h"
#include "work/files/files.h"
#include "work/run/output.h"

#define SHOWN_COLUMNS 66 /* of a line with an error; a longer one would be wrapped, and its caret lost */
#define LOOK_SECONDS 1.0
#define SETTLE_SECONDS 0.1
#define PATIENCE_SECONDS 1.0
#define FILE_EVENTS (IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE)

/* What stat(2) said of a file; all 0: it is not there. */
struct stamp_on_disk {
	dev_t dev;
	ino_t ino;
	off_t size;
	struct timespec time;
};

struct watched {
	char *path;
	struct stamp_on_disk stamp;
};

struct model_watch {
	bool begun;                /* the files of the open model are listed */
	struct watched *file;      /* none: the model is not on disk */
	size_t n;
	int fd;                    /* of inotify; -1: none */
	double look, changed;      /* when to look next; since when there has been a change that is not read, 0: none */
	bool gone;                 /* the screen says that a file is gone */
	struct edit_place blamed;  /* of the first error; path NULL: the files have none */
	char title[64];            /* of the popup that shows the errors */
	struct reload_cursors cursors;
	const struct udd_model *counted; /* the model whose counters the latest run counts */
};

/* --- the files on disk -------------------------------------------------------------------------------------------- */

static struct stamp_on_disk
stamp_of(const char *path)
{
	struct stat st;

	if (stat(path, &st) != 0)
		return (struct stamp_on_disk){0};
	return (struct stamp_on_disk){st.st_dev, st.st_ino, st.st_size, st.st_mtim};
}

static bool
same_stamp(const struct stamp_on_disk *a, const struct stamp_on_disk *b)
{
	return a->dev == b->dev && a->ino == b->ino && a->size == b->size && a->time.tv_sec == b->time.tv_sec &&
		a->time.tv_nsec == b->time.tv_nsec;
}

static void
watch_folder(int fd, const char *path)
{
	const char *slash = strrchr(path, '/');
	char *folder = slash ? mem_strn(path, slash == path ? 1 : (size_t)(slash - path)) : mem_str(".");

	inotify_add_watch(fd, folder, FILE_EVENTS);
	free(folder);
}

static void
forget_files(struct model_watch *watch)
{
	for (size_t i = 0; i < watch->n; i++)
		free(watch->file[i].path);
	free(watch->file);
	watch->file = NULL;
	watch->n = 0;
	if (watch->fd >= 0)
		close(watch->fd);
	watch->fd = -1;
}

static void
watch_file(struct model_watch *watch, const char *path)
{
	for (size_t i = 0; i < watch->n; i++)
		if (str_eq(watch->file[i].path, path))
			return;
	watch->file = mem_resize(watch->file, watch->n + 1, sizeof *watch->file);
	watch->file[watch->n++] = (struct watched){mem_str(path), stamp_of(path)};
	if (watch->fd >= 0)
		watch_folder(watch->fd, path);
}

/* Watches the open model's files, and those that a text with errors has read. */
static void
watch_files(struct model_watch *watch, const struct bundle *open, const struct bundle *read)
{
	forget_files(watch);
	watch->fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	watch_file(watch, open->path);
	for (size_t i = 0; i < open->n; i++)
		watch_file(watch, open->file[i].name);
	for (size_t i = 0; read && i < read->n; i++)
		watch_file(watch, read->file[i].name);
}

static bool
is_on_disk(const struct bundle *b)
{
	struct err e = {0};
	size_t n = 0;
	bool folder = str_ends(b->path, "/");
	char *text = !b->n ? NULL
		: folder ? file_folder_text(b->path, &n, &e)
			 : file_read(b->path, UDD_FILE_MAX, &n, &e);
	bool same = text && n == b->file[0].n && memcmp(text, b->file[0].text, n) == 0;

	free(text);
	return same;
}

/* Has one of the files changed since it was last looked at? */
static bool
look_at_files(struct model_watch *watch)
{
	bool changed = false;

	for (size_t i = 0; i < watch->n; i++) {
		struct stamp_on_disk now = stamp_of(watch->file[i].path);

		changed |= !same_stamp(&now, &watch->file[i].stamp);
		watch->file[i].stamp = now;
	}
	return changed;
}

static bool
is_watched(const struct model_watch *watch, const char *name)
{
	for (size_t i = 0; i < watch->n; i++) {
		const char *slash = strrchr(watch->file[i].path, '/');

		if (str_eq(slash ? slash + 1 : watch->file[i].path, name) || str_ends(watch->file[i].path, "/"))
			return true;
	}
	return false;
}

/* Takes what inotify reports of the folders. True: one of the files may have changed. */
static bool
take_events(struct model_watch *watch)
{
	_Alignas(struct inotify_event) char buffer[4096];
	bool ours = false;
	ssize_t n;

	while (watch->fd >= 0 && (n = read(watch->fd, buffer, sizeof buffer)) > 0)
		for (ssize_t at = 0; at < n;) {
			const struct inotify_event *event = (const struct inotify_event *)(buffer + at);

			ours |= !event->len || is_watched(watch, event->name);
			at += (ssize_t)(sizeof *event + event->len);
		}
	return ours;
}

/* --- reading them again ------------------------------------------------------------------------------------------- */

static const char *
name_in(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

static void
forget_errors(struct model_watch *watch, struct state *s)
{
	if (watch->blamed.path && s->view.popup.kind == POPUP_TEXT && str_eq(s->view.popup.title, watch->title))
		state_close_popup(s);
	if (watch->blamed.path && state_lesson_model_task(s))
		state_lesson_say(s, false, NULL);
	free(watch->blamed.path);
	watch->blamed = (struct edit_place){0};
	watch->gone = false;
}

static void
show_errors(struct model_watch *watch, struct state *s, const char *path, struct diags *found)
{
	struct str lines = {0};

	free(watch->blamed.path);
	watch->blamed = (struct edit_place){.path = mem_str(path)};
	for (size_t i = 0; i < found->n; i++)
		if (found->item[i].level == DIAG_ERROR && found->item[i].line) {
			free(watch->blamed.path);
			watch->blamed = (struct edit_place){mem_str(found->item[i].file), found->item[i].line};
			break;
		}
	for (size_t i = 0; i < found->n; i++)
		if (found->item[i].caret + found->item[i].span <= SHOWN_COLUMNS)
			found->item[i].source[utf8_fit(found->item[i].source, SHOWN_COLUMNS)] = '\0';
	if (state_lesson_model_task(s)) {
		state_lesson_say_errors(s, found, "");
		return;
	}
	diags_print(found, "", &lines);
	str_add(&lines, "\nThe model stays as it was before. E edits the file again; once it is right, it is read.\n");
	snprintf(watch->title, sizeof watch->title, "%.40s has %zu error%s", name_in(path), found->errors,
		plural_s(found->errors));
	state_show_text(s, POPUP_TEXT, watch->title, str_text(&lines));
	state_say(s, true, "%s has an error; the model stays as it was before, and E edits it again", name_in(path));
	str_free(&lines);
}

static void
take_model(struct control *control, struct bundle *bundle, struct udd_model *model)
{
	struct model_watch *watch = control->watch;
	struct state *state = control->s;
	struct err e = {0};
	struct str gone = {0};

	autosave_now(control->file, state, &e); /* what belongs to the old text */
	engine_stop(control->engine);
	state_engine_busy(state, false);
	control->refreshing = false;
	state_reload_model(state, bundle, model, &watch->cursors, &gone);
	autosave_reload(control->file, state);
	state_say(state, false, "reloaded %s%s%s", name_in(state->question.bundle.path), gone.n ? ": " : "",
		str_text(&gone));
	str_free(&gone);
}

enum reading { READ_SAME, READ_NEW, READ_ERRORS };

/* Reads the model from `path`. Errors are shown if `shows`. */
static enum reading
read_model_again(struct control *control, const char *path, bool shows)
{
	struct model_watch *watch = control->watch;
	struct state *state = control->s;
	struct bundle bundle = bundle_like(&state->question.bundle);
	struct udd_loader loader = bundle_disk_loader(&bundle);
	struct diags found = {0};
	struct udd_model *model = model_read(path, &loader, &found);
	enum reading reading = !model ? READ_ERRORS
		: bundle_equal(&bundle, &state->question.bundle) ? READ_SAME : READ_NEW;

	if (reading != READ_ERRORS)
		forget_errors(watch, state);
	if (reading == READ_NEW) {
		take_model(control, &bundle, model);
		watch_files(watch, &state->question.bundle, NULL);
	} else {
		udd_free(model);
	}
	if (reading == READ_ERRORS && shows) {
		show_errors(watch, state, path, &found);
		watch_files(watch, &state->question.bundle, &bundle);
	}
	diags_free(&found);
	bundle_free(&bundle);
	return reading;
}

static void
say_file_gone(struct model_watch *watch, struct state *s, const char *path)
{
	if (!watch->gone)
		state_say(s, true, "%s is gone; the model stays as it was read", path);
	watch->gone = true;
}

/* Reads what has changed, if it has settled. True when there is something to show. */
static bool
read_change(struct control *control)
{
	struct model_watch *watch = control->watch;
	struct state *state = control->s;
	const char *path = state->question.bundle.path;
	bool waited = state->view.frame.now - watch->changed >= PATIENCE_SECONDS, there = access(path, F_OK) == 0, said;

	if (!there && waited) {
		said = watch->gone;
		watch->changed = 0;
		say_file_gone(watch, state, path);
		return !said;
	}
	if (there) {
		enum reading reading = read_model_again(control, path, waited);

		if (reading != READ_ERRORS || waited) {
			watch->changed = 0;
			return reading != READ_SAME;
		}
	}
	watch->look = state->view.frame.now + SETTLE_SECONDS;
	return false;
}

/* --- from outside ------------------------------------------------------------------------------------------------- */

struct model_watch *
model_watch_new(void)
{
	struct model_watch *watch = mem_new(sizeof *watch);

	watch->fd = -1;
	return watch;
}

static void
forget_watch(struct model_watch *watch)
{
	forget_files(watch);
	free(watch->blamed.path);
	reload_cursors_free(&watch->cursors);
	*watch = (struct model_watch){.fd = -1};
}

void
model_watch_free(struct model_watch *watch)
{
	if (!watch)
		return;
	forget_watch(watch);
	free(watch);
}

void
control_forget_model(struct control *control)
{
	forget_watch(control->watch);
}

bool
control_follow_model(struct control *control)
{
	struct model_watch *watch = control->watch;
	struct state *state = control->s;
	enum popup popup = state->view.popup.kind;
	double now = state->view.frame.now;
	bool some = state->question.model && state_reload_cursors(state, &watch->cursors), events;

	if (!state->question.model)
		return false;
	if (!watch->begun) {
		watch->begun = true;
		if (is_on_disk(&state->question.bundle))
			watch_files(watch, &state->question.bundle, NULL);
	}
	events = take_events(watch);
	if (!watch->n || (!events && now < watch->look))
		return some;
	if (look_at_files(watch) || events) {
		watch->changed = watch->changed > 0 ? watch->changed : now;
		watch->look = now + SETTLE_SECONDS;
	} else if (watch->changed > 0 && (popup == POPUP_PROMPT || popup == POPUP_PALETTE)) {
		watch->look = now + LOOK_SECONDS; /* what is being typed may be about the model */
	} else if (watch->changed > 0) {
		watch->look = now + LOOK_SECONDS;
		some |= read_change(control);
	} else {
		watch->look = now + LOOK_SECONDS;
	}
	return some;
}

double
control_model_patience(const struct control *control)
{
	const struct model_watch *watch = control->watch;

	if (!control->s->question.model || (watch->begun && !watch->n) ||
		(watch->begun && watch->fd >= 0 && !(watch->changed > 0)))
		return INFINITY;
	return fmax(0, watch->look - control->s->view.frame.now);
}

int
control_model_fd(const struct control *control)
{
	return control->watch->fd;
}

void
control_note_counted(struct control *control)
{
	control->watch->counted = control->s->question.model;
}

bool
control_counts_model(const struct control *control)
{
	return control->watch->counted == control->s->question.model;
}

/* --- editing ------------------------------------------------------------------------------------------------------ */

/* The line that declares the feature under the cursor; 0: none. */
static int
line_of_feature(const struct state *s)
{
	const struct udd_model *model = s->question.model;
	size_t at = (size_t)s->view.cursor[PANE_FEATURES], length;
	const char *text = s->question.bundle.n ? s->question.bundle.file[0].text : "";

	if (s->view.current != VIEW_MODELS || state_pane(s) != PANE_FEATURES || at >= model->n_features)
		return 0;
	length = strlen(model->feature[at].name);
	for (int line = 1; *text; line++) {
		text += strspn(text, " \t");
		if (str_starts(text, "feature ") && strncmp(text + 8, model->feature[at].name, length) == 0 &&
			!isalnum((unsigned char)text[8 + length]) && text[8 + length] != '_')
			return line;
		text += strcspn(text, "\n");
		text += *text == '\n';
	}
	return 0;
}

/* Writes the model into a new file of the present folder. NULL and *e. */
static char *
copy_model(const struct state *s, struct err *e)
{
	const struct bundle *bundle = &s->question.bundle;
	const char *name = name_in(bundle->path), *dot = strrchr(name, '.');
	int stem = dot ? (int)(dot - name) : (int)strlen(name);
	struct str text = {0};
	char *path = str_format("%.*s.udd", stem, name);
	bool good;

	for (unsigned i = 2; access(path, F_OK) == 0; i++) {
		free(path);
		path = str_format("%.*s-%u.udd", stem, name, i);
	}
	if (bundle->n == 1)
		str_addn(&text, bundle->file[0].text, bundle->file[0].n);
	else
		udd_join(s->question.model, &text);
	good = output_save(path, &text, e);
	str_free(&text);
	if (!good) {
		free(path);
		return NULL;
	}
	return path;
}

/* Goes on with a copy of the model in the present folder. Returns its path; NULL: the screen says why not. */
static char *
edit_copy(struct control *control)
{
	struct state *state = control->s;
	struct err e = {0};
	char *path = NULL, *before = mem_str(state->question.bundle.path);

	if (state->question.model->form != UDD_FORM_UDD)
		state_say(state, true, "%s cannot be written: copy it with its files, and open the copy", before);
	else if (!(path = copy_model(state, &e)))
		state_say(state, true, "%s cannot be written, and neither can a copy: %s", before, e.what);
	else if (read_model_again(control, path, true) != READ_ERRORS && !str_eq(path, before))
		state_say(state, false, "%s stays as it is; its copy %s is open now", before, path);
	control->watch->begun = true;
	free(before);
	return path;
}

struct edit_place
control_edit_place(struct control *control)
{
	const struct model_watch *watch = control->watch;
	const struct bundle *bundle = &control->s->question.bundle;
	struct edit_place place = {0};

	if (watch->blamed.path)
		return (struct edit_place){mem_str(watch->blamed.path), watch->blamed.line};
	place.line = line_of_feature(control->s);
	if (watch->n && access(bundle->path, F_OK) == 0 && !file_is_installed(bundle->path))
		place.path = mem_str(bundle->path);
	else
		place.path = edit_copy(control);
	return place;
}

void
control_edited(struct control *control, const char *trouble)
{
	struct state *state = control->s;
	struct model_watch *watch = control->watch;
	const char *path = state->question.bundle.path;
	enum reading reading = READ_SAME;

	take_events(watch);
	look_at_files(watch);
	watch->changed = 0;
	if (access(path, F_OK) != 0)
		say_file_gone(watch, state, path);
	else
		reading = read_model_again(control, path, true);
	if (trouble && reading != READ_NEW)
		state_say(state, true, "%s", trouble);
}
