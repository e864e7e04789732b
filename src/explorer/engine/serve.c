
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/caps.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/journal.h"
#include "base/mem.h"
#include "base/panic.h"
#include "base/str.h"
#include "convert/fdl/fdl.h"
#include "core/obs/obs.h"
#include "core/udd/model.h"
#include "explorer/engine/message.h"
#include "shape/wire.h"
#include "text/diag.h"
#include "work/analysis/analysis.h"
#include "work/analysis/geometry.h"
#include "work/analysis/loss.h"
#include "work/analysis/touch.h"
#include "work/analysis/uop_ranges.h"
#include "work/files/files.h"
#include "work/search/search.h"

#define PROGRESS_SECONDS 0.05
#define REST_MS 300 /* without a message, after which free memory goes back to the system */

struct server {
	int fd;
	_Atomic uint64_t *generation;
	uint64_t request;
	double reported_at;
	struct udd_model *model;
	struct analysis *analysis;
	const struct inherited *inherited;
	size_t n_inherited;
	struct fset on; /* features of the last request */
	uint64_t search; /* number of the running search */
};

static bool
receive(int fd, void *p, size_t n)
{
	for (size_t at = 0; at < n;) {
		ssize_t got = recv(fd, (char *)p + at, n - at, 0);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return false;
		at += (size_t)got;
	}
	return true;
}

static void
reply(struct server *server, enum message_kind kind, const struct wire *wire)
{
	struct message_head head = {.size = wire->n, .kind = kind, .request = server->request};
	const struct { const void *p; size_t n; } part[] = {{&head, sizeof head}, {wire->data, wire->n}};

	for (int k = 0; k < 2; k++)
		for (size_t at = 0; at < part[k].n;) {
			ssize_t n = send(server->fd, (const char *)part[k].p + at, part[k].n - at, MSG_NOSIGNAL);

			if (n < 0 && errno == EINTR)
				continue;
			if (n <= 0)
				return; /* the explorer has ended; the next receive ends the loop */
			at += (size_t)n;
		}
}

static bool
serve_go_on(void *ctx, const char *stage, size_t done, size_t of)
{
	struct server *server = ctx;
	double now = clock_seconds();
	struct wire w = {0};
	char *text;

	if (atomic_load(&server->generation[0]) != server->request)
		return false;
	if (now - server->reported_at < PROGRESS_SECONDS)
		return true;
	server->reported_at = now;
	text = mem_str(stage);
	wire_str(&w, &text);
	free(text);
	wire_size(&w, &done);
	wire_size(&w, &of);
	reply(server, MESSAGE_PROGRESS, &w);
	wire_free(&w);
	return true;
}

/* Takes over the explorer's tables. Cells that neither process changes are in memory once. */
static void
inherit(struct server *server)
{
	for (size_t i = 0; i < server->n_inherited && server->analysis; i++) {
		struct obs_table *table = mem_copy(server->inherited[i].table, sizeof *table);

		for (size_t k = 0; k < table->n; k++)
			table->obs[k]->changes = &table->changes;
		analysis_set_table(server->analysis, server->inherited[i].at, table);
	}
	server->n_inherited = 0;
}

static void
on_load(struct server *server, struct wire *wire)
{
	struct bundle b = {0};
	struct analysis_options o = {0};
	struct udd_loader loader = bundle_loader(&b);
	struct diags d = {0};
	struct udd_model *model;

	bundle_wire(wire, &b);
	analysis_options_wire(wire, &o);
	analysis_free(server->analysis);
	udd_free(server->model);
	server->analysis = NULL;
	model = server->model = wire->bad || !b.path ? NULL : model_read(b.path, &loader, &d);
	if (model)
		server->analysis = analysis_new(model, &o);
	inherit(server);
	diags_free(&d);
	analysis_options_free(&o);
	bundle_free(&b);
}

static void
on_table(struct server *s, struct wire *w)
{
	struct obs_table *t = NULL;
	size_t at = 0;

	wire_size(w, &at);
	obs_table_wire(w, &t);
	if (s->analysis && !w->bad)
		analysis_set_table(s->analysis, at, t);
	else
		obs_table_free(t);
}

static void
on_rows(struct server *s, struct wire *w)
{
	struct obs *rows = NULL;
	size_t at = 0, index = 0;

	wire_size(w, &at);
	wire_size(w, &index);
	obs_rows_wire(w, &rows);
	if (s->analysis && !w->bad)
		analysis_add_rows(s->analysis, at, index, rows);
	obs_free(rows);
}

static void
serve_fail(struct server *s, const char *why)
{
	struct wire w = {0};
	char *text = mem_str(why);

	wire_str(&w, &text);
	reply(s, MESSAGE_FAILED, &w);
	wire_free(&w);
	free(text);
}

