/* Random bytes, clicks, sizes and half sequences for the real program in a bare terminal, with recorded data and while
 * it counts.
 *
 * It must stay alive, answer within a few seconds, and leave when asked. HECATE_SEED (printed) chooses what is sent.
 * Counting has its own timing, so a repeated run sends the same bytes, but not at the same times. With HECATE_SLOW it
 * runs for HECATE_SECONDS (60) in all. PATH holds only a few harmless programs that it could type. */
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/str.h"
#include "pty.h"
#include "test.h"

#define ANSWER 60 /* seconds until something must be drawn, also on a busy machine */
#define LOG 4096

static const char *const arguments[][6] = {
	{NULL},
	{"linux-page-faults", "@screens/expect/programs.csv", "--exact", NULL},
	{"haswell-mmu", "@screens/expect/walks.csv", NULL},
	{"linux-vm", "--", "sleep", "30", NULL},
	{"stall-sources", "-I", "50", "--", "sleep", "30"},
	{"haswell-mmu", "sim:small:merging:chase:endless", NULL},
	{"spr-cxl", "@screens/expect/fotonik.csv", NULL},
	{"@networks/far.net", "topdown-l1-spr", "@screens/expect/far.csv", "@screens/expect/slots.csv", NULL},
	{"linux-vm", "stall-sources", "--", "sleep", "30", NULL},
};
#define ARGUMENTS (sizeof arguments / sizeof *arguments)

#define REPORT "sanitizer" /* the files that sanitizers write begin so; on the screen more output would follow */

struct monkey {
	struct pty p;
	uint64_t random;
	struct str sent; /* the last bytes, for the report of a failure */
	struct str said; /* what the program says of a defect; after that the terminal only echoes */
};

static size_t
pick(struct monkey *m, size_t n)
{
	return (size_t)(test_random(&m->random) % n);
}

static void
type(struct monkey *m, const char *bytes, size_t n)
{
	if (m->sent.n > 2 * LOG) {
		memmove(m->sent.s, m->sent.s + m->sent.n - LOG, LOG);
		m->sent.n = LOG;
	}
	str_addn(&m->sent, bytes, n);
	pty_send(&m->p, bytes, n);
}

static void
type_text(struct monkey *m, const char *text)
{
	type(m, text, strlen(text));
}

/* Keys by how often they lead somewhere; q and Esc are rare, so that it seldom ends. No / or . in text: it names no
 * files. */
static void
press(struct monkey *m)
{
	static const char *const key[] = {
		"1",
		"2",
		"3",
		"4",
		"5",
		"6",
		"7",
		"\t",
		"\033[Z",
		"\r",
		" ",
		"\033[A",
		"\033[B",
		"\033[C",
		"\033[D",
		"\033[5~",
		"\033[6~",
		"\033[H",
		"\033[F",
		"\033OA",
		"\033OP",
		"\033[15~",
		"a",
		"b",
		"c",
		"d",
		"e",
		"f",
		"F",
		"g",
		"G",
		"h",
		"i",
		"j",
		"k",
		"l",
		"L",
		"m",
		"M",
		"n",
		"N",
		"o",
		"O",
		"p",
		"P",
		"r",
		"R",
		"s",
		"S",
		"t",
		"T",
		"u",
		"v",
		"w",
		"x",
		"y",
		"z",
		"?",
		"\\",
		"[",
		"]",
		"{",
		"}",
		"*",
		"+",
		"-",
		"!",
		":",
		"\f",
		"\025",
		"\177",
		"D",
		"\033",
		"\0331",
		"/",
	};
	static const char *const odd[] = {
		"\033[", "\033[<0;3", "\033[<", "\033O", "\033[M", "\xc3", "\xff\xfe", "\033[200~", "\033]0;x\007",
		"\033[99;99;99;99x", "\xf0\x9f\x98\x80", "\033[<64;1;1M\033[<0;2;2M"
	};

	if (pick(m, 60) == 0)
		type_text(m, "q");
	else if (pick(m, 14) == 0)
		type_text(m, odd[pick(m, sizeof odd / sizeof *odd)]);
	else
		type_text(m, key[pick(m, sizeof key / sizeof *key)]);
}

