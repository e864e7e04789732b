/* Probes as a run: what the process that measures sends is what the machine gives; it can be stopped and killed; its
 * curves go into a session file and come back. */
#include "work/probe/prober.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "collect/store/session_file.h"
#include "core/probe/probe.h"
#include "session_place.h"
#include "sql.h"
#include "test.h"
#include "text/diag.h"
#include "work/probe/probe_book.h"
#include "work/probe/probe_known.h"
#include "work/probe/probe_machine.h"
#include "work/probe/probe_store.h"
#include "work/run/probe_run.h"
#include "work/run/run.h"

#define LIMIT 60.0 /* seconds until a test gives up */

static struct probe *
probe_of(const char *name, const char *items)
{
	struct diags d = {0};
	char *text = str_format("probe %s \"a test\" { %s }", name, items);
	struct probe *p = probe_parse(mem_str(name), text, strlen(text), &d);

	test_check(p != NULL, __FILE__, __LINE__, "%s: %zu errors", name, d.errors);
	diags_free(&d);
	return p;
}

static struct probe_book *
book_of_three(void)
{
	struct probe_book *b = probe_book_new();

	probe_book_add(b, probe_of("endless", "knee 16 .. 4000 step 1; block; fill nop; unit \"entries\";"));
	probe_book_add(b, probe_of("mul", "slope 8 .. 40 step 4; fill mul chained; unit \"cycles\";"));
	probe_book_add(b, probe_of("queue", "knee 40 .. 80 step 2; block; fill load, fload; counts 2; "
		"unit \"entries\";"));
	return b;
}

static const struct probe *
named(const struct probe_book *b, const char *name)
{
	return b->entry[probe_book_find(b, name)].probe;
}

/* Waits for the next news, and gives up after a while. */
static bool
wait_for_news(struct prober *p, struct prober_news *x)
{
	double until = clock_seconds() + LIMIT;

	while (clock_seconds() < until) {
		if (prober_next(p, x))
			return true;
		usleep(1000);
	}
	return test_check(false, __FILE__, __LINE__, "no news came");
}

/* Begins a run of probes, polls it until it has ended, or has so many points of its first curve and is finished. */
static void
run_until(struct run *r, struct probe_book *b, size_t points, struct err *e)
{
	struct runs *runs = runs_new();
	double until = clock_seconds() + LIMIT;

	runs_add(runs, r, false);
	if (CHECK(runs_begin(runs, e)))
		while (runs_poll(runs, NULL, NULL) && clock_seconds() < until) {
			runs_wait(runs, 1, NULL);
			if (points && b->n_measured && b->measured[0]->curve.n >= points)
				runs_finish(runs);
		}
	CHECK(!run_running(r));
	runs_free(runs);
}

/* The oracle measures in this process. */
static void
curves_are_those_of_the_machine(void)
{
	static const char *const name[] = {"mul", "queue"};
	struct probe_book *b = book_of_three();
	struct prober_job job[] = {{"sim:core", named(b, "mul")}, {"sim:core", named(b, "queue")}};
	struct run *r = probe_run_new(b, job, 2);
	struct err e = {0};

	run_until(r, b, 0, &e);
	CHECK_INT(b->n_measured, 2);
	CHECK_INT(probe_book_done(b, "sim:core"), 2);
	CHECK_INT(run_facts(r).ending, RUN_END_ITSELF);
	for (size_t k = 0; k < 2; k++) {
		struct probe_machine *m = probe_machine_new("sim:core", NULL, &e);
		struct probe_measured *got = probe_book_curve(b, "sim:core", name[k]);
		struct curve c = {0};

		CHECK(m && probe_machine_run(m, named(b, name[k]), NULL, NULL, &c, &e));
		if (CHECK(got && got->knees) && CHECK_INT(got->curve.n, c.n))
			CHECK(memcmp(got->curve.point, c.point, c.n * sizeof *c.point) == 0);
		CHECK(got && got->whole && got->trust == PROBE_SHARP);
		curve_free(&c);
		probe_machine_free(m);
	}
	CHECK(fabs(probe_book_curve(b, "sim:core", "mul")->answer.value - 3) < 0.05);
	CHECK(fabs(probe_book_curve(b, "sim:core", "queue")->answer.value - 64) <= 2);
	run_free(r);
	probe_book_free(b);
}

