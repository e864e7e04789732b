/* System calls that fail: tests/programs/faults.so, preloaded, makes one call of the real program fail, or all from one
 * on. And a time of day that steps while hecate records.
 *
 * Whatever fails, hecate ends soon and by itself, says what failed if its result differs, and loses nothing that was in
 * a session file. Without memory it may end with the message of panic(). HECATE_SEED (printed) chooses what fails.
 * HECATE_FAULT and HECATE_SCENARIO (a number) repeat one run. With HECATE_SLOW the first call from each place of the
 * program or a library fails once, and random faults follow for HECATE_SECONDS (75) in all. */
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/str.h"
#include "pty.h"
#include "test.h"

#define HANGS 60 /* seconds; the slowest run takes one */
#define WORDS 12
#define KINDS 11
#define SITES 4096

static const struct kind {
	const char *name;
	const char *error[5];
} kinds[KINDS] = {
	{"read", {"EIO", "EINTR", "short", "ENOMEM"}},
	{"write", {"EIO", "ENOSPC", "EINTR", "short"}},
	{"open", {"EIO", "ENOMEM", "EMFILE", "EACCES", "EINTR"}},
	{"poll", {"EINTR", "ENOMEM"}},
	{"mmap", {"ENOMEM"}},
	{"malloc", {"ENOMEM"}},
	{"sync", {"EIO", "ENOSPC", "EINTR"}},
	{"spawn", {"EAGAIN", "EMFILE", "ENOMEM"}},
	{"syscall", {"EIO", "ENOMEM", "EMFILE", "EINTR"}},
	{"wait", {"EINTR"}},
	{"stat", {"EIO", "ENOMEM", "EACCES"}},
};

/* @FILE is a file of the tests. Each run begins with a new s.hct: a copy of old.hct, or none. */
static const struct scenario {
	const char *name;
	bool appends; /* to the content of s.hct */
	bool counts; /* its output is never the same twice */
	const char *keys; /* typed on a terminal; NULL: a subcommand */
	const char *argv[WORDS];
} scenarios[] = {
	{"check", false, false, NULL, {"check", "linux-page-faults", "@screens/expect/programs.csv", "--exact"}},
	{"import", false, false, NULL,
		{"import", "-o", "s.hct", "-m", "linux-page-faults", "@screens/expect/programs.csv"}},
	{"append", true, false, NULL, {"import", "-o", "s.hct", "@screens/expect/programs.csv"}},
	{"export", true, false, NULL, {"export", "s.hct", "--csv"}},
	{"report", true, false, NULL, {"report", "s.hct", "--exact", "-o", "r.md"}},
	{"record", false, true, NULL,
		{"record", "-o", "s.hct", "-m", "linux-page-faults", "-I", "10", "--", "sleep", "0.05"}},
	{"record more", true, true, NULL, {"record", "-o", "s.hct", "-I", "10", "--", "sleep", "0.05"}},
	{"record tasks", false, true, NULL,
		{"record", "-o", "s.hct", "-m", "stall-sources", "-I", "10", "--", "sleep", "0.05"}},
	{"tasks", false, true, NULL, {"stack", "stall-sources", "--", "sleep", "0.05"}},
	{"screen", true, false, "1234\t2j\r\0332n", {"s.hct", "--exact"}},
	{"screen with a file", false, true, "23\r\033",
		{"linux-page-faults", "-o", "s.hct", "-I", "20", "--", "sleep", "0.1"}},
	{"screen with tasks", false, true, "67j\r\033",
		{"linux-vm", "stall-sources", "-o", "s.hct", "-I", "20", "--", "sleep", "0.1"}},
	{"saved from the screen", false, false, "wfs.hct\r",
		{"linux-page-faults", "@screens/expect/programs.csv", "--exact"}},
	{"run and saved from the screen", false, true, "2wfs.hct\r3",
		{"linux-page-faults", "-I", "20", "--", "sleep", "0.1"}},
	{"sweep", false, false, NULL,
		{"sweep", "linux-page-faults", "x86-retired", "@screens/expect/programs.csv", "-q", "--exact", "-j",
			"2", "--keep", "s.hct"}},
};
#define SCENARIOS (sizeof scenarios / sizeof *scenarios)

