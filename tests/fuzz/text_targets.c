/* The languages that hecate reads: models, networks, stacks and the others. */
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/int128.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/cone/cone.h"
#include "core/cone/signatures.h"
#include "core/laws/laws.h"
#include "core/lesson/lesson.h"
#include "core/metric/metric.h"
#include "core/network/flow_layout.h"
#include "core/network/layout.h"
#include "core/network/network.h"
#include "core/probe/asm.h"
#include "core/probe/probe.h"
#include "core/spec/spec.h"
#include "core/stack/account.h"
#include "core/stack/stack.h"
#include "core/trust/book.h"
#include "core/udd/diagram.h"
#include "core/udd/outline.h"
#include "draw/theme.h"
#include "fdl_files.h"
#include "models.h"
#include "sim/machine.h"
#include "sim/server/server.h"
#include "sim/suite.h"
#include "targets.h"
#include "text/diag.h"
#include "work/lesson/answers.h"
#include "work/probe/native_expect.h"

/* Beyond this many nodes a diagram is not walked: the walk's own limits are tested elsewhere. */
#define NODES_MAX 3000

/* What is printed reads again as the same text. */
static void
must_print_again(const struct udd_model *m)
{
	struct str once = {0}, twice = {0};
	struct diags d = {0};
	struct udd_model *again;

	udd_print(m, &once);
	again = model_from_text(str_text(&once), once.n, &d);
	fuzz_must(again != NULL, "what a model prints as is a model");
	udd_print(again, &twice);
	fuzz_must(str_eq(str_text(&once), str_text(&twice)), "a model that is printed twice is the same");
	udd_free(again);
	diags_free(&d);
	str_free(&once);
	str_free(&twice);
}

/* The cone of the signatures, whose every constraint holds for every signature. */
static void
use_cone(const struct signatures *s)
{
	struct cone *c = cone_new(s->n_counters, s->n, s->coef, &(struct cone_limits){.seconds = 0.2});

	for (size_t k = 0; k < c->n_equalities + c->n_inequalities; k++)
		for (size_t i = 0; i < c->n_signatures; i++) {
			i128 sum = 0;

			for (size_t j = 0; j < c->n_counters; j++)
				sum += (i128)cone_row(c, k)[j] * c->signature[i * c->n_counters + j];
			fuzz_must(k < c->n_equalities ? sum == 0 : sum >= 0, "each signature is in the cone");
		}
	cone_free(c);
}

static void
use_model(const struct udd_model *m, bool cone)
{
	struct diags d = {0};
	struct err e = {0};
	struct fset on;
	struct str dot = {0};
	struct udd_diagram *g;
	struct signatures *s;

	if (!udd_choose(m, NULL, NULL, NULL, &on, &e))
		return;
	udd_outline_free(udd_outline_new(m, &on, 50));
	g = udd_expand(m, &on, &d);
	fuzz_must(g || d.errors, "a diagram, or an error");
	s = g && g->n_nodes < NODES_MAX ? signatures_new(g, &d) : NULL;
	if (s && s->n)
		signature_witness_free(signatures_witness(s, g, s->n - 1));
	if (g && g->n_nodes < NODES_MAX && !cone)
		udd_dot(g, &dot);
	if (cone && s && s->n < 200)
		use_cone(s);
	str_free(&dot);
	signatures_free(s);
	udd_diagram_free(g);
	diags_free(&d);
}

void
fuzz_udd(const char *text, size_t n)
{
	struct diags d = {0};
	struct udd_model *m = model_from_text(text, n, &d);

	fuzz_must_explain(m != NULL, &d);
	if (m) {
		must_print_again(m);
		use_model(m, false);
	}
	udd_free(m);
}

void
fuzz_cone(const char *text, size_t n)
{
	struct diags d = {0};
	struct udd_model *m = model_from_text(text, n, &d);

	fuzz_must_explain(m != NULL, &d);
	if (m)
		use_model(m, true);
	udd_free(m);
}

static void
use_fdl(struct udd_model *m, struct diags *d)
{
	fuzz_must_explain(m != NULL, d);
	if (m)
		use_model(m, false);
	udd_free(m);
}

void
fuzz_fdl(const char *text, size_t n)
{
	struct diags d = {0};

	use_fdl(fdl_load_text("m.fdl", text, n, &d), &d);
}

void
fuzz_m4(const char *text, size_t n)
{
	struct diags d = {0};

	use_fdl(fdl_load_text("m.fdlm4", text, n, &d), &d);
}

void
fuzz_sidecar(const char *text, size_t n)
{
	struct diags d = {0};

	use_fdl(fdl_load_with_sidecar(text, n, &d), &d);
}

void
fuzz_net(const char *text, size_t n)
{
	struct diags d = {0};
	struct network *net = network_parse(mem_str("m.net"), mem_strn(text, n), n, &d);

	fuzz_must_explain(net != NULL, &d);
	network_free(net);
}

