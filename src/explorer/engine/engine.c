#include "explorer/engine/engine.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/journal.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/obs/obs.h"
#include "explorer/engine/engine_state.h"
#include "explorer/engine/message.h"
#include "shape/wire.h"

#define PATIENCE_SECONDS 10.0 /* a PPL call takes 2 to 3 s; reading a hostile model takes up to 5 s */

static void
engine_append(struct engine_packet *to, const struct engine_packet *p)
{
	mem_grow(&to->data, &to->cap, to->n + p->n, 1);
	if (p->n)
		memcpy(to->data + to->n, p->data, p->n);
	to->n += p->n;
}

/* Queues bytes for the engine. Without a process nothing is queued, because engine_restart() sends model, tables and
 * request again. */
static void
queue(struct engine *g, const struct engine_packet *p)
{
	if (g->fd >= 0)
		engine_append(&g->out, p);
}

/* Queues bytes for the engine, and frees them. */
static void
queue_and_free(struct engine *g, struct engine_packet *p)
{
	if (g->fd >= 0 && !g->out.n) {
		free(g->out.data);
		g->out = *p;
	} else {
		queue(g, p);
		free(p->data);
	}
	*p = (struct engine_packet){0};
}

static bool
spawn(struct engine *engine, struct err *e)
{
	int pair[2], log[2];
	struct engine_estate *estate = &engine->estate;

	estate->n = 0;
	estate->giving = true;
	if (estate->give_tables)
		estate->give_tables(estate->ctx);
	estate->giving = false;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
		return err_set(e, "cannot start the engine: %s", strerror(errno));
	if (pipe2(log, O_CLOEXEC | O_NONBLOCK) != 0) {
		close(pair[0]);
		close(pair[1]);
		return err_set(e, "cannot start the engine: %s", strerror(errno));
	}
	fflush(NULL);
	engine->pid = fork();
	if (engine->pid == 0)
		serve_process(pair[1], log[1], engine->generation, estate->table, estate->n);
	close(pair[1]);
	close(log[1]);
	if (engine->pid < 0) {
		close(pair[0]);
		close(log[0]);
		return err_set(e, "cannot start the engine: %s", strerror(errno));
	}
	engine->fd = pair[0];
	engine->log_fd = log[0];
	fcntl(engine->fd, F_SETFL, O_NONBLOCK);
	return true;
}