static void
on_run(struct server *server, struct wire *wire)
{
	struct analysis_watch watch = {.go_on = serve_go_on, .ctx = server};
	struct wire out = {0};
	struct result *result;
	struct neighbours *neighbours = NULL;
	struct fset on;

	wire_bytes(wire, &on, sizeof on);
	server->on = on;
	if (atomic_load(&server->generation[0]) != server->request)
		return;
	atomic_store(&server->generation[1], server->request);
	if (!server->analysis || wire->bad) {
		serve_fail(server, "the engine has no model");
		return;
	}
	server->reported_at = clock_seconds();
	result = analysis_run(server->analysis, &on, &watch);
	if (!result)
		return;
	result->request = server->request;
	result_wire(&out, result);
	reply(server, MESSAGE_RESULT, &out);
	wire_free(&out);
	neighbours = analysis_neighbours(server->analysis, result, &watch);
	if (neighbours) {
		neighbours->request = server->request;
		neighbours_wire(&out, neighbours);
		reply(server, MESSAGE_NEIGHBOURS, &out);
		wire_free(&out);
	}
	neighbours_free(neighbours);
	result_free(result);
}

static void
on_witness(struct server *server, struct wire *wire)
{
	struct str text = {0};
	struct wire out = {0};
	uint64_t counter = 0;
	char *lines;

	wire_u64(wire, &counter);
	if (!server->analysis || wire->bad)
		return;
	analysis_witness(server->analysis, &server->on, (size_t)counter, &text);
	lines = str_take(&text);
	wire_str(&out, &lines);
	reply(server, MESSAGE_WITNESS, &out);
	wire_free(&out);
	free(lines);
}

/* False when a newer request is known: then the question is not answered. */
static bool
is_current(const struct server *s)
{
	return s->analysis && atomic_load(&s->generation[0]) == s->request;
}

static void
on_touch(struct server *server, struct wire *wire)
{
	struct analysis_watch watch = {.go_on = serve_go_on, .ctx = server};
	struct wire out = {0};
	struct constraint_detail *detail = NULL;
	struct fset on;
	size_t constraint = 0, n = 0;
	int64_t *coef = NULL;
	bool equality = false;

	wire_bytes(wire, &on, sizeof on);
	wire_size(wire, &constraint);
	wire_bool(wire, &equality);
	wire_i64s(wire, &coef, &n);
	server->reported_at = clock_seconds();
	if (!wire->bad && is_current(server) && n == server->model->n_counters)
		detail = analysis_touch(server->analysis, &on, constraint, coef, equality, &watch);
	if (detail) {
		touch_wire(&out, detail);
		reply(server, MESSAGE_TOUCH, &out);
	}
	wire_free(&out);
	touch_free(detail);
	free(coef);
}

static void
on_loss(struct server *server, struct wire *wire)
{
	struct analysis_watch watch = {.go_on = serve_go_on, .ctx = server};
	struct wire out = {0};
	struct counter_loss *loss = NULL;
	struct fset on;
	size_t counter = 0, n = 0;
	bool *refuted = NULL;

	wire_bytes(wire, &on, sizeof on);
	wire_size(wire, &counter);
	wire_array(wire, &refuted, &n, sizeof *refuted, 1);
	for (size_t i = 0; i < n; i++)
		wire_bool(wire, &refuted[i]);
	server->reported_at = clock_seconds();
	if (!wire->bad && is_current(server))
		loss = analysis_loss(server->analysis, &on, counter, refuted, n, &watch);
	if (loss) {
		loss_wire(&out, loss);
		reply(server, MESSAGE_LOSS, &out);
	}
	wire_free(&out);
	loss_free(loss);
	free(refuted);
}

/* Replies to a question without an answer, too; otherwise the explorer would wait for one. */
static void
on_geometry(struct server *server, struct wire *wire)
{
	struct analysis_watch watch = {.go_on = serve_go_on, .ctx = server};
	struct wire out = {0};
	struct geometry *geometry = NULL;
	struct fset on;
	size_t finding = 0;

	wire_bytes(wire, &on, sizeof on);
	wire_size(wire, &finding);
	server->reported_at = clock_seconds();
	if (wire->bad || !is_current(server))
		return;
	geometry = analysis_geometry(server->analysis, &on, finding, &watch);
	if (!geometry && is_current(server)) {
		geometry = mem_new(sizeof *geometry);
		geometry->finding = finding;
		geometry->failed = true;
	}
	if (geometry) {
		geometry_wire(&out, geometry);
		reply(server, MESSAGE_GEOMETRY, &out);
	}
	wire_free(&out);
	geometry_free(geometry);
}

static void
send_search(void *ctx, struct search_graph *graph)
{
	struct server *s = ctx;
	struct wire out = {0};

	wire_u64(&out, &s->search);
	search_graph_wire(&out, graph);
	reply(s, MESSAGE_SEARCH, &out);
	wire_free(&out);
}

static void
refuse_search(struct server *s, const struct search_request *r, const char *why)
{
	struct search_graph *g = search_graph_new();

	g->task = (int)r->task;
	g->fixed = r->fixed;
	search_graph_set_reason(g, why);
	send_search(s, g);
	search_graph_free(g);
}