/* Faults that once made hecate hang, end without a message, or leave a file that could not be read. */
static const struct {
	size_t scenario;
	const char *fault;
} known[] = {
	{5, "spawn:9:EMFILE"},
	{6, "read:35:short+"},
	{7, "sync:17:ENOSPC+"},
	{7, "wait:2:EINTR"},
	{8, "poll:9:ENOMEM+"},
	{11, "poll:36:ENOMEM+"},
	{8, "poll:13:ENOMEM+"},
	{8, "write:1:EIO"},
	{9, "write:19:ENOSPC+"},
	{10, "stat:39:EIO+"},
	{14, "read:44:EIO+"},
};

/* The result of one run. */
struct outcome {
	bool hangs;
	int status; /* as of waitpid() */
	char *out, *err;
};

struct bench {
	const char *hecate, *tests;
	struct str shim;
	char *old; /* content of the file that runs append to, as CSV */
	struct outcome good; /* of the current scenario without a fault */
	char *exported; /* content of its file then */
	unsigned long calls[KINDS];
	struct site {
		size_t kind;
		unsigned long at;
	} site[SITES]; /* the first call from each place */
	size_t n_sites, faults;
	uint64_t random;
};

static char *
slurp(const char *path)
{
	struct str s = {0};
	char part[65536];
	FILE *f = fopen(path, "r");

	for (size_t n; f && (n = fread(part, 1, sizeof part, f)) > 0;)
		str_addn(&s, part, n);
	if (f)
		fclose(f);
	return s.n ? str_take(&s) : mem_str("");
}

static void
free_outcome(struct outcome *o)
{
	free(o->out);
	free(o->err);
	*o = (struct outcome){0};
}

static bool
waits(pid_t pid, double seconds, int *status)
{
	double until = clock_seconds() + seconds;

	while (waitpid(pid, status, WNOHANG) != pid) {
		if (clock_seconds() > until)
			return false;
		usleep(1000);
	}
	return true;
}

/* The arguments of a scenario, with the files of the tests. Free with free_words(). */
static void
take_words(const struct bench *b, const struct scenario *s, char *argv[WORDS + 2])
{
	size_t n = 0;

	argv[n++] = mem_str(b->hecate);
	for (; n <= WORDS && s->argv[n - 1]; n++) {
		const char *a = s->argv[n - 1];

		argv[n] = *a == '@' ? str_format("%s/%s", b->tests, a + 1) : mem_str(a);
	}
	argv[n] = NULL;
}

static void
free_words(char *argv[WORDS + 2])
{
	for (size_t n = 0; argv[n]; n++)
		free(argv[n]);
}

static void
command(const struct bench *b, char *const *argv, const char *fault, const char *log, struct outcome *o)
{
	pid_t pid = fork();

	if (pid == 0) {
		int in = open("/dev/null", O_RDONLY), out = open("out", O_WRONLY | O_CREAT | O_TRUNC, 0666),
		    err = open("err", O_WRONLY | O_CREAT | O_TRUNC, 0666);

		setpgid(0, 0);
		dup2(in, 0);
		dup2(out, 1);
		dup2(err, 2);
		if (fault || log)
			setenv("LD_PRELOAD", str_text(&b->shim), 1);
		if (fault)
			setenv("HECATE_FAULT", fault, 1);
		if (log)
			setenv("HECATE_FAULT_LOG", log, 1);
		execv(argv[0], argv);
		_exit(127);
	}
	o->hangs = !waits(pid, HANGS, &o->status);
	if (o->hangs) {
		kill(-pid, SIGKILL);
		waitpid(pid, &o->status, 0);
	}
	o->out = slurp("out");
	o->err = slurp("err");
}

