/* The explorer in a bare terminal: what it does when the terminal disappears, or reports a size that no terminal
 * has. */
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/str.h"
#include "pty.h"
#include "test.h"

#define PATIENCE_SECONDS 60 /* for what takes a second on an idle machine */

static const char *const env[] = {"TERM=xterm-256color", "LC_ALL=C.UTF-8", "ASAN_OPTIONS=detect_leaks=0", NULL};

static bool
start(struct pty *p, int w, int h, enum pty_kind kind, const char *a, const char *b, const char *c, const char *d)
{
	const char *hecate = getenv("HECATE");
	const char *const argv[] = {hecate, a, b, c, d, NULL};

	return CHECK(hecate) && CHECK(pty_start(p, argv, env, w, h, kind));
}

/* A command is watched when the terminal disappears, with SIGHUP and without: the explorer must end. */
static void
it_ends_with_its_terminal(void)
{
	for (int kind = PTY_CONTROLS; kind <= PTY_PLAIN; kind++)
		for (int running = 0; running < 2; running++) {
			struct pty p;
			int status = 0;

			if (!start(&p, 80, 24, (enum pty_kind)kind, running ? "linux-vm" : "haswell-mmu",
				    running ? "--" : NULL, "sleep", "60"))
				return;
			test_label("%s terminal, %s", kind == PTY_PLAIN ? "plain" : "controlling",
				running ? "a command runs" : "nothing runs");
			CHECK(pty_expect(&p, "quit", PATIENCE_SECONDS));
			pty_hang_up(&p);
			if (CHECK(pty_ended(&p, PATIENCE_SECONDS, &status)))
				CHECK((WIFEXITED(status) && WEXITSTATUS(status) == 2) ||
					(WIFSIGNALED(status) && WTERMSIG(status) == SIGHUP));
			pty_free(&p);
		}
}

/* It reads from one terminal and draws on another one, which disappears: it must end. */
static void
ends_with_its_output(const char *what, bool running)
{
	const char *hecate = getenv("HECATE");
	struct pty in, out;
	int status = 0;
	char *script;

	/* The second terminal belongs to a program that only holds it open. */
	if (!CHECK(hecate) ||
		!CHECK(pty_start(&out, (const char *const[]){"/bin/sh", "-c", "tty; exec sleep 60", NULL}, NULL, 80, 24,
			PTY_PLAIN)))
		return;
	CHECK(pty_expect(&out, "\n", PATIENCE_SECONDS));
	out.out.s[strcspn(out.out.s, "\r\n")] = '\0';
	script = str_format("exec \"$0\" %s >%s", what, str_text(&out.out));
	if (CHECK(pty_start(
		    &in, (const char *const[]){"/bin/sh", "-c", script, hecate, NULL}, env, 80, 24, PTY_PLAIN))) {
		pty_forget(&out);
		CHECK(pty_expect(&out, "quit", PATIENCE_SECONDS));
		while (!running && pty_read(&out, 0.5)) /* until the screen stays as it is */
			;
		pty_hang_up(&out);
		if (CHECK(pty_ended(&in, PATIENCE_SECONDS, &status)))
			CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 2);
		pty_free(&in);
	}
	free(script);
	pty_free(&out);
}

static void
it_ends_with_its_output(void)
{
	ends_with_its_output("linux-vm -- sleep 60", true);
	ends_with_its_output("linux-page-faults", false);
}

/* It draws the part that a person could see, and does not blame the terminal's type. */
static void
a_size_that_no_terminal_has(void)
{
	static const struct { int w, h; } size[] = {{65535, 2}, {65535, 65535}, {30, 65535}, {40000, 40000}};

	for (size_t i = 0; i < sizeof size / sizeof *size; i++) {
		struct pty p;
		int status = 0;

		if (!start(&p, size[i].w, size[i].h, PTY_CONTROLS, NULL, NULL, NULL, NULL))
			return;
		test_label("%dx%d", size[i].w, size[i].h);
		CHECK(pty_expect(&p, "hecate", PATIENCE_SECONDS));
		CHECK(!pty_ended(&p, 0.3, &status));
		pty_send(&p, "q", 1);
		if (CHECK(pty_ended(&p, PATIENCE_SECONDS, &status)))
			CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
		CHECK(!strstr(str_text(&p.out), "terminfo"));
		pty_free(&p);
	}
}

/* From usual to huge and back: it continues. */
static void
a_size_that_becomes_huge(void)
{
	struct pty p;
	int status = 0;

	if (!start(&p, 80, 24, PTY_CONTROLS, NULL, NULL, NULL, NULL))
		return;
	CHECK(pty_expect(&p, "quit", PATIENCE_SECONDS));
	for (int i = 0; i < 3; i++) {
		pty_size(&p, i == 1 ? 65535 : 3000, i == 2 ? 65535 : 2);
		pty_read(&p, 0.3);
	}
	pty_size(&p, 100, 30);
	pty_forget(&p);
	CHECK(pty_expect(&p, "does this model survive", PATIENCE_SECONDS));
	pty_send(&p, "q", 1);
	if (CHECK(pty_ended(&p, PATIENCE_SECONDS, &status)))
		CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	pty_free(&p);
}