/* A core on which nothing gets on, or a probe that asks for too much: no run goes on for ever. */
static void
a_run_without_an_end_is_given_up(void)
{
	static const char odd[] = "rob 4; memory 100000 cycles; fill_buffers 1; mshrs 1";
	struct probe_book *b = book_of_three();
	struct err e = {0};
	struct probe_machine *m = probe_machine_new("sim:core", odd, &e);
	struct curve whole = {0}, part = {0}, count = {0};
	char name[] = "cycles", *cycles[] = {name};

	if (CHECK(m && probe_machine_run(m, named(b, "queue"), NULL, NULL, &whole, &e) && whole.n > 1)) {
		probe_machine_bound(m, 1000);
		CHECK(!probe_machine_run(m, named(b, "queue"), NULL, NULL, &part, &e));
		CHECK(part.n < whole.n);
		CHECK(part.n == 0 || memcmp(part.point, whole.point, part.n * sizeof *part.point) == 0);
		CHECK(strstr(e.what, "the probe queue comes to no end on sim:core: given up at x = "));
		CHECK(strstr(e.what, ", after 1000 cycles in which something happened"));
		CHECK(strstr(e.hint, "leave the probe out"));
		e = (struct err){0};
		CHECK(probe_machine_events(m, cycles, 1, &e));
		CHECK(!probe_machine_count(m, named(b, "queue"), &whole, NULL, NULL, &count, &e));
		CHECK(count.n < whole.n && strstr(e.what, "comes to no end"));
	}
	curve_free(&whole);
	curve_free(&part);
	curve_free(&count);
	probe_machine_free(m);
	probe_book_free(b);
}

/* What a machine's file says of a probe's answer is what the probe finds. */
static void
known_answers_are_found(void)
{
	static const char *const name[] = {"rob", "l1_latency", "l2_latency", "memory_latency", "store_forwarding",
		"mul_latency", "fmul_latency", "atomic_latency"};
	struct probe_book *b = probe_book_load();
	struct err e = {0};
	struct probe_machine *m = probe_machine_new("sim:core", NULL, &e);

	probe_book_choose(b, "sim:core", NULL);
	probe_known_fill(b);
	for (size_t i = 0; m && i < sizeof name / sizeof *name; i++) {
		const struct probe_entry *entry = &b->entry[probe_book_find(b, name[i])];
		struct probe_measured *got = probe_book_begin(b, "sim:core", name[i]);

		curve_free(&got->curve);
		test_check(probe_machine_run(m, entry->probe, NULL, NULL, &got->curve, &e), __FILE__, __LINE__,
			"%s: %s", name[i], e.what);
		probe_book_end(b, got, true);
		test_check(fabs(got->answer.value - entry->known.low) <= 0.01 * entry->known.low, __FILE__, __LINE__,
			"%s: found %g, known %g", name[i], got->answer.value, entry->known.low);
	}
	CHECK(m != NULL);
	probe_machine_free(m);
	probe_book_free(b);
}

static void
stopping_keeps_what_is_done(void)
{
	struct probe_book *b = book_of_three();
	struct prober_job job[] = {{"sim:core", named(b, "endless")}, {"sim:core", named(b, "mul")}};
	struct run *r = probe_run_new(b, job, 2);
	struct err e = {0};

	run_until(r, b, 10, &e);
	CHECK_STR(e.what, "");
	CHECK_INT(run_facts(r).ending, RUN_END_ASKED);
	if (CHECK_INT(b->n_measured, 1)) {
		const struct probe_measured *m = b->measured[0];

		CHECK_STR(m->probe, "endless");
		CHECK(m->curve.n >= 10 && m->curve.n < 3000 && !m->whole && m->knees);
		CHECK_INT(m->trust, PROBE_CUT);
		for (size_t i = 0; i < m->curve.n; i++)
			CHECK(m->curve.point[i].x == 16 + (double)i);
	}
	CHECK(!probe_run_progress(r).running);
	run_free(r);
	probe_book_free(b);
}