void
fuzz_stack(const char *text, size_t n)
{
	struct diags d = {0};
	struct stack *s = stack_parse(mem_str("m.stack"), mem_strn(text, n), n, &d);

	fuzz_must_explain(s != NULL, &d);
	if (s) {
		double *value = mem_new_array(s->n_counters + 1, sizeof *value);

		/* Small, huge and unknown values next to each other. */
		for (size_t round = 0; round < 3; round++) {
			for (size_t i = 0; i < s->n_counters; i++)
				value[i] = (double[]){1, 0, 1e18, __builtin_nan(""), 3}[(i + round * 2) % 5];
			stack_account_free(stack_account_new(s, value));
		}
		free(value);
	}
	stack_free(s);
}

void
fuzz_spec(const char *text, size_t n)
{
	struct diags d = {0};
	struct profile_spec *s = spec_parse(mem_str("m.spec"), mem_strn(text, n), n, &d);

	fuzz_must_explain(s != NULL, &d);
	fuzz_must(!s || spec_interval_ms(s) >= 1, "an interval is at least 1 ms");
	spec_free(s);
}

char *
fuzz_seed_spec(size_t i, size_t *n)
{
	static const char *const text[] = {
		"profile tenants \"a store beside a stream\"; // two of them\n"
		"program store \"on CXL\" { run \"redis-server\" \"--port\" \"77 77\" \"\"; folder \"/srv\"; output "
		"\"o\"; "
		"errors \"e\"; input \"i\"; cores 3, 0-2, 1; memory bind 2; background; }\n"
		"program stream { set OMP_NUM_THREADS = \"4\"; set \"A B\" = \"\"; run \"stream\"; cores 4-7; memory "
		"interleave 2, 0; begin after 500 ms; times 3; }\n"
		"program third { memory prefer 1; run \"x\"; }\n",
		"profile p; program a { run \"x\"; } network \"spr-cxl\"; stack a, \"dir/b.stack\"; model m;\n"
		"mode continuous; granularity 20 ms and switches; duration 1.5 s; limit processor 2.5 %; limit memory "
		"64 MiB;\n"
		"report paths, queues, accounts, verdict;\n",
		NULL};

	return fuzz_seed_of(text, i, n);
}

/* Answers that are printed read again as the same text. */
static void
use_answers(const char *text, size_t n)
{
	struct diags d = {0};
	struct lesson_answers *a = lesson_answers_parse(mem_str("m.answers"), mem_strn(text, n), n, &d), *again;
	struct str once = {0}, twice = {0};

	fuzz_must_explain(a != NULL, &d);
	if (a) {
		lesson_answers_print(a, &once);
		again = lesson_answers_parse(mem_str("m.answers"), mem_strn(str_text(&once), once.n), once.n, &d);
		fuzz_must_explain(again != NULL, &d);
		fuzz_must(again != NULL, "printed answers are answers");
		lesson_answers_print(again, &twice);
		fuzz_must(str_eq(str_text(&once), str_text(&twice)), "answers that are printed twice are the same");
		lesson_answers_free(again);
	}
	lesson_answers_free(a);
	str_free(&once);
	str_free(&twice);
}

/* A lesson, a teacher's cases, or a student's answers: each reader gets the text. */
void
fuzz_lesson(const char *text, size_t n)
{
	struct diags d = {0};
	struct lesson *l = lesson_parse(mem_str("m.lesson"), mem_strn(text, n), n, &d);
	struct lesson_cases *c;

	fuzz_must_explain(l != NULL, &d);
	if (l)
		lesson_points(l);
	lesson_free(l);
	c = lesson_cases_parse(mem_str("m.cases"), mem_strn(text, n), n, &d);
	fuzz_must_explain(c != NULL, &d);
	lesson_cases_free(c);
	use_answers(text, n);
}

char *
fuzz_seed_lesson(size_t i, size_t *n)
{
	static const char *const text[] = {
		"answers pde at 2;\nstep 1 done tries 1 hints 2 { task 1 \"b\" features x, y; }\nstep 2 shown;\n",
		NULL};

	return fuzz_seed_of(text, i, n);
}

void
fuzz_laws(const char *text, size_t n)
{
	struct diags d = {0};
	struct laws *l = laws_parse(mem_str("m.laws"), mem_strn(text, n), n, &d);

	fuzz_must_explain(l != NULL, &d);
	laws_free(l);
}

/* Is the sum of all pressures small? Long files of assembly are only slow. */
static bool
is_short(const struct probe *p)
{
	uint64_t sum = 0;

	for (uint64_t x = p->first; x && x <= p->last && sum < 5000; x = probe_next_x(p, x))
		sum += x;
	return sum < 5000;
}

void
fuzz_probe(const char *text, size_t n)
{
	static const char *const isa[] = {"x86_64", "aarch64", "riscv64"};
	struct diags d = {0};
	struct probe *p = probe_parse(mem_str("m.probe"), mem_strn(text, n), n, &d);

	fuzz_must_explain(p != NULL, &d);
	for (size_t i = 0; p && i < sizeof isa / sizeof *isa; i++) {
		struct err e = {0};
		struct str out = {0};
		const struct asm_isa *of = probe_asm_isa(isa[i], &e);

		if (of && is_short(p))
			fuzz_must_say(probe_asm_write(of, p, &out, &e), &e);
		str_free(&out);
	}
	probe_free(p);
}