/* Keys that come before the first drawing ask for a picture of the screen, and must get one. */
static void
keys_before_the_first_drawing(void)
{
	char folder[] = "/tmp/hecate-terminal-XXXXXX", *line;

	CHECK(mkdtemp(folder) && chdir(folder) == 0);
	for (int i = 0; i < 5; i++) {
		struct pty p;
		int status = 0;

		if (!start(&p, 80, 24, PTY_CONTROLS, NULL, NULL, NULL, NULL))
			return;
		pty_send(&p, "ws", 2);
		line = str_format("hecate-%d.svg", i + 1);
		for (double until = clock_seconds() + PATIENCE_SECONDS;
			access(line, F_OK) != 0 && !pty_ended(&p, 0, &status) && clock_seconds() < until;)
			pty_read(&p, 0.05);
		CHECK(access(line, F_OK) == 0);
		free(line);
		pty_send(&p, "q", 1);
		if (CHECK(pty_ended(&p, PATIENCE_SECONDS, &status)))
			CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
		pty_free(&p);
	}
	CHECK(system("grep -q 'does this model survive' hecate-1.txt") == 0);
	line = str_format("rm -rf %s", folder);
	CHECK(chdir("/") == 0 && system(line) == 0);
	free(line);
}

static const struct { const char *open, *data, *key; } still[] = {
	{NULL, NULL, "8"}, {"haswell-mmu", "walks.csv", "1"}, {"haswell-mmu", "walks.csv", "2"},
	{"haswell-mmu", "walks.csv", "3"}, {"haswell-mmu", "walks.csv", "4"}, {"haswell-mmu", "walks.csv", "0"},
	{"haswell-mmu", "walks.csv", "9"}, {"spr-cxl", "fotonik.csv", "5"}, {"spr-cxl", "fotonik.csv", "7"},
	{"stall-sources", "tasks.csv", "6"},
};
#define STILL (sizeof still / sizeof *still)

static void
read_all(struct pty *p)
{
	for (size_t i = 0; i < STILL; i++)
		pty_read(&p[i], 0);
}

/* Each view on recorded data, once it has been quiet for two seconds, or for as long as all took to start: a busy
 * machine computes for longer. */
static void
a_still_screen_sends_nothing(void)
{
	struct pty p[STILL];
	double begin = clock_seconds(), until = begin + PATIENCE_SECONDS, quiet_since, quiet;

	for (size_t i = 0; i < STILL; i++) {
		const char *tests = getenv("HECATE_TESTS");
		char *data = still[i].data ? str_format("%s/screens/expect/%s", tests, still[i].data) : NULL;

		if (!start(&p[i], 120, 40, PTY_CONTROLS, still[i].open, data, NULL, NULL))
			return;
		free(data);
		CHECK(pty_expect(&p[i], "quit", PATIENCE_SECONDS));
		pty_send(&p[i], still[i].key, 1);
	}
	quiet_since = clock_seconds();
	quiet = quiet_since - begin > 2 ? quiet_since - begin : 2;
	while (clock_seconds() < until && clock_seconds() < quiet_since + quiet) {
		for (size_t i = 0; i < STILL; i++)
			if (pty_read(&p[i], 0))
				quiet_since = clock_seconds();
		poll(NULL, 0, 20);
	}
	for (size_t i = 0; i < STILL; i++)
		pty_forget(&p[i]);
	for (until = clock_seconds() + 3; clock_seconds() < until; poll(NULL, 0, 50))
		read_all(p);
	for (size_t i = 0; i < STILL; i++) {
		int status;

		test_label("%s, view %s", still[i].open ? still[i].open : "Home", still[i].key);
		CHECK(p[i].out.n == 0 && !pty_ended(&p[i], 0, &status));
		pty_free(&p[i]);
	}
}

/* Asks for the whole screen until it comes. */
static bool
is_drawn(struct pty *p)
{
	double until = clock_seconds() + PATIENCE_SECONDS;
	int w = 120;

	do {
		while (pty_read(p, 0.1))
			;
		pty_forget(p);
		pty_size(p, w = w == 120 ? 119 : 120, 40);
		kill(p->pid, SIGWINCH);
	} while (!pty_expect(p, "hecate", 1) && clock_seconds() < until);
	return p->out.n > 0 && strstr(str_text(&p->out), "hecate") != NULL;
}

