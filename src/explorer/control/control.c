#include "explorer/control/control.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/journal.h"
#include "base/mem.h"
#include "base/str.h"
#include "collect/source.h"
#include "core/obs/obs.h"
#include "core/obs/packed.h"
#include "core/trust/correct.h"
#include "core/udd/model.h"
#include "explorer/autosave/autosave.h"
#include "explorer/control/control_files.h"
#include "explorer/control/control_model.h"
#include "explorer/control/control_parts.h"
#include "explorer/engine/engine.h"
#include "explorer/state/state_diff.h"
#include "explorer/state/state_events.h"
#include "explorer/state/state_leave.h"
#include "explorer/state/state_probes.h"
#include "explorer/state/state_search.h"
#include "explorer/state/state_start.h"
#include "explorer/state/state_texts.h"
#include "explorer/state/state_texts.h"
#include "work/files/files.h"
#include "work/catalogue.h"
#include "work/diff/contest.h"
#include "work/fit/fitting.h"
#include "work/files/instruction_run.h"
#include "work/files/recent.h"
#include "work/machine.h"
#include "work/run/output.h"
#include "work/run/run.h"
#include "work/slices/sliced.h"
#include "work/trust/facts.h"
#include "work/trust/known.h"

#define PEEK_SECONDS 0.25

static void
give_tables(void *ctx)
{
	struct control *control = ctx;

	for (size_t i = 0; i < control->s->data.n_tables; i++) {
		obs_table_pack(control->s->data.table[i]);
		engine_table(control->engine, i, control->s->data.table[i]);
	}
	mem_return_free();
	control_send_tables(control);
}

void
control_open(struct control *d, struct state *s, struct engine *engine, size_t runs)
{
	*d = (struct control){
		.s = s, .engine = engine, .runs_left = runs, .runs = runs_new(), .probing = runs_new(),
		.keep = source_keep_new(),
		.file = autosave_new(), .watch = model_watch_new()};
	engine_inherits(engine, give_tables, d);
	state_set_known(s, trust_known_of(mem_new(sizeof(struct trust_book)), NULL, NULL));
}

void
control_look(struct control *control, unsigned what)
{
	struct state *state = control->s;

	what &= ~control->looked;
	control->looked |= what;
	if (what & LOOK_HOME)
		state_list_home(state);
	if (what & LOOK_MACHINE) {
		machine_probe(&state->data.machine);
		file_offer_demo(&state->data.machine);
	}
	if (what & LOOK_BOOKS)
		state_set_known(state, trust_known_load());
}

/* Looks at one thing more, after the first frame. True: there is something to show. */
static bool
look_further(struct control *control)
{
	unsigned next = ~control->looked & (control->looked + 1);

	if (control->looked == LOOK_ALL)
		return false;
	control_look(control, next);
	return true;
}

void
control_close(struct control *control)
{
	autosave_free(control->file);
	model_watch_free(control->watch);
	state_forget_runs(control->s);
	state_set_probing(control->s, NULL);
	runs_free(control->runs);
	runs_free(control->probing);
	output_free(control->output);
	free(control->leader.name);
	free(control->leader.source);
	free(control->leader.sent);
	free(control->recent);
	source_keep_free(control->keep);
	engine_close(control->engine);
	control_forget_lesson(control);
}

void
control_leave(struct control *control)
{
	if (control->s->data.saved.in && state_has_curves(control->s)) { /* they are part of that session */
		control_end_probes(control);
		control_follow_probes(control);
		autosave_leave(control->file, control->s);
		state_set_probes(control->s, NULL);
	}
	autosave_leave(control->file, control->s);
	engine_stop(control->engine); /* its answers would be about what is left */
	state_engine_busy(control->s, false);
	control->refreshing = false;
	state_forget_subject(control->s);
	output_free(control->output);
	control->output = NULL;
	control_forget_model(control);
	control->growing = control->again = false;
	control->runs_left = 0;
	control->no_flows = (struct err){0};
}

/* What is known of the processors that the data were counted on, and of this one, goes with the model. */
static void
load_engine(struct control *control)
{
	struct state *state = control->s;
	struct analysis_options how = state->question.how;

	state_search_ended(state);
	control_look(control, LOOK_BOOKS);
	if (!how.no_books && state->data.known) {
		trust_facts_add_tables(&how.books, state->data.known->book, state->data.table, state->data.n_tables);
		trust_facts_add_here(&how.books, state->data.known->book);
	}
	engine_load(control->engine, &state->question.bundle, &how);
	if (!how.no_books)
		trust_books_clear(&how.books);
}