/* Runs a search. Every search gets a last reply, even if it was stopped before it began. */
static void
on_search(struct server *server, struct wire *wire)
{
	struct analysis_watch watch = {.go_on = serve_go_on, .ctx = server};
	struct search_request r = {.report = send_search, .ctx = server};
	struct search *found;
	struct err e;
	int task = 0;

	wire_u64(wire, &server->search);
	wire_bytes(wire, &r.on, sizeof r.on);
	wire_bytes(wire, &r.fixed, sizeof r.fixed);
	wire_int(wire, &task);
	r.task = (enum search_task)task;
	server->reported_at = clock_seconds();
	if (wire->bad || task <= SEARCH_NONE || task > SEARCH_AUTO) {
		refuse_search(server, &r, "the engine received no description of the search");
	} else if (!server->analysis) {
		refuse_search(server, &r, "the engine has no model");
	} else if (!is_current(server)) {
		refuse_search(server, &r, "it was stopped before it began");
	} else if (!udd_legal(server->model, &r.on, &e)) {
		refuse_search(server, &r, "the search cannot begin: its first features violate a requires or excludes");
	} else {
		found = search_run_task(server->analysis, &r, &watch);
		send_search(server, found->graph);
		search_free(found);
	}
}

/* Sends text in any case, except when a newer request has superseded the question. */
static void
on_flow(struct server *server, struct wire *wire)
{
	struct analysis_watch watch = {.go_on = serve_go_on, .ctx = server};
	struct str text = {0};
	struct wire out = {0};
	struct fset on;
	size_t finding = 0, feature = 0;
	char *lines;

	wire_bytes(wire, &on, sizeof on);
	wire_size(wire, &finding);
	wire_size(wire, &feature);
	server->reported_at = clock_seconds();
	if (wire->bad || !is_current(server) || feature >= server->model->n_features)
		return;
	uop_ranges_explain(server->analysis, &on, finding, feature, &watch, &text);
	lines = str_take(&text);
	wire_str(&out, &lines);
	if (is_current(server))
		reply(server, MESSAGE_FLOW, &out);
	wire_free(&out);
	free(lines);
}

/* The handlers of messages; those that the engine itself sends have none. */
static void (*const handler[])(struct server *, struct wire *) = {
	[MESSAGE_LOAD] = on_load,
	[MESSAGE_TABLE] = on_table,
	[MESSAGE_ROWS] = on_rows,
	[MESSAGE_RUN] = on_run,
	[MESSAGE_WITNESS] = on_witness,
	[MESSAGE_TOUCH] = on_touch,
	[MESSAGE_LOSS] = on_loss,
	[MESSAGE_GEOMETRY] = on_geometry,
	[MESSAGE_FLOW] = on_flow,
	[MESSAGE_SEARCH] = on_search,
};

/* Waits for a message, and returns memory when none comes for a while. */
static void
wait_for_message(int fd)
{
	struct pollfd p = {.fd = fd, .events = POLLIN};

	if (poll(&p, 1, REST_MS) == 0)
		mem_return_free();
}

void
serve_requests(int fd, _Atomic uint64_t *generation, const struct inherited *table, size_t n_tables)
{
	struct server s = {.fd = fd, .generation = generation, .inherited = table, .n_inherited = n_tables};
	struct message_head head;

	while (receive(fd, &head, sizeof head) && head.size <= MESSAGE_MAX) {
		struct wire w = {.reading = true, .data = mem_new((size_t)head.size), .n = (size_t)head.size};

		if (!receive(fd, w.data, w.n)) {
			wire_free(&w);
			break;
		}
		s.request = head.request;
		if (head.kind < sizeof handler / sizeof *handler && handler[head.kind]) {
			double before = clock_seconds();

			handler[head.kind](&s, &w);
			journal_line("engine", "served %s %llu: %.1f ms", message_name(head.kind),
				(unsigned long long)head.request, 1e3 * (clock_seconds() - before));
		}
		wire_free(&w);
		wait_for_message(s.fd);
	}
	analysis_free(s.analysis);
	udd_free(s.model);
}

void
serve_process(int fd, int log, _Atomic uint64_t *generation, const struct inherited *table, size_t n_tables)
{
	sigset_t none;
	int keep;

	panic_set_hook(NULL);
	caps_drop();
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	prctl(PR_SET_NAME, "hecate-engine");
	signal(SIGINT, SIG_IGN); /* the explorer handles Ctrl-C */
	signal(SIGTERM, SIG_DFL);
	signal(SIGHUP, SIG_DFL);
	signal(SIGPIPE, SIG_IGN);
	dup2(open("/dev/null", O_RDONLY), STDIN_FILENO);
	dup2(log, STDOUT_FILENO);
	dup2(log, STDERR_FILENO);
	keep = fcntl(fd, F_DUPFD, 3);
	if (keep > 3) {
		dup2(keep, 3);
		keep = 3;
	}
	close_range(4, ~0u, 0);
	serve_requests(keep, generation, table, n_tables);
	_exit(0);
}
