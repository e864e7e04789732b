/* Command lines, words, keys, and the messages between explorer and engine. */
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/err.h"
#include "base/fuzzy.h"
#include "base/mem.h"
#include "base/number_list.h"
#include "base/shell.h"
#include "base/str.h"
#include "base/utf8.h"
#include "cli/options.h"
#include "collect/events/format.h"
#include "collect/import/csv.h"
#include "collect/import/decimal.h"
#include "core/doctor/health.h"
#include "core/fit/holders.h"
#include "core/obs/obs.h"
#include "core/search/search_graph.h"
#include "core/tasktime/fault_cost.h"
#include "core/trust/cpuinfo.h"
#include "core/trust/trust.h"
#include "core/udd/fset.h"
#include "event/list.h"
#include "event/name.h"
#include "event/table.h"
#include "explorer/engine/engine.h"
#include "explorer/engine/engine_state.h"
#include "explorer/engine/message.h"
#include "models.h"
#include "shape/wire.h"
#include "sim/pmu.h"
#include "sim/server/load.h"
#include "targets.h"
#include "text/aexpr.h"
#include "text/bexpr.h"
#include "text/diag.h"
#include "text/lex.h"
#include "text/notation.h"
#include "text/source.h"
#include "ui/term_decode.h"
#include "work/analysis/analysis.h"
#include "work/analysis/geometry.h"
#include "work/analysis/loss.h"
#include "work/analysis/result.h"
#include "work/analysis/touch.h"
#include "work/files/files.h"
#include "work/files/server.h"
#include "work/files/simulation.h"
#include "work/search/search.h"
#include "work/timeline/flow_name.h"
#include "work/timeline/run_answer.h"

/* A copy without slashes, so that nothing is a path. */
static char *
no_path(const char *text, size_t n)
{
	char *copy = mem_strn(text, n);

	for (char *c = copy; *c; c++)
		if (*c == '/')
			*c = '_';
	return copy;
}

/* An argument a line. */
void
fuzz_options(const char *text, size_t n)
{
	char *copy = no_path(text, n);
	size_t words;
	char **argv, **word = str_split(copy, '\n', &words);
	struct options o;
	struct err e = {0};

	argv = mem_new_array(words + 2, sizeof *argv);
	argv[0] = copy;
	memcpy(argv + 1, word, words * sizeof *argv);
	fuzz_must_say(options_parse((int)words + 1, argv, &o, &e), &e);
	options_free(&o);
	free(argv);
	str_split_free(word);
	free(copy);
}

char *
fuzz_seed_options(size_t i, size_t *n)
{
	static const char *const text[] = {"check\nm\nd.csv\n--json\n--confidence=0.95\n-f\na,b",
		"-I\n100\n-p\n1,2\n--mono", "net\nspr-cxl\n-r\n3\n--\ncat\n-x",
		"sim\nhaswell:linear\n--suite\nx\n-e\na,b{c}", "diff\n--\na\n--\nb", "stack\nx\n--csv\n-a\n-D\nslots=4",
		"search\nm\n--step\ndiscover\n--lose", "--theme\ndark\n--no-mouse", "slices\n--eps=0.1\n--min-points=3",
		"fit\nm\n-e\nr01c0,cycles:u", "trust\n--expected\nx\nruns.csv", NULL};

	return fuzz_seed_of(text, i, n);
}

/* What follows "sim:". */
void
fuzz_simulation(const char *text, size_t n)
{
	char *rest = no_path(text, n), *copy = str_format("sim:%s", rest);
	struct simulation s = {0};
	struct server_simulation server = {0};
	struct err e = {0}, e2 = {0};

	fuzz_must_say(simulation_parse(copy, &s, &e), &e);
	simulation_free(&s);
	fuzz_must_say(server_simulation_parse(copy, &server, &e2), &e2);
	server_simulation_free(&server);
	free(copy);
	free(rest);
}

char *
fuzz_seed_simulation(size_t i, size_t *n)
{
	static const char *const text[] = {"haswell:early_psc,-bypass:linear:footprint=1M,stride=64+random:loads=0.5",
		"small:none:chase:footprint=250M:samples=20,seed=7,accesses=10000", "kmh::mcf:samples=3,exact",
		"spr-cxl:promotion:zipf,cores=4,memory=tiers+chase,first=8:samples=20,sample=100us,owners",
		"cbp2025:all,-replay:branches:warm-up=100,endless", "haswell:+ab_walk:secret", NULL};

	return fuzz_seed_of(text, i, n);
}