/* A run that is freed while it measures leaves a curve that is finished, and no process. */
static void
freeing_ends_the_process(void)
{
	struct probe_book *b = book_of_three();
	struct prober_job job = {"sim:core", named(b, "endless")};
	struct runs *runs = runs_new();
	struct run *r = probe_run_new(b, &job, 1);
	struct err e = {0};
	double until = clock_seconds() + LIMIT;

	runs_add(runs, r, false);
	CHECK(runs_begin(runs, &e));
	while (runs_poll(runs, NULL, NULL) && clock_seconds() < until && !(b->n_measured && b->measured[0]->curve.n))
		runs_wait(runs, 1, NULL);
	CHECK(probe_run_progress(r).running);
	CHECK_STR(probe_run_progress(r).probe, "endless");
	CHECK_INT(probe_run_progress(r).all_points, 3985);
	run_free(r);
	runs_free(runs);
	CHECK(b->n_measured == 1 && b->measured[0]->knees && !b->measured[0]->whole);
	CHECK_INT(waitpid(-1, NULL, WNOHANG), -1);
	probe_book_free(b);
}

static void
a_death_is_reported(void)
{
	struct probe_book *b = book_of_three();
	struct prober_job job = {"sim:core", named(b, "endless")};
	struct err e = {0};
	struct prober *p = prober_start(&job, 1, &e);
	struct prober_news x = {0};
	bool killed = false;

	while (CHECK(p != NULL) && wait_for_news(p, &x) && x.word != PROBER_ENDED) {
		if (x.word == PROBER_POINT && !killed)
			killed = kill(prober_pid(p), SIGKILL) == 0;
		free(x.text);
	}
	CHECK(x.word == PROBER_ENDED && x.text && strstr(x.text, "signal 9"));
	free(x.text);
	CHECK_INT(prober_fd(p), -1);
	CHECK(!prober_next(p, &x));
	prober_free(p);
	probe_book_free(b);
}

/* A machine that does not open costs its probes, not the others. */
static void
a_machine_that_is_not_there(void)
{
	struct probe_book *b = book_of_three();
	struct prober_job job[] = {{"sim:nowhere", named(b, "mul")}, {"sim:core", named(b, "mul")}};
	struct run *r = probe_run_new(b, job, 2);
	struct err e = {0};
	struct str said = {0};

	run_until(r, b, 0, &e);
	r->ops->explain(r, &said);
	CHECK(strstr(str_text(&said), "nowhere") != NULL);
	CHECK(!probe_book_curve(b, "sim:nowhere", "mul"));
	CHECK(probe_book_curve(b, "sim:core", "mul") != NULL);
	str_free(&said);
	run_free(r);
	probe_book_free(b);
}

/* --- session files ----------------------------------------------------------------------------------------------- */

static void
add_points(struct probe_measured *m, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++) {
		double y = 100 + 1.0 / (double)(i + 3);

		probe_book_point(m, i, &(struct curve_point){(double)i, y - 1, y, y + 2});
	}
}

static void
write_new(const char *path, struct probe_book *b)
{
	struct err e = {0};
	struct session_file *f = session_file_open(path, &e);

	CHECK(f && session_file_begin(f, &e) && probe_store_write(f, b, &e) && session_file_commit(f, &e));
	CHECK_STR(e.what, "");
	probe_store_written(b);
	CHECK(!probe_store_is_behind(b));
	session_file_close(f);
}

static struct probe_book *
read_back(const char *path, size_t n)
{
	struct err e = {0};
	struct session_file *f = session_file_open_to_read(path, &e);
	struct probe_book *b = book_of_three();
	size_t got = 0;

	CHECK(f && probe_store_read(f, b, &got, &e));
	CHECK_STR(e.what, "");
	CHECK_INT(got, n);
	session_file_close(f);
	return b;
}

static void
same_curve(const struct probe_book *a, const struct probe_book *b, const char *machine, const char *probe)
{
	const struct probe_measured *x = probe_book_curve(a, machine, probe), *y = probe_book_curve(b, machine, probe);

	if (!CHECK(x && y) || !CHECK_INT(y->curve.n, x->curve.n))
		return;
	for (size_t i = 0; i < x->curve.n; i++) {
		const struct curve_point *p = &x->curve.point[i], *q = &y->curve.point[i];

		CHECK(p->x == q->x && fabs(p->min - q->min) < 1e-9 && fabs(p->mean - q->mean) < 1e-9 &&
			fabs(p->max - q->max) < 1e-9);
	}
	CHECK_INT(y->whole, x->whole);
	CHECK_INT(y->curve.n_notes, x->curve.n_notes);
	for (size_t i = 0; i < x->curve.n_notes; i++)
		CHECK_STR(y->curve.note[i], x->curve.note[i]);
}