/* On a terminal: types the keys, then leaves. What is drawn is its output; the last lines are its message. */
static void
screen(const struct bench *b, char *const *argv, const char *keys, const char *fault, const char *log,
	struct outcome *o)
{
	char *preload = str_format("LD_PRELOAD=%s", str_text(&b->shim)),
	     *wish = str_format("HECATE_FAULT=%s", fault ? fault : ""),
	     *logged = str_format("HECATE_FAULT_LOG=%s", log ? log : "");
	const char *env[6] = {"TERM=xterm-256color"};
	size_t n = 1;
	struct pty p;
	double until = clock_seconds() + HANGS;
	bool ended = false;

	if (fault || log)
		env[n++] = preload;
	if (fault)
		env[n++] = wish;
	if (log)
		env[n++] = logged;
	if (CHECK(pty_start(&p, (const char *const *)argv, env, 100, 30, PTY_CONTROLS))) {
		pty_expect(&p, "quit", 2);
		for (const char *k = keys; *k && !ended; k++) {
			pty_send(&p, k, 1);
			pty_read(&p, 0.02);
			ended = pty_ended(&p, *k == '\033' ? 0.06 : 0, &o->status);
		}
		while (!ended && clock_seconds() < until) {
			pty_send(&p, "\033", 1);
			pty_read(&p, 0.06);
			/* x answers the question of q about what is in no file */
			pty_send(&p, "qx", 2);
			ended = pty_ended(&p, 0.2, &o->status);
		}
		pty_read(&p, 0.06); /* its last words */
		o->hangs = !ended;
		o->out = mem_str(p.out.n ? str_text(&p.out) : "");
		o->err = mem_str("");
		pty_free(&p);
	}
	free(preload);
	free(wish);
	free(logged);
}

/* The content of a session file. NULL: no file, or one that cannot be read (*broken). */
static char *
contents(const struct bench *b, const char *path, bool *broken)
{
	const struct scenario export = {.argv = {"export", path, "--csv"}};
	struct outcome o = {0};
	char *argv[WORDS + 2], *text = NULL;

	*broken = false;
	if (access(path, F_OK) != 0)
		return NULL;
	take_words(b, &export, argv);
	command(b, argv, NULL, NULL, &o);
	free_words(argv);
	*broken = o.hangs || !WIFEXITED(o.status) || WEXITSTATUS(o.status) != 0;
	/* A file without a recording is complete, too. */
	if (*broken && strstr(o.err, "there is no sample to export"))
		*broken = false;
	else if (*broken)
		printf("# export: %.300s\n", o.err);
	else
		text = mem_str(o.out);
	free_outcome(&o);
	return text;
}

static void
run(const struct bench *b, const struct scenario *s, const char *fault, const char *log, struct outcome *o)
{
	char *argv[WORDS + 2];

	CHECK(system("rm -rf s.hct* r.md r-*; mkdir -p data") == 0);
	if (s->appends)
		CHECK(system("cp old.hct s.hct") == 0);
	take_words(b, s, argv);
	if (s->keys)
		screen(b, argv, s->keys, fault, log, o);
	else
		command(b, argv, fault, log, o);
	free_words(argv);
}

static size_t
rows_of(const char *csv)
{
	size_t n = 0;

	for (; *csv; csv++)
		n += *csv == '\n';
	return n ? n - 1 : 0;
}

/* True if nothing is reported and nothing is missing. */
static bool
is_whole(const struct bench *b, const struct scenario *s, const struct outcome *o, const char *now)
{
	const char *said = strstr(o->err, "rows: ");

	if (!s->counts)
		return str_eq(o->out, b->good.out) && (!b->exported || (now && str_eq(now, b->exported)));
	/* "rows: N": the number of rows added */
	return !said || (now && rows_of(now) == (s->appends ? rows_of(b->old) : 0) + strtoul(said + 6, NULL, 10));
}