static void
mount_tracefs(struct control *d)
{
	struct err e = {0};

	if (!machine_mount_tracefs(&e))
		state_say(d->s, true, "%s", e.what);
	machine_probe(&d->s->data.machine);
	file_offer_demo(&d->s->data.machine);
}

static void
ask_engine(struct control *d)
{
	struct state *s = d->s;

	state_search_ended(s); /* this stops the search; its results so far still arrive */
	if (d->growing && run_running(s->data.leader))
		control_send_rows(d);
	engine_run(d->engine, &s->question.on);
	state_engine_asked(s);
	d->refreshing = d->gave_up = false;
	d->asked_at = s->view.frame.now;
}

/* Reads the totals so far of the running command, four times a second. */
static void
peek(struct control *control)
{
	struct state *state = control->s;

	if (!state->question.model || !control_counts_model(control) || !run_peeks(state->data.leader) ||
		run_facts(state->data.leader).growing ||
		state->view.frame.now - control->peeked_at < PEEK_SECONDS)
		return;
	control->peeked_at = state->view.frame.now;
	if (!state->data.so_far.total) {
		size_t n = state->question.model->n_counters + EVENTS_ADDED_MOST;

		state->data.so_far.total = mem_new_array(n, sizeof *state->data.so_far.total);
		state->data.so_far.counted = mem_new_array(n, sizeof *state->data.so_far.counted);
	}
	state->data.leader->ops->peek(state->data.leader, state->data.so_far.total, state->data.so_far.counted);
}

static void
keep_in_new_file(struct control *d, const char *path)
{
	struct state *s = d->s;
	struct err e = {0};
	bool leaves = s->view.leaving.failure != NULL; /* the question before leaving asked for this file */

	if (!s->question.model && !s->data.timeline && !state_has_curves(s))
		state_say(s, false, "nothing is open yet, so there is nothing to save");
	else if (!autosave_make(d->file, s, path, &e) && leaves)
		state_leave_failed(s, e.what);
	else if (*e.what)
		state_say(s, true, "%s%s%s", e.what, *e.hint ? "; " : "", e.hint);
	else if (leaves)
		state_leave_goes(s);
	else
		state_say(s, false, "kept from now on in %s", path);
}

/* Starts a search, with a new number. */
static void
control_search(struct control *d, enum search_task task)
{
	struct state *s = d->s;

	engine_stop(d->engine);
	state_set_asked(s, (struct detail){0});
	d->search_request = engine_request(d->engine);
	engine_search(d->engine, &s->question.on, &s->question.pinned, task);
	state_search_began(s, task);
}

/* Preconditions of a request. If one may still come true, the request waits in the queue; otherwise it is dropped. */
enum {
	NEEDS_MODEL = 1,   /* dropped without one */
	NEEDS_RESULT = 2,  /* waits for one that is being computed; otherwise dropped without one */
	NEEDS_IDLE = 4,    /* waits for the engine's answer: otherwise a part of a result, what features do, is lost */
	NEEDS_POPUP = 8,   /* waits while the engine works on a witness for the pane: the popup has another one */
};

static const unsigned needs[REQUEST_KINDS] = {
	[REQUEST_LOAD] = NEEDS_MODEL,
	[REQUEST_RESULT] = NEEDS_MODEL,
	[REQUEST_FLOW] = NEEDS_RESULT | NEEDS_IDLE,
	[REQUEST_WITNESS] = NEEDS_IDLE | NEEDS_POPUP,
	[REQUEST_SEARCH] = NEEDS_RESULT | NEEDS_IDLE,
};

static bool
waits(const struct control *d, enum request_kind kind)
{
	return (needs[kind] & NEEDS_IDLE && engine_busy(d->engine)) ||
		(needs[kind] & NEEDS_POPUP && d->s->answers.asked.kind == DETAIL_WITNESS);
}

static bool
is_void(const struct control *d, enum request_kind kind)
{
	return (needs[kind] & NEEDS_MODEL && !d->s->question.model) ||
		(needs[kind] & NEEDS_RESULT && !d->s->answers.result && !engine_busy(d->engine));
}