void
fuzz_expect(const char *text, size_t n)
{
	struct diags d = {0};
	struct expectation *x = expectation_parse(mem_str("m.expect"), mem_strn(text, n), n, &d);

	fuzz_must_explain(x != NULL, &d);
	for (size_t i = 0; x && i < x->n; i++)
		fuzz_must(x->item[i].low <= x->item[i].high, "a range ascends");
	expectation_free(x);
}

static void
use_server(const char *text, size_t n)
{
	struct diags d = {0};
	struct server *s = server_parse("m.server", text, n, &d);

	fuzz_must_explain(s != NULL, &d);
	fuzz_must(!s || (s->sockets && s->cores && s->core_mhz), "a server is whole");
	server_free(s);
}

/* A machine with cores of one kind, or a server: each reader gets the text. */
void
fuzz_machine(const char *text, size_t n)
{
	struct diags d = {0};
	struct sim_machine *m = sim_machine_parse("m.machine", text, n, NULL, &d);

	fuzz_must_explain(m != NULL, &d);
	fuzz_must(!m || (m->l1.bytes && m->width && (m->has & ~m->may) == 0 && m->ghz > 0), "a machine is whole");
	sim_machine_free(m);
	use_server(text, n);
}

void
fuzz_suite(const char *text, size_t n)
{
	struct sim_suite s = {0};
	struct err e = {0};

	fuzz_must_say(sim_suite_parse(&s, "m.suite", text, n, &e), &e);
	fuzz_must(s.n <= SIM_SUITE_MOST, "a suite is bounded");
	sim_suite_free(&s);
}

void
fuzz_trust(const char *text, size_t n)
{
	struct diags d = {0};
	struct trust_book *b = trust_book_parse("m.trust", text, n, &d), *again;
	struct str once = {0}, twice = {0};

	fuzz_must_explain(b != NULL, &d);
	if (b) {
		trust_book_print(b, &once);
		again = trust_book_parse("m.trust", str_text(&once), once.n, &d);
		fuzz_must_explain(again != NULL, &d);
		fuzz_must(again != NULL, "a printed book is a book");
		trust_book_print(again, &twice);
		fuzz_must(str_eq(str_text(&once), str_text(&twice)), "a book that is printed twice is the same");
		trust_book_free(again);
	}
	trust_book_free(b);
	str_free(&once);
	str_free(&twice);
}

void
fuzz_theme(const char *text, size_t n)
{
	struct err e = {0};
	struct theme t;
	char *copy = mem_strn(text, n);

	theme_default(&t);
	fuzz_must_say(theme_parse("m.theme", copy, &t, &e), &e);
	free(copy);
}

/* Lines "NAME = EXPRESSION", as one set whose bounds hold the measured value. */
void
fuzz_metric(const char *text, size_t n)
{
	char *copy = mem_strn(text, n), *at = copy;
	struct metric_text line[64];
	size_t lines = 0;
	struct metric_set *set;
	struct metric_value *leaf;

	while (lines < 64 && *at) {
		char *end = at + strcspn(at, "\n"), *equals = memchr(at, '=', (size_t)(end - at));
		bool last = !*end;

		*end = '\0';
		if (equals) {
			*equals = '\0';
			line[lines++] = (struct metric_text){.name = at, .expr = equals + 1};
		}
		at = last ? end : end + 1;
	}
	set = metric_set_new(line, lines);
	leaf = mem_new_array(set->n_leaves + 1, sizeof *leaf);
	for (size_t i = 0; i < set->n_leaves; i++)
		leaf[i] = i % 4 == 3 ? (struct metric_value){0, 0, 0}
				     : (struct metric_value){(double)i, (double)i + 1, (double)i * 2 + 2};
	for (size_t i = 0; i < set->n; i++) {
		struct metric_result r = metric_compute(set, i, leaf, 4);
		struct str out = {0};

		fuzz_must(r.lack != METRIC_LACKS_NOTHING ||
				(r.value.low <= r.value.value && r.value.value <= r.value.high),
			"the value is within its bounds");
		if (set->metric[i].why)
			continue;
		metric_substituted(set, i, leaf, &out);
		metric_lack_print(set, i, &r, &out);
		str_free(&out);
	}
	free(leaf);
	metric_set_free(set);
	free(copy);
}

char *
fuzz_seed_metric(size_t i, size_t *n)
{
	static const char *const text[] = {
		"a = (cpu@UOPS_EXECUTED.CORE\\,cmask\\=1@ / 2 if #SMT_on else X) / b\nb = max(CYCLES, 1)\n",
		"c = d_ratio(a, b - 3) * source_count(X)\nd = 1 if c < 3 else min(e, 2)\ne = has_event(Y) & 3 | 4 ^ 5 "
		"% 2\n",
		"f = strcmp_cpuid_str(GenuineIntel) + 1e3 / -(X)\nloop = loop2\nloop2 = loop + 1\n", NULL};

	return fuzz_seed_of(text, i, n);
}