/* What is wrong with the result; NULL: nothing. */
static const char *
judge(const struct bench *b, const struct scenario *s, const char *fault, const struct outcome *o)
{
	bool memory = strncmp(fault, "malloc", 6) == 0 || strncmp(fault, "mmap", 4) == 0, broken;
	bool panicked = WIFSIGNALED(o->status) && WTERMSIG(o->status) == SIGABRT && memory &&
			strstr(s->keys ? o->out : o->err, "out of memory");
	const char *wrong = NULL;
	char *now;

	if (o->hangs)
		return "it hangs";
	if (!WIFEXITED(o->status) && !panicked)
		return "it died";
	now = contents(b, "s.hct", &broken);
	if (broken)
		wrong = "the session file cannot be read";
	else if (s->appends && (!now || strncmp(now, b->old, strlen(b->old)) != 0))
		wrong = "the old content of the session file is lost";
	else if (!s->keys && !panicked && o->status != b->good.status && !*o->err)
		wrong = "no message about what failed";
	else if (!s->keys && !panicked && o->status == b->good.status && (s->counts || str_eq(o->err, b->good.err)) &&
		 !is_whole(b, s, o, now))
		wrong = "something is missing without a message";
	free(now);
	return wrong;
}

/* The message of a run; on a terminal, what follows the last "hecate: ". */
static const char *
said(const struct scenario *s, const struct outcome *o)
{
	const char *last = "";

	if (!s->keys)
		return o->err;
	for (const char *at = o->out; (at = strstr(at, "hecate: ")) != NULL; at++)
		last = at;
	return last;
}

static bool
try(struct bench *b, const struct scenario *s, const char *fault)
{
	struct outcome o = {0};
	const char *wrong;

	b->faults++;
	run(b, s, fault, NULL, &o);
	wrong = judge(b, s, fault, &o);
	if (wrong) {
		printf("# HECATE_SCENARIO=%zu HECATE_FAULT=%s (%s): %s; status %d\n", (size_t)(s - scenarios), fault,
			s->name, wrong, o.status);
		printf("# it said: %.300s\n", said(s, &o));
		fflush(stdout);
	}
	CHECK(!wrong);
	free_outcome(&o);
	return !wrong;
}

/* Draws a call; early calls are more likely. */
static char *
pick_fault(struct bench *b)
{
	size_t i = (size_t)(test_random(&b->random) % KINDS), n_errors = 0;
	const char *error;
	unsigned long at;

	while (b->calls[i] == 0)
		i = (i + 1) % KINDS;
	while (n_errors < 5 && kinds[i].error[n_errors])
		n_errors++;
	at = test_random(&b->random) % b->calls[i] + 1;
	for (size_t halve = (size_t)(test_random(&b->random) % 8); halve-- > 0 && at > 40;)
		at = at / 3 + 1;
	error = kinds[i].error[test_random(&b->random) % n_errors];
	/* An interrupted call is repeated, for ever if every one is interrupted. */
	return str_format("%s:%lu:%s%s", kinds[i].name, at, error,
		test_random(&b->random) % 3 == 0 && !str_eq(error, "EINTR") ? "+" : "");
}

static void
take_sites(struct bench *b, const char *log)
{
	b->n_sites = 0;
	for (const char *line = log; (line = strstr(line, "site ")) != NULL && b->n_sites < SITES; line++) {
		struct site *site = &b->site[b->n_sites];

		for (site->kind = 0; site->kind < KINDS && strncmp(line + 5, kinds[site->kind].name,
			     strlen(kinds[site->kind].name)) != 0;)
			site->kind++;
		if (site->kind < KINDS) {
			site->at = strtoul(line + 5 + strlen(kinds[site->kind].name), NULL, 10);
			b->n_sites++;
		}
	}
}

/* The first call from each place fails, with one error after the other; from a random place on while there is time. */
static void
try_sites(struct bench *b, const struct scenario *s, double until)
{
	for (size_t k = 0; k < b->n_sites && clock_seconds() < until; k++) {
		size_t i = (k + b->random) % b->n_sites, n_errors = 0;
		const struct kind *kind = &kinds[b->site[i].kind];
		char *fault;

		while (n_errors < 5 && kind->error[n_errors])
			n_errors++;
		fault = str_format("%s:%lu:%s", kind->name, b->site[i].at, kind->error[i % n_errors]);
		test_label("%s, %s", s->name, fault);
		try(b, s, fault);
		free(fault);
	}
}