/* The terminal becomes a single cell between the press of a button and its release. */
static void
a_drag_while_the_terminal_shrinks(void)
{
	struct pty p;
	int status = 0;

	if (!start(&p, 120, 40, PTY_CONTROLS, "haswell-mmu", NULL, NULL, NULL))
		return;
	CHECK(pty_expect(&p, "quit", PATIENCE_SECONDS));
	for (int x = 2; x < 118; x += 2) {
		char *down = str_format("\033[<0;%d;12M\033[<32;%d;12M", x, x + 1),
		     *up = str_format("\033[<32;%d;14M\033[<0;%d;14m", 120 - x, 120 - x);

		pty_send(&p, down, strlen(down));
		pty_size(&p, 1, 1);
		kill(p.pid, SIGWINCH);
		pty_read(&p, 0.02);
		pty_send(&p, up, strlen(up));
		pty_size(&p, 120, 40);
		kill(p.pid, SIGWINCH);
		free(down);
		free(up);
	}
	CHECK(is_drawn(&p));
	pty_send(&p, "\033\033qq", 4);
	if (CHECK(pty_ended(&p, PATIENCE_SECONDS, &status)))
		CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	pty_free(&p);
}

/* A megabyte between the marks of a paste, in a prompt and outside: no key of it acts, and the next one does. */
static void
a_megabyte_is_pasted(void)
{
	static const char *const prompt[] = {"/", ""};
	size_t n = 1 << 20;
	char *text = malloc(n);

	for (size_t i = 0; i < n; i++)
		text[i] = "qx.\rq\xc3\xa4\t"[i % 8];
	for (size_t i = 0; i < 2; i++) {
		struct pty p;
		int status = 0;

		if (!start(&p, 120, 40, PTY_CONTROLS, "haswell-mmu", NULL, NULL, NULL))
			break;
		test_label("after '%s'", prompt[i]);
		CHECK(pty_expect(&p, "quit", PATIENCE_SECONDS));
		pty_send(&p, prompt[i], strlen(prompt[i]));
		pty_send(&p, "\033[200~", 6);
		pty_send(&p, text, n);
		pty_send(&p, "\033[201~", 6);
		CHECK(is_drawn(&p));
		CHECK(!pty_ended(&p, 0, &status));
		pty_send(&p, "\033\033q", 3);
		CHECK(pty_ended(&p, PATIENCE_SECONDS, &status));
		pty_free(&p);
	}
	free(text);
}

/* A signal ends it: the terminal is as it was, and the signal is what ended the program. Of those that another program
 * sends, the explorer saves what is in no file. */
static void
signals_give_the_terminal_back(void)
{
	static const int number[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGSYS, SIGTRAP, SIGXCPU, SIGUSR1,
		SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGTERM};
	/* A sanitizer would report the signal and end the program by a status. */
	static const char *const plain[] = {"TERM=xterm-256color", "LC_ALL=C.UTF-8", "ASAN_OPTIONS=detect_leaks=0:"
		"handle_segv=0:handle_sigbus=0:handle_sigill=0:handle_sigfpe=0:handle_abort=0", NULL};
	struct rlimit no_core = {0};

	setrlimit(RLIMIT_CORE, &no_core);
	for (size_t i = 0; i < sizeof number / sizeof *number; i++) {
		struct pty p;
		struct termios modes;
		int status = 0;

		test_label("%s", strsignal(number[i]));
		if (!CHECK(pty_start(&p, (const char *const[]){getenv("HECATE"), "haswell-mmu", NULL}, plain, 80, 24,
			    PTY_CONTROLS)))
			break;
		CHECK(pty_expect(&p, "quit", PATIENCE_SECONDS));
		CHECK(tcgetattr(p.master, &modes) == 0 && !(modes.c_lflag & (ICANON | ECHO)));
		kill(p.pid, number[i]);
		CHECK(pty_expect(&p, "\033[?1049l", PATIENCE_SECONDS));
		if (CHECK(pty_ended(&p, PATIENCE_SECONDS, &status)))
			CHECK(WIFSIGNALED(status) && WTERMSIG(status) == number[i]);
		CHECK(strstr(str_text(&p.out), "\033[?2004l") != NULL && strstr(str_text(&p.out), "ended by") != NULL);
		CHECK(tcgetattr(p.master, &modes) == 0 && (modes.c_lflag & (ICANON | ECHO)) == (ICANON | ECHO));
		pty_free(&p);
	}
}

TEST_MAIN(CASE(keys_before_the_first_drawing), CASE(it_ends_with_its_terminal), CASE(it_ends_with_its_output),
	CASE(a_size_that_no_terminal_has), CASE(a_size_that_becomes_huge), CASE(a_still_screen_sends_nothing),
	CASE(a_drag_while_the_terminal_shrinks), CASE(a_megabyte_is_pasted),
	CASE(signals_give_the_terminal_back))
