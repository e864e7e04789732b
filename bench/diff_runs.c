/* hecate diff on real programs, and what other tests say of the same runs: `make bench-diff-runs` prints the tables of
 * docs/diff.md. It takes half an hour.
 *
 *   diff_runs same [COMPARISONS [SECONDS]]   six programs against themselves, beside 0, 1 and 3 busy loops
 *   diff_runs work [COMPARISONS [SECONDS]]   a program against itself with more work of a known amount
 *   diff_runs equal [COMPARISONS [SECONDS]]  the same program against itself with no more of it, beside busy loops
 *   diff_runs dump [SECONDS]                 the runs of one comparison of each program, as CSV
 *
 * A false answer counts once a comparison, at whatever look it was given. */
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/random.h"
#include "base/str.h"
#include "bench.h"
#include "rivals.h"
#include "test.h"
#include "work/diff/measure.h"

enum rival { WELCH, MINISTAT, RANKS, RIVALS };
static const char *const rival_name[RIVALS] = {"Welch", "ministat", "Mann-Whitney"};
typedef double rival_test(const double *, size_t, const double *, size_t);
static rival_test *const rival_p[RIVALS] = {rival_welch, rival_ministat, rival_mann_whitney};

/* The chances at which the tests, with looks, have a level of 1 % whatever the noise (bench/diff, 200 pairs). */
static const double looks_level[RIVALS] = {0.00054, 0.0004, 0.00089};

static const struct diff_rule rule = {.confidence = 0.99, .threshold = 0.01};

/* --- what the looks say ------------------------------------------------------------------------------------------- */

struct looks {
	size_t asked;                             /* the quantity that the others test */
	size_t alone;                             /* pairs at which it is found to differ, if it is the only one */
	struct diff_found last;                   /* what is known of it alone */
	size_t answered;                          /* pairs at which the first quantity was found to differ; 0: never */
	size_t any;                               /* at which any was */
	const char *which;                        /* the first that was */
	size_t rival[RIVALS], calibrated[RIVALS]; /* pairs at 1 %, and at looks_level */
};

struct sides {
	double *of[2];
	size_t n[2];
};

static struct sides
sides_of(const struct diff_table *table, const struct diff_quantity *q)
{
	struct sides s = {.of = {mem_new_array(table->n_runs + 1, sizeof(double)),
				  mem_new_array(table->n_runs + 1, sizeof(double))}};

	for (size_t i = 0; i < table->n_runs; i++)
		s.of[table->is_b[i]][s.n[table->is_b[i]]++] = q->value[i];
	return s;
}

static void
sides_clear(struct sides *s)
{
	free(s->of[0]);
	free(s->of[1]);
}

static double
rival_of(enum rival r, const struct diff_table *table, size_t asked)
{
	struct sides s = sides_of(table, &table->quantity[asked]);
	double p = s.n[0] < 3 || s.n[1] < 3 ? 1 : rival_p[r](s.of[0], s.n[0], s.of[1], s.n[1]);

	sides_clear(&s);
	return p;
}

static void
look_alone(struct looks *l, const struct diff_table *all)
{
	struct diff_table table = *all;
	struct diff_report report;

	table.quantity += l->asked;
	table.n = 1;
	diff_judge(&table, &rule, &report);
	l->last = report.found[0];
	if ((l->last.answer == DIFF_MORE || l->last.answer == DIFF_LESS) && !l->alone)
		l->alone = all->n_runs / 2;
	diff_report_clear(&report);
}

static void
look(void *ctx, const struct diff_table *table, const struct diff_report *report)
{
	struct looks *l = ctx;
	size_t pairs = table->n_runs / 2;

	for (size_t i = 0; i < report->n; i++) {
		enum diff_answer a = report->found[i].answer;

		if (a != DIFF_MORE && a != DIFF_LESS)
			continue;
		if (!i && !l->answered)
			l->answered = pairs;
		if (!l->any) {
			l->any = pairs;
			l->which = table->quantity[i].name;
		}
	}
	look_alone(l, table);
	for (enum rival r = 0; r < RIVALS; r++) {
		double p = rival_of(r, table, l->asked);

		if (p < 0.01 && !l->rival[r])
			l->rival[r] = pairs;
		if (p < looks_level[r] && !l->calibrated[r])
			l->calibrated[r] = pairs;
	}
}

static bool
never(void)
{
	return false;
}