/* Runs the scenario without a fault, and counts its calls. */
static bool
learn(struct bench *b, const struct scenario *s)
{
	bool broken;
	unsigned long all = 0;
	char *log;

	free_outcome(&b->good);
	free(b->exported);
	b->exported = NULL;
	unlink("log");
	run(b, s, NULL, "log", &b->good);
	log = slurp("log");
	for (size_t i = 0; i < KINDS; i++) {
		const char *line = strstr(log, kinds[i].name);

		b->calls[i] = line ? strtoul(line + strlen(kinds[i].name), NULL, 10) : 0;
		all += b->calls[i];
	}
	take_sites(b, log);
	free(log);
	b->exported = contents(b, "s.hct", &broken);
	test_label("%s", s->name);
	return CHECK(!b->good.hangs && WIFEXITED(b->good.status)) && CHECK(!broken) && CHECK(all > 0);
}

static bool
begin(struct bench *b, char *folder)
{
	bool broken;

	*b = (struct bench){.hecate = getenv("HECATE"), .tests = getenv("HECATE_TESTS")};
	if (!CHECK(b->hecate && b->tests) || !CHECK(mkdtemp(folder) && chdir(folder) == 0))
		return false;
	str_addf(&b->shim, "%.*s/tests/programs/faults.so", (int)(strrchr(b->hecate, '/') - b->hecate), b->hecate);
	if (!CHECK(access(str_text(&b->shim), R_OK) == 0))
		return false;
	setenv("XDG_DATA_HOME", "data", 1);
	setenv("LC_ALL", "C.UTF-8", 1);
	/* The preloaded library comes before the sanitizers'; failing allocations are not for them to report. */
	setenv("ASAN_OPTIONS", "verify_asan_link_order=0:detect_leaks=0:allocator_may_return_null=1", 1);
	CHECK(system("\"$HECATE\" import -q -o old.hct -m linux-page-faults "
		     "\"$HECATE_TESTS/screens/expect/programs.csv\"") == 0);
	b->old = contents(b, "old.hct", &broken);
	return CHECK(b->old != NULL);
}

static void
end(struct bench *b, const char *folder)
{
	char *line = str_format("rm -rf %s", folder);

	free_outcome(&b->good);
	free(b->exported);
	free(b->old);
	str_free(&b->shim);
	CHECK(chdir("/") == 0 && system(line) == 0);
	free(line);
}

static void
whatever_fails(void)
{
	const char *asked = getenv("HECATE_SEED"), *only = getenv("HECATE_SCENARIO"), *fault = getenv("HECATE_FAULT"),
		   *slow = getenv("HECATE_SLOW"), *limit = getenv("HECATE_SECONDS");
	double all = limit ? atof(limit) : slow && *slow ? 75 : 5, each = all / (only ? 1 : (double)SCENARIOS);
	char folder[] = "/tmp/hecate-faults-XXXXXX";
	struct bench b;

	unsetenv("HECATE_FAULT");
	if (!begin(&b, folder))
		return;
	b.random = asked ? strtoull(asked, NULL, 10) : slow && *slow ? (uint64_t)time(NULL) : 1;
	printf("# HECATE_SEED=%llu\n", (unsigned long long)b.random);
	for (size_t i = 0, runs = 0; i < SCENARIOS; i++, runs = 0) {
		double until = clock_seconds() + each;

		if ((only && (size_t)atoi(only) != i) || !learn(&b, &scenarios[i]))
			continue;
		for (size_t k = 0; !fault && k < sizeof known / sizeof *known; k++)
			if (known[k].scenario == i) {
				test_label("%s, %s", scenarios[i].name, known[k].fault);
				try(&b, &scenarios[i], known[k].fault);
			}
		if (fault)
			try(&b, &scenarios[i], fault);
		else if (slow && *slow)
			try_sites(&b, &scenarios[i], limit ? clock_seconds() + each : INFINITY);
		until = clock_seconds() + each;
		for (; !fault && (runs == 0 || clock_seconds() < until); runs++) {
			char *picked = pick_fault(&b);

			test_label("%s, %s", scenarios[i].name, picked);
			if (!try(&b, &scenarios[i], picked) && !limit)
				until = 0;
			free(picked);
		}
		printf("# %s: %zu call sites, %zu random faults\n", scenarios[i].name, b.n_sites, runs);
		fflush(stdout);
	}
	printf("# %zu faults in %zu scenarios\n", b.faults, only ? (size_t)1 : SCENARIOS);
	end(&b, folder);
}