static void
click(struct monkey *m)
{
	static const int button[] = {0, 0, 0, 0, 64, 65, 1, 2, 32, 35, 16};
	char text[64];
	int b = button[pick(m, sizeof button / sizeof *button)], x = 1 + (int)pick(m, 130), y = 1 + (int)pick(m, 45);

	snprintf(text, sizeof text, "\033[<%d;%d;%dM", b, x, y);
	type_text(m, text);
	if (pick(m, 4)) {
		snprintf(text, sizeof text, "\033[<%d;%d;%dm", b, x, y);
		type_text(m, text);
	}
}

static void
size(struct monkey *m)
{
	static const struct {
		int w, h;
	} usual[] = {{80, 24}, {120, 40}, {200, 60}, {60, 20}, {40, 10}, {19, 2}, {1, 1}, {0, 0}, {300, 100}};
	size_t i = pick(m, sizeof usual / sizeof *usual);
	char text[32];

	snprintf(text, sizeof text, "<%dx%d>", usual[i].w, usual[i].h);
	str_add(&m->sent, text);
	pty_size(&m->p, usual[i].w, usual[i].h);
	if (m->p.pid)
		kill(m->p.pid, SIGWINCH);
}

/* Forgets the program's output, except what it says of a defect. */
static void
forget(struct monkey *m)
{
	const char *defect = m->p.out.s ? strstr(m->p.out.s, "internal error") : NULL;

	if (defect)
		str_addf(&m->said, "%.300s\n", defect);
	pty_forget(&m->p);
}

static void
print_failure(const struct monkey *m, const char *what)
{
	struct str visible = {0};
	size_t n = m->sent.n < 400 ? m->sent.n : 400;

	for (size_t i = m->sent.n - n; i < m->sent.n; i++)
		str_addf(&visible, m->sent.s[i] >= 0x20 && m->sent.s[i] < 0x7f ? "%c" : "\\x%02x",
			(unsigned char)m->sent.s[i]);
	printf("# %s; sent last: %s\n", what, str_text(&visible));
	if (m->said.n)
		printf("# before: %s", str_text(&m->said));
	printf("# written last: ");
	for (size_t i = m->p.out.n > 1500 ? m->p.out.n - 1500 : 0; i < m->p.out.n; i++)
		putchar(m->p.out.s[i] >= 0x20 && m->p.out.s[i] < 0x7f ? m->p.out.s[i]
				: m->p.out.s[i] == '\n'               ? ' '
								      : '.');
	putchar('\n');
	fflush(stdout);
	CHECK(system("sed 's/^/# /' " REPORT ".* 2>/dev/null; rm -f " REPORT ".*") != -1);
	str_free(&visible);
}

/* True if the program ended by itself with status 0. */
static bool
left_well(struct monkey *m, int status)
{
	bool good = WIFEXITED(status) && WEXITSTATUS(status) == 0;

	if (!CHECK(good)) {
		printf("# status 0x%x\n", (unsigned)status);
		print_failure(m, "it ended");
	}
	return good;
}

static bool
begin(struct monkey *m, size_t which)
{
	static const char *const env[] = {
		"TERM=xterm-256color", "LC_ALL=C.UTF-8", "PATH=bin",
		"ASAN_OPTIONS=detect_leaks=0:abort_on_error=1:log_path=" REPORT, NULL
	};
	const char *tests = getenv("HECATE_TESTS"), *argv[8] = {getenv("HECATE")};
	struct str path[6] = {{0}};
	bool good;

	for (size_t i = 0; i < 6 && arguments[which][i]; i++) {
		const char *a = arguments[which][i];

		if (*a == '@')
			str_addf(&path[i], "%s/%s", tests, a + 1);
		argv[i + 1] = *a == '@' ? str_text(&path[i]) : a;
	}
	str_clear(&m->sent);
	str_clear(&m->said);
	good = argv[0] && pty_start(&m->p, argv, env, 120, 40, PTY_CONTROLS) && pty_read(&m->p, ANSWER);
	for (size_t i = 0; i < 6; i++)
		str_free(&path[i]);
	return good;
}