/* Written piece by piece as it grows; then measured again with fewer points. */
static void
curves_are_kept(void)
{
	struct session_place place = session_place_new();
	struct probe_book *b = book_of_three(), *back;
	struct probe_measured *m = probe_book_begin(b, "sim:core", "mul"), *other;

	CHECK(!probe_store_holds(place.file));
	add_points(m, 0, 5);
	CHECK(probe_store_is_behind(b));
	write_new(place.file, b);
	CHECK(probe_store_holds(place.file));
	back = read_back(place.file, 1);
	CHECK(!back->measured[0]->whole);
	probe_book_free(back);
	add_points(m, 3, 9); /* two of them better than before */
	curve_note(&m->curve, mem_str("one"));
	curve_note(&m->curve, mem_str("and two"));
	other = probe_book_begin(b, "board, \"x\"", "unheard of");
	add_points(other, 0, 12);
	probe_book_end(b, other, true);
	probe_book_end(b, m, true);
	write_new(place.file, b);
	back = read_back(place.file, 2);
	same_curve(b, back, "sim:core", "mul");
	same_curve(b, back, "board, \"x\"", "unheard of");
	probe_book_free(back);
	m = probe_book_begin(b, "sim:core", "mul");
	add_points(m, 0, 4);
	probe_book_end(b, m, false);
	write_new(place.file, b);
	back = read_back(place.file, 2);
	same_curve(b, back, "sim:core", "mul");
	probe_book_free(back);
	probe_book_free(b);
	session_place_free(&place);
}

/* A file of version 7 has no curves. It is read as it is, and upgraded when one is written. */
static void
older_files(void)
{
	struct session_place place = session_place_new();
	struct probe_book *b = book_of_three(), *back;
	struct probe_measured *m = probe_book_begin(b, "sim:core", "mul");

	add_points(m, 0, 9);
	probe_book_end(b, m, true);
	write_new(place.file, b);
	run_sql(place.file, SQL_WITHOUT_RECORDS
		"DROP TABLE curve_point; DROP TABLE curve; DROP TABLE kept; DROP TABLE machine;"
		"PRAGMA writable_schema=1; UPDATE sqlite_schema SET sql=replace(sql, "
		"', machine INTEGER REFERENCES machine(id)', '') WHERE name='observation'; PRAGMA user_version=7");
	CHECK(!probe_store_holds(place.file));
	back = read_back(place.file, 0);
	CHECK_INT(back->n_measured, 0);
	probe_book_free(back);
	probe_store_forget(b);
	write_new(place.file, b);
	back = read_back(place.file, 1);
	same_curve(b, back, "sim:core", "mul");
	probe_book_free(back);
	probe_book_free(b);
	session_place_free(&place);
}

/* A damaged point costs no more than a message. */
static void
damaged_curves(void)
{
	struct session_place place = session_place_new();
	struct probe_book *b = book_of_three(), *back = book_of_three();
	struct probe_measured *m = probe_book_begin(b, "sim:core", "mul");
	struct session_file *f;
	struct err e = {0};
	size_t n;

	add_points(m, 0, 9);
	probe_book_end(b, m, true);
	write_new(place.file, b);
	run_sql(place.file, "UPDATE curve_point SET mean='much' WHERE x=4");
	f = session_file_open_to_read(place.file, &e);
	CHECK(!probe_store_read(f, back, &n, &e));
	CHECK(strstr(e.what, "no number") != NULL);
	session_file_close(f);
	probe_book_free(b);
	probe_book_free(back);
	session_place_free(&place);
}

TEST_MAIN(CASE(curves_are_those_of_the_machine), CASE(a_run_without_an_end_is_given_up),
	CASE(known_answers_are_found),
	CASE(stopping_keeps_what_is_done), CASE(freeing_ends_the_process),
	CASE(a_death_is_reported), CASE(a_machine_that_is_not_there), CASE(curves_are_kept), CASE(older_files),
	CASE(damaged_curves))