static bool
find_name(void *ctx, const char *name, uint32_t *index, struct unit *unit, char **hint)
{
	(void)ctx, (void)hint;
	*index = (uint32_t)strlen(name) % 4;
	*unit = unit_of((enum unit_base)(*index % UNIT_BASES));
	return *name != 'x';
}

/* An expression of either kind that is printed reads again as the same text. */
static void
use_expressions(const char *text, size_t n, bool again)
{
	static const double value[] = {1, 0, 1e300, 7};
	struct aexpr_names names = {.find = find_name};
	struct str print = {0};
	struct source source;
	struct diags d = {0};

	source_init(&source, mem_str("t"), mem_strn(text, n), n);
	for (int boolean = 0; boolean < 2; boolean++) {
		struct arena *arena = arena_new();
		struct lexer x;
		struct aexpr *a = NULL;
		struct bexpr *b = NULL;

		lex_begin(&x, &source, &d);
		if (boolean)
			b = bexpr_parse(&x, arena);
		else
			a = aexpr_parse(&x, arena);
		if (x.now.kind == TOKEN_END && a) {
			aexpr_print(a, &print);
			if (aexpr_bind(a, &source, &names, &d))
				aexpr_value(a, value);
		}
		if (x.now.kind == TOKEN_END && b)
			bexpr_print(b, &print);
		arena_free(arena);
		if (print.n && again)
			use_expressions(str_text(&print), print.n, false);
		str_clear(&print);
	}
	source_free(&source);
	str_free(&print);
	diags_free(&d);
}

static void
use_event(const char *text)
{
	struct event_name name, again;
	struct str out = {0};

	event_name_read(text, &name);
	event_name_print(&name, &out);
	event_name_read(str_text(&out), &again);
	fuzz_must(event_difference(&name, &again) == 0, "the printed name of an event is its name");
	event_name_flaw(&name, text, &out);
	event_name_form(text, &out);
	event_code_form(text, &out);
	event_name_free(&again);
	event_name_free(&name);
	str_free(&out);
}

/* Every reader of short texts: events, numbers, words, notes, kernel files. */
void
fuzz_words(const char *text, size_t n)
{
	char *copy = mem_strn(text, n), **word;
	struct err e = {0};
	int *list = NULL;
	size_t count = 0;
	struct str out = {0};

	use_expressions(copy, strlen(copy), true);
	use_event(copy);
	word = event_list_split(copy, &count);
	str_split_free(word);
	if ((word = shell_split(copy, &e))) {
		for (size_t i = 0; word[i]; i++) {
			str_add(&out, i ? " " : "");
			shell_add_word(&out, word[i]);
		}
		str_split_free(word);
		word = shell_split(str_text(&out), &e);
		fuzz_must(word != NULL, "quoted words can be split");
		str_split_free(word);
	}
	str_clear(&out);
	if (number_list_parse(copy, true, 0, 1 << 20, &list, &count, &e))
		fuzz_must(count <= NUMBER_LIST_MOST, "a list of numbers is bounded");
	free(list);
	for (int form = 0; form < NOTATION_WORD; form++) {
		int64_t v = 0, w = 0;

		if (!notation_read((enum notation)form, -1000, INT64_MAX / 2, copy, &v))
			continue;
		str_clear(&out);
		notation_print((enum notation)form, v, &out);
		fuzz_must(notation_read((enum notation)form, -1000, INT64_MAX / 2, str_text(&out), &w) && v == w,
			"a printed number is the same number");
	}
	{
		struct flow_name flow;
		struct health_book book = {0};
		struct fault_cost cost;
		struct trust_cpuid cpuid;
		struct run_end end;
		struct format format;
		struct decimal decimal;
		struct sim_lie lie;
		struct load load;
		trust_letters letters;
		uint64_t counters;
		double x;

		if (flow_name_parse(copy, &flow)) {
			char *name = flow_name_text(&flow);

			fuzz_must(str_eq(name, copy), "the name of a flow is printed as it was");
			free(name);
			flow_name_free(&flow);
		}
		health_read(copy, &book);
		health_free(&book);
		fault_cost_read(copy, &cost);
		fault_cost_read_given(copy, &cost);
		trust_cpuid_read(copy, &cpuid);
		trust_cpuid_parse(copy, &cpuid);
		run_end_read(copy, &end);
		format_read(copy, &format);
		holders_read(copy, &counters);
		trust_letters_parse(copy, &letters);
		decimal_parse(copy, &decimal);
		decimal_read(-1e9, 1e9, copy, &x);
		fuzz_must_say(sim_lie_parse(copy, &lie, &e), &e);
		fuzz_must_say(load_parse(copy, 8, &load, &e), &e);
		load_free(&load);
	}
	fuzzy_score(copy, "tlb.walks completed");
	utf8_add_visible(&out, copy, strlen(copy));
	fuzz_must(utf8_valid(str_text(&out), out.n, NULL), "visible text is UTF-8");
	str_free(&out);
	free(copy);
}