/* True if the program draws again when asked, whatever it is doing. */
static bool
answers(struct monkey *m)
{
	double until = clock_seconds() + ANSWER;
	int status;

	while (pty_read(&m->p, 0))
		;
	forget(m);
	while (clock_seconds() < until) {
		pty_size(&m->p, 100 + (int)pick(m, 20), 30);
		kill(m->p.pid, SIGWINCH);
		pty_send(&m->p, "\f", 1);
		if (pty_read(&m->p, 0.5))
			return true;
		if (pty_ended(&m->p, 0, &status))
			return left_well(m, status);
	}
	print_failure(m, "it does not answer");
	return test_check(false, __FILE__, __LINE__, "it answers");
}

/* Leaves prompts and popups by Esc, and answers the question of q: x does not save, and s ends a command whose counts
 * are saved already. While a command runs, Esc asks, too, and takes the first q. */
static bool
leave(struct monkey *m)
{
	double until = clock_seconds() + ANSWER;
	int status;

	for (size_t round = 0; clock_seconds() < until; round++) {
		pty_send(&m->p, "\033", 1);
		poll(NULL, 0, 60);
		pty_send(&m->p, "qq", 1 + round % 2);
		if (pty_ended(&m->p, 0.2, &status))
			return left_well(m, status);
		pty_send(&m->p, "xs", 2);
		if (pty_ended(&m->p, 0.2, &status))
			return left_well(m, status);
	}
	print_failure(m, "it does not leave");
	return test_check(false, __FILE__, __LINE__, "it leaves");
}

static void
run(size_t which, uint64_t seed, double until)
{
	struct monkey m = {.random = seed * 31 + which, .p = {.master = -1}};
	bool good = true;

	printf("# HECATE_SEED=%llu HECATE_MONKEY=%zu\n", (unsigned long long)seed, which);
	fflush(stdout);
	while (good && clock_seconds() < until) {
		int status = 0;
		bool over = false;

		if (!CHECK(begin(&m, which))) {
			print_failure(&m, "it did not start");
			break;
		}
		while (good && !over && clock_seconds() < until) {
			for (size_t i = 1 + pick(&m, 12); i-- > 0;)
				(pick(&m, 12) == 0 ? size : pick(&m, 5) == 0 ? click : press)(&m);
			pty_read(&m.p, 0.002);
			over = pty_ended(&m.p, 0, &status);
			if (over)
				good = left_well(&m, status);
			else if (pick(&m, 12) == 0)
				good = answers(&m);
			over |= m.p.pid == 0;
			if (m.p.out.n > 200000)
				forget(&m);
		}
		if (good && !over)
			good = leave(&m);
		pty_free(&m.p);
	}
	str_free(&m.sent);
	str_free(&m.said);
}

static void
make_place(char *folder)
{
	static const char *const harmless[] = {"true", "sleep", "false"};

	CHECK(mkdtemp(folder) && chdir(folder) == 0);
	CHECK(system("mkdir bin data") == 0);
	for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++) {
		char *line = str_format("ln -s \"$(command -v %s)\" bin/%s", harmless[i], harmless[i]);

		CHECK(system(line) == 0);
		free(line);
	}
	setenv("XDG_DATA_HOME", "data", 1);
}

static void
anything_goes(void)
{
	const char *asked = getenv("HECATE_SEED"), *only = getenv("HECATE_MONKEY"), *slow = getenv("HECATE_SLOW"),
		   *limit = getenv("HECATE_SECONDS");
	uint64_t seed = asked ? strtoull(asked, NULL, 10) : slow && *slow ? (uint64_t)time(NULL) : 1;
	double all = limit ? atof(limit) : slow && *slow ? 60 : 6, each = all / (only ? 1 : (double)ARGUMENTS);
	char folder[] = "/tmp/hecate-monkey-XXXXXX", *line;

	if (!CHECK(getenv("HECATE")))
		return;
	make_place(folder);
	for (size_t i = 0; i < ARGUMENTS; i++)
		if (!only || (size_t)atoi(only) == i)
			run(i, seed, clock_seconds() + each);
	line = str_format("rm -rf %s", folder);
	CHECK(chdir("/") == 0 && system(line) == 0);
	free(line);
}

TEST_MAIN(CASE(anything_goes))