/* With more time, if the first runs do not end in this time beside the other load. */
static void
compare(char *const *a, char *const *b, double seconds, struct looks *looks, struct measured_diff *out)
{
	sigset_t mask;
	struct err e = {0};
	struct measure_options o = {.argv = {a, b},
		.judge = rule,
		.during = &mask,
		.interrupted = never,
		.progress = look,
		.ctx = looks};

	sigprocmask(SIG_SETMASK, NULL, &mask);
	for (int i = 1; i <= 4; i++) {
		o.seconds = seconds * i;
		*looks = (struct looks){.asked = looks->asked};
		if (measure_diff(&o, out, &e)) {
			look(looks, &out->table, &out->report);
			return;
		}
	}
	fprintf(stderr, "diff_runs: %s: %s\n", a[0], e.what);
	exit(1);
}

/* --- surroundings ------------------------------------------------------------------------------------------------- */

#define LOOPS_MOST 3
static void
loops_begin(pid_t *pid, int n)
{
	for (int i = 0; i < n; i++) {
		pid[i] = fork();
		if (pid[i] == 0) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			for (volatile unsigned turn = 0;; turn++)
				;
		}
	}
}

static void
loops_end(const pid_t *pid, int n)
{
	for (int i = 0; i < n; i++) {
		kill(pid[i], SIGKILL);
		waitpid(pid[i], NULL, 0);
	}
}

static char folder[] = "/tmp/hecate-diff-XXXXXX";

static char *
write_text(const char *name, size_t lines)
{
	char *path = str_format("%s/%s", folder, name);
	FILE *f = fopen(path, "w");
	uint64_t seed = 1;

	for (size_t i = 0; f && i < lines; i++)
		fprintf(f, "%016llx %llu\n", (unsigned long long)random_next(&seed),
			(unsigned long long)random_below(&seed, 1000));
	if (f)
		fclose(f);
	return path;
}

#define PROGRAMS 6
#define WORDS 6
struct programs {
	char *large, *small;
	char *argv[PROGRAMS][WORDS];
};

static void
programs_make(struct programs *p)
{
	p->large = write_text("large", 12000);
	p->small = write_text("small", 1200);
	const char *const word[PROGRAMS][WORDS] = {
		{"gzip", "-c", p->small},
		{"xz", "-0", "-c", p->small},
		{"sqlite3", ":memory:",
			"with recursive n(i) as (select 1 union all select i+1 from n where i<9999) select sum(i*i) "
			"from n"},
		{"/usr/bin/python3", "-I", "-S", "-c", "sum(range(100000))"},
		{"sort", p->large},
		{"sha256sum", p->large},
	};

	for (size_t i = 0; i < PROGRAMS; i++)
		for (size_t k = 0; k < WORDS; k++)
			p->argv[i][k] = word[i][k] ? mem_str(word[i][k]) : NULL;
}

static void
programs_clear(struct programs *p)
{
	for (size_t i = 0; i < PROGRAMS; i++)
		for (size_t k = 0; k < WORDS; k++)
			free(p->argv[i][k]);
	unlink(p->large);
	unlink(p->small);
	free(p->large);
	free(p->small);
}

/* --- hyperfine: first all runs of A, then all of B ---------------------------------------------------------------- */

static int
run_quietly(char *const *argv)
{
	pid_t pid = fork();
	int status = -1;

	if (pid == 0) {
		int null = open("/dev/null", O_RDWR);

		dup2(null, 0);
		dup2(null, 1);
		dup2(null, 2);
		execvp(argv[0], argv);
		_exit(127);
	}
	waitpid(pid, &status, 0);
	return status;
}

static bool
hyperfine(char *const *argv, size_t runs, struct recorded_diff *out)
{
	char *line = mem_str(""), *file = str_format("%s/hyperfine.json", folder), *n = str_format("%zu", runs);
	const char *const word[] = {
		"hyperfine", "-N", "--style", "none", "--warmup", "1", "--runs", n, "--export-json", file};
	char *command[sizeof word / sizeof *word + 3] = {0};
	struct err e = {0};
	bool good;

	for (size_t i = 0; argv[i]; i++) {
		char *more = str_format("%s%s'%s'", line, i ? " " : "", argv[i]);

		free(line);
		line = more;
	}
	for (size_t i = 0; i < sizeof word / sizeof *word; i++)
		command[i] = mem_str(word[i]);
	command[10] = command[11] = line;
	good = run_quietly(command) == 0 && recorded_diff_read(&file, 1, NULL, out, &e);
	unlink(file);
	for (size_t i = 0; i < sizeof word / sizeof *word; i++)
		free(command[i]);
	free(line);
	free(file);
	free(n);
	return good;
}