char *
fuzz_seed_words(size_t i, size_t *n)
{
	static const char *const text[] = {"cycles:ukP", "cpu_core/topdown-retiring,umask=0x1/u",
		"hsw::INST_RETIRED:ANY_P:u", "data_reads [uncore_imc_0]", "uncore_imc/data_reads/ (MiB)",
		"a,{b,c}:u,cpu/event=0xc0/", "0,2-5,9", "12us", "0x1f", "64K", "gcc-4711/57 CPU 3 \xe2\x86\x92 cxl",
		"config1:0-7,32-35", "Fixed counter 0", "a && !(b || c) && <T>_x",
		"(occupancy - hits * 4 cycles) / max(a, if(counted(b), 1, 0))", "echo 'a b' $'\\x1b' \\\"",
		"instructions=also:cycles,rep:200:50", "gups:cores=4,memory=cxl+chase:first=4",
		"GenuineIntel family 6 model 94", "vendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 60\n",
		"exit 0 in 1.5 s on 8 CPUs", NULL};

	return fuzz_seed_of(text, i, n);
}

/* Each byte is a character; 255 is a wait in which nothing comes. The decoder always ends. */
void
fuzz_terminal(const char *text, size_t n)
{
	struct term_decoder d = {0};
	uint64_t now = 0;

	for (size_t at = 0; at < n;) {
		enum term_decode_want want = term_decode_begin(&d, n % 2);
		size_t begun = at;

		while (want != TERM_DECODE_DONE) {
			int c = at < n ? (unsigned char)text[at++] : -1;

			want = term_decode_feed(&d, c == 255 ? -1 : c, now += 100000000);
			fuzz_must((c >= 0 && c != 255) || want == TERM_DECODE_DONE, "a wait ends the sequence");
		}
		fuzz_must(d.unread >= -1, "at most one character comes back");
		at += at == begun;
	}
}

char *
fuzz_seed_terminal(size_t i, size_t *n)
{
	static const char *const text[] = {"[<0;12;7M[<32;3;4M", "[M !!OA", "[1;5H[200~abc[201~", "1:x", NULL};

	return fuzz_seed_of(text, i, n);
}

/* --- messages ---------------------------------------------------------------------------------------------------- */

static void
wire_bundle(struct wire *w)
{
	struct bundle b = {0};

	bundle_wire(w, &b);
	bundle_free(&b);
}

static void
wire_table(struct wire *w)
{
	struct obs_table *t = NULL;

	obs_table_wire(w, &t);
	obs_table_free(t);
}

static void
wire_rows(struct wire *w)
{
	struct obs *rows = NULL;

	obs_rows_wire(w, &rows);
	obs_free(rows);
}

static void
wire_options(struct wire *w)
{
	struct analysis_options o = {0};

	analysis_options_wire(w, &o);
	analysis_options_free(&o);
}

/* A model, its data, and answers about them. */
struct made {
	struct bundle bundle;
	struct analysis_options how;
	struct obs_table *table;
	struct udd_model *model;
	struct analysis *analysis;
	struct fset on;
	struct result *result;
};

static void
make_analysis(struct made *m)
{
	static const char text[] =
		"model m; feature f; feature g; counter a; counter b; path p { switch (P) { case X when f: count a; "
		"case Y: count b; case Z when g: both { count a; } and { count b; } } }";
	struct err e = {0};
	struct diags d = {0};
	static const char csv[] = "observation,a,b\nx,3,4\nx,4,5\nx,2,4\ny,0,9\ny,1,8\n";

	m->bundle.path = mem_str("m.udd");
	m->bundle.file = mem_new(sizeof *m->bundle.file);
	m->bundle.n = 1;
	m->bundle.file[0] = (struct udd_file){.name = mem_str("m.udd"), .text = mem_str(text), .n = sizeof text - 1};
	m->how = analysis_options_default();
	m->model = model_from_text(text, sizeof text - 1, &d);
	m->table = csv_read("d.csv", csv, sizeof csv - 1, false, &e);
	m->analysis = analysis_new(m->model, &m->how);
	analysis_set_table(m->analysis, 0, csv_read("d.csv", csv, sizeof csv - 1, false, &e));
	fset_put(&m->on, 0, true);
	m->result = analysis_run(m->analysis, &m->on, NULL);
	diags_free(&d);
}