/* Runs again: after the end of the present run, if there is one. */
static void
run_again(struct control *d)
{
	d->again = state_running(d->s);
	if (d->again)
		control_end_command(d);
	else
		control_start_command(d);
}

static void
carry_out(struct control *control, const struct request *request)
{
	struct state *state = control->s;

	switch (request->kind) {
	case REQUEST_KEEP:
		keep_in_new_file(control, request->text);
		break;
	case REQUEST_OPEN:
		requests_drop(&state->requests, REQUEST_SEARCH);
		if (control_opens_beside(request->text, (enum open_then)request->number) ||
			state_may_leave(state, request->text, request->number))
			control_open_file(control, request->text, (enum open_then)request->number);
		break;
	case REQUEST_LEAVE:
		control_save_and_leave(control, (enum leave_answer)request->number);
		break;
	case REQUEST_JUDGE:
		control_judge(control, request->text);
		break;
	case REQUEST_LIST_TEXTS:
		control_list_texts(control);
		state_show_choices(state);
		break;
	case REQUEST_OPEN_TEXT:
		control_open_text(control, request->number);
		break;
	case REQUEST_STOP:
		requests_drop(&state->requests, REQUEST_SEARCH);
		control_stop_engine(control);
		break;
	case REQUEST_END_RUN:
		if (state_running(state))
			control_end_command(control);
		break;
	case REQUEST_LOAD:
		load_engine(control);
		break;
	case REQUEST_MOUNT:
		mount_tracefs(control);
		control_start_command(control);
		break;
	case REQUEST_RUN:
		control_start_command(control);
		break;
	case REQUEST_RERUN:
		run_again(control);
		break;
	case REQUEST_RESULT:
		ask_engine(control);
		break;
	case REQUEST_FLOW:
		engine_flow(control->engine, &state->answers.result->on, state->view.selected, request->number);
		break;
	case REQUEST_WITNESS:
		engine_witness(control->engine, (uint32_t)request->number);
		break;
	case REQUEST_SEARCH:
		control_search(control, (enum search_task)request->number);
		break;
	case REQUEST_LIST_PROBES:
		control_list_probes(control, request->text);
		break;
	case REQUEST_PROBE:
		control_probe(control, request->text, request->number);
		break;
	case REQUEST_END_PROBES:
		control_end_probes(control);
		break;
	case REQUEST_CONTEST:
		control_contest(control);
		break;
	case REQUEST_END_CONTEST:
		control_end_contest(control);
		break;
	case REQUEST_PAIR:
		control_pair(control);
		break;
	case REQUEST_KEEP_CONTEST:
		control_keep_contest(control, request->text);
		break;
	case REQUEST_SLICES:
		control_slice(control);
		break;
	case REQUEST_CATALOGUE:
		control_load_catalogue(control);
		break;
	case REQUEST_FIT:
		control_ask_fit(control);
		break;
	case REQUEST_INSTRUCTIONS:
		control_simulate_instructions(control, request->text);
		break;
	case REQUEST_KEEP_LESSON:
		control_keep_lesson(control);
		break;
	case REQUEST_SOLUTION:
		control_write_solution(control);
		break;
	case REQUEST_REDRAW:
	case REQUEST_LESSON:
	case REQUEST_PICTURE:
	case REQUEST_REPORT:
	case REQUEST_EDIT:
	case REQUEST_QUIT:
	case REQUEST_KINDS:
		break;
	}
}

void
control_carry_out(struct control *control)
{
	struct requests *requests = &control->s->requests;

	for (size_t i = 0; i < requests->n;) {
		enum request_kind kind = requests->item[i].kind;
		struct request r;

		if (kind >= REQUEST_OF_UI || (!is_void(control, kind) && waits(control, kind))) {
			i++;
			continue;
		}
		r = requests_take(requests, i);
		if (!is_void(control, kind)) {
			double before = clock_seconds();

			carry_out(control, &r);
			journal_line("control", "request %s %zu %s: %.1f ms", request_name(kind), r.number,
				r.text ? r.text : "-", 1e3 * (clock_seconds() - before));
		}
		free(r.text);
		i = 0; /* its own requests are last in the queue, and requests that waited may go on */
	}
	control_ask_more(control);
}