/* --- A against A -------------------------------------------------------------------------------------------------- */

struct same {
	size_t n, n_hyperfine, any, first;
	size_t five[RIVALS], one[RIVALS], looks[RIVALS];        /* on the same runs: 5 %, 1 %, 1 % with looks */
	size_t after_five[RIVALS], after_one[RIVALS], recorded; /* hyperfine's own runs */
	double *pairs;
};

static void
same_take(struct same *s, char *const *argv, double seconds)
{
	struct measured_diff m;
	struct recorded_diff r = {0};
	struct looks l = {0};

	compare(argv, argv, seconds, &l, &m);
	s->any += l.any > 0;
	s->first += l.answered > 0;
	if (l.any)
		printf("  %s: %s, after %zu pairs\n", argv[0], l.which, l.any);
	for (enum rival k = 0; k < RIVALS; k++) {
		double p = rival_of(k, &m.table, 0);

		s->five[k] += p < 0.05;
		s->one[k] += p < 0.01;
		s->looks[k] += l.rival[k] > 0;
	}
	s->pairs[s->n++] = (double)m.table.n_runs / 2;
	if (hyperfine(argv, m.table.n_runs / 2, &r)) {
		s->n_hyperfine++;
		for (enum rival k = 0; k < RIVALS; k++) {
			double p = rival_of(k, &r.measured.table, 0);

			s->after_five[k] += p < 0.05;
			s->after_one[k] += p < 0.01;
		}
		recorded_diff_judge(&r, &rule);
		s->recorded += r.measured.report.found[0].answer == DIFF_MORE ||
			r.measured.report.found[0].answer == DIFF_LESS;
		recorded_diff_clear(&r);
	}
	measured_diff_clear(&m);
}

static void
same_print(const char *head, const struct same *s)
{
	printf("| %s | %zu | %.0f | %zu | %zu |", head, s->n, s->n ? bench_median(s->pairs, s->n) : 0, s->any,
		s->first);
	for (enum rival k = 0; k < RIVALS; k++)
		printf(" %zu, %zu, %zu |", s->five[k], s->one[k], s->looks[k]);
	for (enum rival k = 0; k < RIVALS; k++)
		printf(" %zu, %zu |", s->after_five[k], s->after_one[k]);
	printf(" %zu |\n", s->recorded);
	fflush(stdout);
}

static void
same(size_t comparisons, double seconds)
{
	static const int loops[] = {0, 1, LOOPS_MOST};
	struct same row[3] = {0};
	struct programs p;
	double load[3] = {0};

	programs_make(&p);
	printf("False answers:\n");
	for (size_t k = 0; k < 3; k++) {
		pid_t pid[LOOPS_MOST];

		row[k].pairs = mem_new_array(comparisons + 1, sizeof *row[k].pairs);
		loops_begin(pid, loops[k]);
		for (size_t i = 0; i < comparisons; i++)
			same_take(&row[k], p.argv[i % PROGRAMS], seconds);
		(void)!getloadavg(&load[k], 1);
		loops_end(pid, loops[k]);
	}
	programs_clear(&p);
	printf("\n%zu comparisons of six programs with themselves for each number of busy loops, %g s each. False "
	       "answers "
	       "of hecate diff with a\nlook after each block: of all quantities, of wall time; of other tests of wall "
	       "time on the same runs at 5 %%, at 1 %%, and at 1 %%\nwith these looks; and on hyperfine's own runs, "
	       "first "
	       "all of A, then all of B, at 5 %% and 1 %%. Recorded: hecate diff hyperfine.json.\n\n",
		comparisons, seconds);
	printf("| busy loops | comparisons | pairs | hecate diff, all | wall time |");
	for (enum rival k = 0; k < RIVALS; k++)
		printf(" %s |", rival_name[k]);
	for (enum rival k = 0; k < RIVALS; k++)
		printf(" hyperfine, %s |", rival_name[k]);
	printf(" recorded |\n|");
	for (int k = 0; k < 6 + 2 * RIVALS; k++)
		printf(" --- |");
	printf("\n");
	for (size_t k = 0; k < 3; k++) {
		char head[48];

		snprintf(head, sizeof head, "%d, load average %.1f", loops[k], load[k]);
		same_print(head, &row[k]);
		free(row[k].pairs);
	}
}