static void
free_made(struct made *m)
{
	result_free(m->result);
	analysis_free(m->analysis);
	udd_free(m->model);
	obs_table_free(m->table);
	analysis_options_free(&m->how);
	bundle_free(&m->bundle);
}

/* Writes a structure: 0 the model, 1 the table, 2 rows, 3 to 8 answers, else the options. */
static void
write_kind(struct made *m, size_t kind, struct wire *w)
{
	struct neighbours *neighbours;
	struct constraint_detail *touch;
	struct counter_loss *loss;
	struct geometry *geometry;
	struct search *search;
	struct obs *rows;

	switch (kind) {
	case 0:
		bundle_wire(w, &m->bundle);
		break;
	case 1:
		obs_table_wire(w, &m->table);
		break;
	case 2:
		rows = m->table->obs[0];
		obs_rows_wire(w, &rows);
		break;
	case 3:
		result_wire(w, m->result);
		break;
	case 4:
		neighbours = analysis_neighbours(m->analysis, m->result, NULL);
		neighbours_wire(w, neighbours);
		neighbours_free(neighbours);
		break;
	case 5:
		touch = analysis_touch(m->analysis, &m->on, 0, (const int64_t[]){1, -1}, false, NULL);
		if (touch)
			touch_wire(w, touch);
		touch_free(touch);
		break;
	case 6:
		loss = analysis_loss(m->analysis, &m->on, 1, (const bool[]){false, true}, 2, NULL);
		if (loss)
			loss_wire(w, loss);
		loss_free(loss);
		break;
	case 7:
		geometry = analysis_geometry(m->analysis, &m->on, 0, NULL);
		if (geometry)
			geometry_wire(w, geometry);
		geometry_free(geometry);
		break;
	case 8:
		search = search_run(m->analysis, &m->on, 20, NULL);
		search_graph_wire(w, search->graph);
		search_free(search);
		break;
	default:
		analysis_options_wire(w, &m->how);
	}
}

static char *
take_bytes(struct str *head, struct wire *w, size_t *n)
{
	str_addn(head, (const char *)w->data, w->n);
	wire_free(w);
	*n = head->n;
	return str_take(head);
}

/* Messages, each a byte for its kind, two for its size, and its bytes. The engine answers into nowhere. */
void
fuzz_requests(const char *text, size_t n)
{
	static _Atomic uint64_t generation[2];
	int pair[2];

	atomic_store(&generation[0], 1);
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
		return;
	for (size_t at = 0; at + 3 <= n;) {
		size_t size = (size_t)(unsigned char)text[at + 1] | (size_t)(unsigned char)text[at + 2] << 8;
		struct message_head head = {.kind = (unsigned char)text[at] % 16, .request = 1};

		at += 3;
		size = size < n - at ? size : n - at;
		head.size = size;
		if (send(pair[0], &head, sizeof head, MSG_DONTWAIT) < 0 ||
			(size && send(pair[0], text + at, size, MSG_DONTWAIT) < 0))
			break;
		at += size;
	}
	close(pair[0]);
	serve_requests(pair[1], generation, NULL, 0);
	close(pair[1]);
}

static void
add_message(struct str *out, enum message_kind kind, struct wire *w)
{
	str_addc(out, (char)kind);
	str_addc(out, (char)(w->n & 255));
	str_addc(out, (char)(w->n >> 8));
	str_addn(out, (const char *)w->data, w->n);
	wire_free(w);
	*w = (struct wire){0};
}