/* Puts the session file that has been opened or made since at the head of the recent ones. */
static void
control_note_recent(struct control *control)
{
	const char *now = control->s->data.saved.in;

	if (!now || control->s->layout == &layout_initial || (control->recent && str_eq(now, control->recent)))
		return;
	recent_add(now);
	state_list_home(control->s);
	free(control->recent);
	control->recent = mem_str(now);
	control_list_texts(control);
	if (state_choices(control->s) > state_variants(control->s) && !*control->s->view.message.text)
		state_say(control->s, false, "%s holds %zu models; v lists them", now, control->s->data.saved.n_texts);
}

bool
control_listen(struct control *control)
{
	struct state *state = control->s;
	bool some = control_take_replies(control);

	some |= control_follow_probes(control);
	some |= control_follow_contest(control);
	some |= control_follow_slices(control);
	some |= control_follow_instructions(control);
	some |= control_follow_catalogue(control);
	some |= fitting_poll(state->view.events.fitting);
	some |= control_follow_lesson(control);
	control->heard = false;
	runs_poll(control->runs, control_run_news, control);
	some |= control->heard;
	some |= control_follow_growth(control);
	if (control->heard && !state->question.model)
		some |= control_follow_timeline(control);
	peek(control);
	if (control->output)
		output_read(control->output, &state->data.output, &state->data.output_total);
	some |= control_follow_leaving(control);
	some |= look_further(control);
	some |= control_follow_model(control);
	some |= state_read_home(state);
	control_note_recent(control);
	return autosave_tick(control->file, state) || some;
}

double
control_patience(const struct control *d)
{
	double now = d->s->view.frame.now, rest = d->resting.at > now ? d->resting.at - now : INFINITY;

	if (d->looked != LOOK_ALL || !state_home_is_read(d->s))
		return 0;
	return fmin(rest,
		fmin(fmin(fmin(autosave_patience(d->file, d->s), control_lesson_patience(d)),
			     control_model_patience(d)),
			fmin(runs_patience(d->runs), runs_patience(d->probing))));
}

/* Readable when the process that simulates instructions has news; -1: there is none. */
static int
instructions_fd(const struct control *d)
{
	return d->s->view.popup.instructions ? instruction_run_fd(d->s->view.popup.instructions) : -1;
}

bool
control_busy(const struct control *d)
{
	return d->s->answers.progress.busy || d->s->answers.search.task != SEARCH_NONE ||
		d->s->answers.asked.kind != DETAIL_NONE || state_running(d->s) || state_probing(d->s) ||
		state_measures(d->s) || d->s->data.slicing || instructions_fd(d) >= 0;
}

void
control_poll(const struct control *control, struct pollfd p[CONTROL_POLLS])
{
	p[0] = (struct pollfd){.fd = engine_fd(control->engine),
		.events = (short)(POLLIN | (engine_wants_write(control->engine) ? POLLOUT : 0))};
	p[1] = (struct pollfd){.fd = engine_log_fd(control->engine), .events = POLLIN};
	for (size_t i = 2; i < CONTROL_POLLS; i++)
		p[i] = (struct pollfd){.fd = -1};
	runs_fds(control->runs, p + 2);
	runs_fds(control->probing, p + 2 + RUNS_FDS);
	p[CONTROL_POLLS - 3] = (struct pollfd){.fd = control_model_fd(control), .events = POLLIN};
	p[CONTROL_POLLS - 2] = (struct pollfd){.fd = instructions_fd(control), .events = POLLIN};
	if (control->s->view.events.catalogue)
		p[CONTROL_POLLS - 4] =
			(struct pollfd){.fd = catalogue_fd(control->s->view.events.catalogue), .events = POLLIN};
	p[CONTROL_POLLS - 5] = (struct pollfd){.fd = fitting_fd(control->s->view.events.fitting), .events = POLLIN};
	if (control->s->data.contest)
		p[CONTROL_POLLS - 6] = (struct pollfd){.fd = contest_fd(control->s->data.contest), .events = POLLIN};
	if (control->s->data.slicing)
		p[CONTROL_POLLS - 1] = (struct pollfd){.fd = slicing_fd(control->s->data.slicing), .events = POLLIN};
}