/* --- A against B -------------------------------------------------------------------------------------------------- */

static const struct {
	const char *kind;
	long amount;
	const char *unit;
	size_t asked; /* the quantity that should show it */
} work[] = {{"instructions", 4000000, "turns of a loop", MEASURE_CPU}, {"faults", 5000, "pages", MEASURE_TIMES},
	{"requests", 40000, "reads", MEASURE_CPU}, {"sleep", 10000, "µs", MEASURE_WALL}};
#define WORKS (sizeof work / sizeof *work)
static const double more[] = {0, 0.003, 0.01, 0.03, 0.1};
#define AMOUNTS (sizeof more / sizeof *more)

struct found {
	size_t n, ours, rival[RIVALS], equal, equal_right;
	double *pairs, *rival_pairs[RIVALS], *estimate;
};

static void
found_take(struct found *f, const struct looks *l)
{
	f->estimate[f->n++] = l->last.estimate;
	if (l->alone)
		f->pairs[f->ours++] = (double)l->alone;
	for (enum rival k = 0; k < RIVALS; k++)
		if (l->calibrated[k])
			f->rival_pairs[k][f->rival[k]++] = (double)l->calibrated[k];
}

static void
print_found(size_t found, double *pairs, size_t n)
{
	if (found)
		printf(" %zu of %zu, %.0f |", found, n, bench_median(pairs, found));
	else
		printf(" 0 of %zu |", n);
}

static void
work_row(char *program, size_t i, double share, size_t comparisons, double seconds)
{
	char *kind = mem_str(work[i].kind),
	     *n[2] = {str_format("%ld", work[i].amount),
		     str_format("%.0f", round((double)work[i].amount * (1 + share)))};
	char *argv[2][4] = {{program, kind, n[0], NULL}, {program, kind, n[1], NULL}};
	struct found f = {.pairs = mem_new_array(comparisons, sizeof(double)),
		.estimate = mem_new_array(comparisons, sizeof(double))};
	struct looks *l = mem_new_array(comparisons, sizeof *l);
	char *name = NULL;
	double truth;

	for (enum rival k = 0; k < RIVALS; k++)
		f.rival_pairs[k] = mem_new_array(comparisons, sizeof(double));
	for (size_t c = 0; c < comparisons; c++) {
		struct measured_diff m;

		l[c].asked = work[i].asked;
		compare(argv[0], argv[1], seconds, &l[c], &m);
		found_take(&f, &l[c]);
		if (!name)
			name = mem_str(m.table.quantity[work[i].asked].name);
		measured_diff_clear(&m);
	}
	truth = share > 0 ? bench_median(f.estimate, comparisons) : 0;
	for (size_t c = 0; c < comparisons; c++)
		if (l[c].last.answer == DIFF_EQUAL) {
			f.equal++;
			f.equal_right += l[c].last.within >= fabs(truth);
		}
	printf("| %s of %ld %s | %g %% | %s %+.2f %% |", kind, work[i].amount, work[i].unit, share * 100,
		name ? name : "", truth * 100);
	print_found(f.ours, f.pairs, f.n);
	for (enum rival k = 0; k < RIVALS; k++)
		print_found(f.rival[k], f.rival_pairs[k], f.n);
	printf(" %zu, %zu |\n", f.equal, f.equal_right);
	fflush(stdout);
	for (enum rival k = 0; k < RIVALS; k++)
		free(f.rival_pairs[k]);
	free(f.pairs);
	free(f.estimate);
	free(l);
	free(name);
	free(kind);
	free(n[0]);
	free(n[1]);
}

static void
works(size_t comparisons, double seconds)
{
	char *program = test_program("work");

	printf("A program does more work in B than in A: in how many comparisons of %g s that is found, and after how "
	       "many "
	       "pairs in the median.\nAll test the same quantity of the same runs at the same times, at a level of 1 "
	       "%% with "
	       "these looks. Found: how much more of it\nthere is, in the median. Equal: answers of hecate diff, and "
	       "those "
	       "of them that hold for that.\n\n| work | more | found | hecate diff |",
		seconds);
	for (enum rival k = 0; k < RIVALS; k++)
		printf(" %s |", rival_name[k]);
	printf(" equal, right |\n| --- | --- | --- | --- | --- | --- | --- | --- |\n");
	for (size_t i = 0; i < WORKS; i++)
		for (size_t j = 0; j < AMOUNTS; j++)
			work_row(program, i, more[j], comparisons, seconds);
	free(program);
}