char *
fuzz_seed_requests(size_t i, size_t *n)
{
	struct made m = {0};
	struct wire w = {0};
	struct str out = {0};
	struct obs *rows;
	struct fset fixed = {0};
	int64_t coef[] = {1, -1}, *coefs = coef;
	size_t at = 0, two = 2;
	uint64_t number = 1;
	int task = 1 + (int)(i % 4);
	bool no = false;

	if (i >= 4)
		return NULL;
	make_analysis(&m);
	rows = m.table->obs[0];
	bundle_wire(&w, &m.bundle);
	analysis_options_wire(&w, &m.how);
	add_message(&out, MESSAGE_LOAD, &w);
	wire_size(&w, &at);
	obs_table_wire(&w, &m.table);
	add_message(&out, MESSAGE_TABLE, &w);
	wire_size(&w, &at);
	wire_size(&w, &at);
	obs_rows_wire(&w, &rows);
	add_message(&out, MESSAGE_ROWS, &w);
	wire_bytes(&w, &m.on, sizeof m.on);
	add_message(&out, MESSAGE_RUN, &w);
	wire_u64(&w, &number);
	add_message(&out, MESSAGE_WITNESS, &w);
	wire_bytes(&w, &m.on, sizeof m.on);
	wire_size(&w, &at);
	wire_bool(&w, &no);
	wire_i64s(&w, &coefs, &two);
	add_message(&out, MESSAGE_TOUCH, &w);
	wire_bytes(&w, &m.on, sizeof m.on);
	wire_size(&w, &at);
	add_message(&out, MESSAGE_GEOMETRY, &w);
	wire_bytes(&w, &m.on, sizeof m.on);
	wire_size(&w, &at);
	wire_size(&w, &at);
	add_message(&out, MESSAGE_FLOW, &w);
	wire_u64(&w, &number);
	wire_bytes(&w, &m.on, sizeof m.on);
	wire_bytes(&w, &fixed, sizeof fixed);
	wire_int(&w, &task);
	add_message(&out, MESSAGE_SEARCH, &w);
	wire_bytes(&w, &m.on, sizeof m.on);
	wire_size(&w, &at);
	wire_size(&w, &at);
	add_message(&out, MESSAGE_LOSS, &w);
	free_made(&m);
	*n = out.n;
	return str_take(&out);
}
static void (*const bare[])(struct wire *) = {wire_bundle, wire_table, wire_rows, wire_options};

/* The first byte is the kind of a reply, or from 16 on of a structure in a request. The process that sent it does not
 * exist, so nothing is killed. */
void
fuzz_replies(const char *text, size_t n)
{
	_Atomic uint64_t generation[2] = {1, 1};
	struct message_head head = {.kind = n ? (unsigned char)*text % 16 : 0, .request = 1, .size = n ? n - 1 : 0};
	struct engine g = {.pid = INT_MAX, .generation = generation, .request = 1, .deaths = 1000, .patience = 10};
	struct engine_reply r;
	int pair[2];

	if (n && (unsigned char)*text >= 16) {
		struct wire w = {.reading = true, .data = mem_copy(text + 1, n - 1), .n = n - 1};

		bare[(unsigned char)*text % (sizeof bare / sizeof *bare)](&w);
		wire_free(&w);
		return;
	}
	if (n == 0 || socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, pair) != 0)
		return;
	g.fd = pair[0];
	g.log_fd = dup(pair[0]);
	g.in = mem_new(sizeof head + n);
	g.in_cap = sizeof head + n;
	memcpy(g.in, &head, sizeof head);
	memcpy(g.in + sizeof head, text + 1, n - 1);
	g.n_in = sizeof head + n - 1;
	if (engine_next(&g, &r)) {
		fuzz_must(r.kind != ENGINE_RESULT || r.result, "a result has one");
		engine_reply_clear(&r);
	}
	if (g.fd >= 0) {
		close(g.fd);
		close(g.log_fd);
	}
	close(pair[1]);
	free(g.in);
	free(g.out.data);
}

char *
fuzz_seed_replies(size_t i, size_t *n)
{
	static const struct {
		int kind;
		size_t what;
	} row[] = {{MESSAGE_RESULT, 3}, {MESSAGE_NEIGHBOURS, 4}, {MESSAGE_TOUCH, 5}, {MESSAGE_LOSS, 6},
		{MESSAGE_GEOMETRY, 7}, {MESSAGE_SEARCH, 8}, {MESSAGE_PROGRESS, 10}, {MESSAGE_FAILED, 10},
		{MESSAGE_WITNESS, 10}, {16, 0}, {17, 1}, {18, 2}, {19, 9}};
	struct made m = {0};
	struct wire w = {0};
	struct str out = {0};

	if (i >= sizeof row / sizeof *row)
		return NULL;
	str_addc(&out, (char)row[i].kind);
	make_analysis(&m);
	if (row[i].kind == MESSAGE_SEARCH)
		wire_u64(&w, &(uint64_t){1});
	if (row[i].what < 10) {
		write_kind(&m, row[i].what, &w);
	} else {
		char word[] = "stage", *words = word;

		wire_str(&w, &words);
		wire_size(&w, &(size_t){1});
		wire_size(&w, &(size_t){2});
	}
	free_made(&m);
	return take_bytes(&out, &w, n);
}