struct engine *
engine_start(struct err *e)
{
	struct engine *engine = mem_new(sizeof *engine);
	void *page = mmap(
		NULL, 2 * sizeof *engine->generation, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	engine->fd = engine->log_fd = -1;
	engine->patience = PATIENCE_SECONDS;
	engine->page = engine->generation = page;
	if (page != MAP_FAILED)
		return engine;
	err_set(e, "cannot start the engine: %s", strerror(errno));
	free(engine);
	return NULL;
}

void
engine_bury(struct engine *engine)
{
	int status = 0;

	kill(engine->pid, SIGKILL);
	while (waitpid(engine->pid, &status, 0) < 0 && errno == EINTR)
		;
	if (WIFSIGNALED(status))
		snprintf(engine->why, sizeof engine->why, "signal %d", WTERMSIG(status));
	else
		snprintf(engine->why, sizeof engine->why, "exit status %d", WEXITSTATUS(status));
	close(engine->fd);
	close(engine->log_fd);
	engine->fd = engine->log_fd = -1;
	engine->n_in = engine->out.n = engine->sent = 0;
	engine->search_from = engine->search + 1;
}

void
engine_close(struct engine *engine)
{
	if (!engine)
		return;
	if (engine->fd >= 0)
		engine_bury(engine);
	munmap(engine->page, 2 * sizeof *engine->generation);
	free(engine->load.data);
	free(engine->run.data);
	free(engine->out.data);
	free(engine->in);
	free(engine->estate.table);
	free(engine);
}

/* Begins a message with room for the head, which engine_finish() fills in before it hands over the bytes. */
static struct wire
begin_message(void)
{
	struct wire w = {0};
	struct message_head head = {0};

	wire_bytes(&w, &head, sizeof head);
	return w;
}

static void
engine_finish(struct wire *w, enum message_kind kind, uint64_t request, struct engine_packet *into)
{
	struct message_head head = {.size = w->n - sizeof head, .kind = kind, .request = request};

	memcpy(w->data, &head, sizeof head);
	journal_line("explorer", "asks %s %llu, %zu bytes", message_name(kind), (unsigned long long)request, w->n);
	free(into->data);
	/* Packets are kept for a restart, so without the room that writing them doubled. */
	*into = (struct engine_packet){.data = mem_resize(w->data, w->n, 1), .n = w->n, .cap = w->n};
}

bool
engine_restart(struct engine *g, struct err *e)
{
	if (!spawn(g, e))
		return false;
	queue(g, &g->load);
	if (engine_busy(g))
		queue(g, &g->run);
	g->asked_at = clock_seconds();
	return true;
}

/* Sends a request; if the last process was given up, starts a new one first. */
static void
engine_ask(struct engine *g, const struct engine_packet *p)
{
	if (g->fd >= 0) {
		queue(g, p);
		return;
	}
	g->deaths = 0;
	g->unheard = (struct err){0};
	if (engine_restart(g, &g->unheard) && p != &g->run)
		queue(g, p);
}

void
engine_inherits(struct engine *g, void (*give_tables)(void *ctx), void *ctx)
{
	g->estate.give_tables = give_tables;
	g->estate.ctx = ctx;
}

void
engine_load(struct engine *engine, const struct bundle *b, const struct analysis_options *analysis_options)
{
	struct wire w = begin_message();
	struct bundle bundle = *b;
	struct analysis_options options = *analysis_options;
	struct err e;

	bundle_wire(&w, &bundle);
	analysis_options_wire(&w, &options);
	engine_finish(&w, MESSAGE_LOAD, 0, &engine->load);
	engine->search_from = engine->search + 1;
	engine_stop(engine);
	if (engine->fd >= 0)
		engine_bury(engine);
	engine->deaths = 0;
	engine_restart(engine, &e); /* the first request tries again, and reports a failure */
}

void
engine_table(struct engine *engine, size_t at, const struct obs_table *obs_table)
{
	struct wire w = {0};
	struct obs_table copy = *obs_table, *table = &copy; /* reading would replace it */
	struct engine_packet p = {0};
	struct engine_estate *estate = &engine->estate;

	if (estate->giving) {
		mem_grow(&estate->table, &estate->cap, estate->n + 1, sizeof *estate->table);
		estate->table[estate->n++] = (struct inherited){at, obs_table};
	}
	if (estate->giving || engine->fd < 0)
		return;
	w = begin_message();
	wire_size(&w, &at);
	obs_table_wire(&w, &table);
	engine_finish(&w, MESSAGE_TABLE, 0, &p);
	engine->search_from = engine->search + 1;
	queue_and_free(engine, &p);
}

void
engine_rows(struct engine *engine, size_t at, const struct obs_table *table, size_t index, size_t from)
{
	const struct obs *obs = table->obs[index];
	struct obs slice = *obs, *rows = &slice;
	struct wire w = begin_message();
	struct engine_packet p = {0};
	size_t cell = from * obs->n_columns;

	slice.n_rows = obs->n_rows - from;
	slice.count = obs->count + cell;
	slice.counted = obs->counted + cell;
	slice.time = obs->time ? obs->time + from : NULL;
	slice.running = obs->running ? obs->running + cell : NULL;
	slice.error = obs->error ? obs->error + cell : NULL;
	wire_size(&w, &at);
	wire_size(&w, &index);
	obs_rows_wire(&w, &rows);
	engine_finish(&w, MESSAGE_ROWS, 0, &p);
	queue_and_free(engine, &p);
}

uint64_t
engine_run(struct engine *engine, const struct fset *on)
{
	struct wire w = begin_message();
	struct fset copy = *on;

	wire_bytes(&w, &copy, sizeof copy);
	engine->request++;
	atomic_store(engine->generation, engine->request);
	engine_finish(&w, MESSAGE_RUN, engine->request, &engine->run);
	engine_ask(engine, &engine->run);
	engine->asked_at = clock_seconds();
	engine->deaths = 0;
	return engine->request;
}

void
engine_witness(struct engine *g, uint32_t counter)
{
	struct wire w = begin_message();
	struct engine_packet p = {0};
	uint64_t number = counter;

	wire_u64(&w, &number);
	engine_finish(&w, MESSAGE_WITNESS, g->request, &p);
	engine_ask(g, &p);
	free(p.data);
}

/* Finishes a question and sends it. */
static void
send_question(struct engine *g, struct wire *w, enum message_kind kind)
{
	struct engine_packet p = {0};

	engine_finish(w, kind, g->request, &p);
	engine_ask(g, &p);
	free(p.data);
}

void
engine_touch(struct engine *g, const struct fset *features, size_t number, const struct constraint *constraint)
{
	struct wire w = begin_message();
	struct fset on = *features;
	struct constraint c = *constraint;

	wire_bytes(&w, &on, sizeof on);
	wire_size(&w, &number);
	wire_bool(&w, &c.equality);
	wire_i64s(&w, &c.coef, &c.n);
	send_question(g, &w, MESSAGE_TOUCH);
}

void
engine_loss(struct engine *engine, const struct result *result, size_t counter)
{
	struct wire w = begin_message();
	struct fset on = result->on;
	size_t n = result->n_findings;

	wire_bytes(&w, &on, sizeof on);
	wire_size(&w, &counter);
	wire_size(&w, &n);
	for (size_t i = 0; i < n; i++) {
		bool refuted = result->finding[i].verdict == VERDICT_INFEASIBLE;

		wire_bool(&w, &refuted);
	}
	send_question(engine, &w, MESSAGE_LOSS);
}

void
engine_geometry(struct engine *g, const struct fset *features, size_t finding)
{
	struct wire w = begin_message();
	struct fset on = *features;

	wire_bytes(&w, &on, sizeof on);
	wire_size(&w, &finding);
	send_question(g, &w, MESSAGE_GEOMETRY);
}

void
engine_search(struct engine *engine, const struct fset *features, const struct fset *pinned, enum search_task what)
{
	struct wire w = begin_message();
	struct fset on = *features, fixed = *pinned;
	int task = (int)what;

	engine->search++;
	wire_u64(&w, &engine->search);
	wire_bytes(&w, &on, sizeof on);
	wire_bytes(&w, &fixed, sizeof fixed);
	wire_int(&w, &task);
	send_question(engine, &w, MESSAGE_SEARCH);
}

void
engine_flow(struct engine *g, const struct fset *features, size_t finding, size_t feature)
{
	struct wire w = begin_message();
	struct fset on = *features;

	wire_bytes(&w, &on, sizeof on);
	wire_size(&w, &finding);
	wire_size(&w, &feature);
	send_question(g, &w, MESSAGE_FLOW);
}

void
engine_stop(struct engine *g)
{
	g->request++;
	g->answered = g->request;
	atomic_store(g->generation, g->request);
}

bool
engine_busy(const struct engine *g)
{
	return g->answered < g->request;
}

uint64_t
engine_request(const struct engine *g)
{
	return g->request;
}

int
engine_pid(const struct engine *g)
{
	return g->fd >= 0 ? (int)g->pid : -1;
}

void
engine_set_patience(struct engine *g, double seconds)
{
	g->patience = seconds;
}

int
engine_fd(const struct engine *g)
{
	return g->fd;
}

bool
engine_wants_write(const struct engine *g)
{
	return g->sent < g->out.n;
}

int
engine_log_fd(const struct engine *g)
{
	return g->log_fd;
}

void
engine_read_log(struct engine *g, struct str *log)
{
	char text[4096];
	ssize_t n;

	while (g->log_fd >= 0 && (n = read(g->log_fd, text, sizeof text)) > 0)
		str_addn(log, text, (size_t)n);
}