/* False answers where both do the same work: of the quantity that shows it, of any, and of the others at 1 % with these
 * looks. */
struct wrong {
	size_t n, asked, any, equal, rival[RIVALS];
	double *pairs;
};

static void
wrong_take(struct wrong *w, char *program, size_t i, double seconds)
{
	char *kind = mem_str(work[i].kind), *n = str_format("%ld", work[i].amount);
	char *argv[] = {program, kind, n, NULL};
	struct looks l = {.asked = work[i].asked};
	struct measured_diff m;

	compare(argv, argv, seconds, &l, &m);
	w->pairs[w->n++] = (double)m.table.n_runs / 2;
	w->asked += l.alone > 0;
	w->any += l.any > 0;
	w->equal += l.last.answer == DIFF_EQUAL;
	for (enum rival k = 0; k < RIVALS; k++)
		w->rival[k] += l.calibrated[k] > 0;
	measured_diff_clear(&m);
	free(kind);
	free(n);
}

static void
equals(size_t comparisons, double seconds)
{
	static const int loops[] = {0, 1, LOOPS_MOST};
	char *program = test_program("work");
	struct wrong all = {.pairs = mem_new_array(12 * comparisons, sizeof(double))};

	printf("A program against itself, %zu comparisons of %g s in each row: false answers of hecate diff of the "
	       "quantity that shows the work\n(answers equal), of any quantity, and of the others of that quantity "
	       "at a level of 1 %% with these looks.\n\n| busy loops | work | pairs | hecate diff | any |",
		comparisons, seconds);
	for (enum rival k = 0; k < RIVALS; k++)
		printf(" %s |", rival_name[k]);
	printf("\n| --- | --- | --- | --- | --- | --- | --- | --- |\n");
	for (size_t row = 0; row < 3 * WORKS; row++) {
		struct wrong w = {.pairs = all.pairs + all.n};
		pid_t pid[LOOPS_MOST];
		double load = 0;

		loops_begin(pid, loops[row / WORKS]);
		for (size_t c = 0; c < comparisons; c++)
			wrong_take(&w, program, row % WORKS, seconds);
		(void)!getloadavg(&load, 1);
		loops_end(pid, loops[row / WORKS]);
		printf("| %d, load average %.1f | %s | %.0f | %zu (%zu) | %zu |", loops[row / WORKS], load,
			work[row % WORKS].kind, bench_median(w.pairs, w.n), w.asked, w.equal, w.any);
		for (enum rival k = 0; k < RIVALS; k++) {
			printf(" %zu |", w.rival[k]);
			all.rival[k] += w.rival[k];
		}
		printf("\n");
		fflush(stdout);
		all.n += w.n;
		all.asked += w.asked;
		all.any += w.any;
	}
	printf("\nOf %zu comparisons: %zu, any %zu", all.n, all.asked, all.any);
	for (enum rival k = 0; k < RIVALS; k++)
		printf(", %s %zu", rival_name[k], all.rival[k]);
	printf(".\n");
	free(all.pairs);
	free(program);
}

static void
dump(double seconds)
{
	struct programs p;

	programs_make(&p);
	for (size_t i = 0; i < PROGRAMS; i++) {
		struct measured_diff m;
		struct looks l = {0};

		compare(p.argv[i], p.argv[i], seconds, &l, &m);
		for (size_t r = 0; r < m.table.n_runs; r++)
			printf("%s,%d,%.9f,%.9f\n", p.argv[i][0], m.table.is_b[r], m.table.quantity[0].value[r],
				m.table.quantity[1].value[r]);
		measured_diff_clear(&m);
	}
	programs_clear(&p);
}

int
main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	int64_t comparisons = str_eq(what, "same") ? 100 : str_eq(what, "work") ? 20 : 40;
	double seconds = 2;

	if ((argc > 2 && (!str_to_i64(argv[2], &comparisons) || comparisons < 1)) ||
		(argc > 3 && !str_to_double(argv[3], &seconds)) || !mkdtemp(folder)) {
		fprintf(stderr, "usage: diff_runs same|work|equal|dump [COMPARISONS [SECONDS]]\n");
		return 2;
	}
	if (str_eq(what, "same"))
		same((size_t)comparisons, seconds);
	else if (str_eq(what, "work"))
		works((size_t)comparisons, seconds);
	else if (str_eq(what, "equal"))
		equals((size_t)comparisons, seconds);
	else
		dump(seconds);
	rmdir(folder);
	return 0;
}