/* The times of each observation ascend, and none is later than a run can last. */
static bool
times_ascend(const char *csv)
{
	char **line = str_split(csv, '\n', NULL);
	const char *before = "";
	double last = 0;
	bool good = true;

	for (size_t i = 1; line[0] && strncmp(line[0], "observation,time", 16) == 0 && line[i] && good; i++) {
		const char *comma = strchr(line[i], ',');
		double now = comma ? atof(comma + 1) : 0;
		size_t n = comma ? (size_t)(comma - line[i]) : 0;

		if (!comma || comma[1] == ',')
			continue; /* a row without a time */
		good = now > 0 && now < HANGS && (strncmp(before, line[i], n + 1) != 0 || now > last);
		before = line[i];
		last = now;
	}
	str_split_free(line);
	return good;
}

/* Steps of a second and of an hour, to and fro: nothing waits for the time of day to come back, and no sample is lost
 * or put in another order. */
static void
the_clock_may_step(void)
{
	static const char *const step[] = {"1", "-1", "3600", "-3600"};
	char folder[] = "/tmp/hecate-clocks-XXXXXX";
	struct bench b;

	if (!begin(&b, folder))
		return;
	for (size_t i = 0; i < SCENARIOS; i++) {
		if (!learn(&b, &scenarios[i]))
			continue;
		for (size_t k = 0; k < sizeof step / sizeof *step; k++) {
			struct outcome o = {0};
			const char *wrong;
			char *now;
			bool broken;

			setenv("HECATE_CLOCK", step[k], 1);
			run(&b, &scenarios[i], NULL, "log", &o);
			unsetenv("HECATE_CLOCK");
			test_label("%s, the clock steps by %s s", scenarios[i].name, step[k]);
			wrong = judge(&b, &scenarios[i], "", &o);
			if (!wrong && o.status != b.good.status)
				wrong = "another exit status";
			if (!test_check(!wrong, __FILE__, __LINE__, "%s", wrong))
				printf("# it said: %.300s\n", said(&scenarios[i], &o));
			now = contents(&b, "s.hct", &broken);
			CHECK(!now || times_ascend(now));
			free(now);
			free_outcome(&o);
		}
	}
	end(&b, folder);
}

/* A write, and then a sync or rename, takes two seconds: nothing is lost, and the answers are the same. */
static void
the_disk_may_be_slow(void)
{
	static const size_t slow_kinds[] = {1, 6};
	const char *all = getenv("HECATE_SLOW");
	char folder[] = "/tmp/hecate-disks-XXXXXX";
	struct bench b;

	if (!begin(&b, folder))
		return;
	b.random = 1;
	for (size_t i = 0; i < SCENARIOS; i++) {
		if ((!all || !*all) && i % 5 != 1)
			continue;
		if (!learn(&b, &scenarios[i]))
			continue;
		for (size_t k = 0; k < sizeof slow_kinds / sizeof *slow_kinds; k++) {
			const struct kind *kind = &kinds[slow_kinds[k]];
			struct outcome o = {0};
			const char *wrong;
			char *fault;

			if (!b.calls[slow_kinds[k]])
				continue;
			fault = str_format("%s:%lu:slow", kind->name,
				(unsigned long)(test_random(&b.random) % b.calls[slow_kinds[k]]) + 1);
			test_label("%s, %s", scenarios[i].name, fault);
			run(&b, &scenarios[i], fault, NULL, &o);
			wrong = judge(&b, &scenarios[i], fault, &o);
			if (!wrong && o.status != b.good.status)
				wrong = "another exit status";
			if (!test_check(!wrong, __FILE__, __LINE__, "%s", wrong))
				printf("# it said: %.300s\n", said(&scenarios[i], &o));
			free(fault);
			free_outcome(&o);
		}
	}
	end(&b, folder);
}

TEST_MAIN(CASE(whatever_fails), CASE(the_clock_may_step), CASE(the_disk_may_be_slow))
