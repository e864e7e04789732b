/* Words quoted for a shell: real shells read them back byte for byte, and run nothing. */
#include "base/shell.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "test.h"

static const char *const hostile[] = {
	"plain",
	"a/b.c",
	"",
	" ",
	"a b",
	"x;touch F;#",
	"$(touch F)",
	"`touch F`",
	"$HOME",
	"${IFS}x",
	"it's",
	"''",
	"'; touch F; '",
	"\"",
	"\"$(touch F)\"",
	"\\",
	"a\\'b",
	"!history",
	"~root",
	"~",
	"*",
	"?",
	"[a-z]",
	"{a,b}",
	"a&touch F",
	"a|touch F",
	"a>F",
	"<F",
	"(touch F)",
	"#comment",
	"a#b",
	"-rf",
	"--",
	"-",
	"=x",
	"a=b",
	"PATH=/tmp",
	"\n",
	"a\nb",
	"a\ntouch F\n",
	"'\ntouch F\n'",
	"$'\\n'",
	"\t",
	"a\tb",
	"\001\002\033[31m",
	"\x7f",
	"a\rb",
	"\033]0;title\007",
	"\n'; touch F; #",
	"\n\\'; touch F; #",
	"\n!x",
	"\xff\xfe",
	"b\xc3\xa4r",
	"\xe2\x80\xae!evil",
	"load.pde$_miss",
	"page-faults:u",
	"exceptions:page_fault_user if error_code & 2",
	"%s%n",
	"\0017",
};
#define HOSTILE (sizeof hostile / sizeof *hostile)

/* The word as a shell reads it; NULL if the shell cannot be run. The caller frees. */
static char *
read_by(const char *shell, const char *word)
{
	char *script = str_format("printf '%%s.' %s", word);
	int ends[2], status = -1;
	struct str out = {0};
	char part[256];
	ssize_t n;
	pid_t pid;

	if (pipe(ends) != 0)
		abort();
	pid = fork();
	if (pid == 0) {
		dup2(ends[1], 1);
		close(ends[0]);
		close(ends[1]);
		execlp(shell, shell, "-c", script, (char *)NULL);
		_exit(127);
	}
	close(ends[1]);
	while ((n = read(ends[0], part, sizeof part)) > 0)
		str_addn(&out, part, (size_t)n);
	close(ends[0]);
	waitpid(pid, &status, 0);
	free(script);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 127) {
		str_free(&out);
		return NULL;
	}
	if (!CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0 && out.n && out.s[out.n - 1] == '.')) {
		str_free(&out);
		return mem_str("?");
	}
	out.s[--out.n] = '\0';
	return str_take(&out);
}

static char *
quoted(const char *word)
{
	struct str out = {0};

	shell_add_word(&out, word);
	return str_take(&out);
}

static bool
is_ansi(const char *word)
{
	return strncmp(word, "$'", 2) == 0;
}

static void
shells_read_the_same_word(void)
{
	static const char *const shell[] = {"sh", "bash", "dash", "zsh"};
	char folder[] = "/tmp/hecate-shell-XXXXXX";

	CHECK(mkdtemp(folder) && chdir(folder) == 0);
	for (size_t k = 0; k < sizeof shell / sizeof *shell; k++)
		for (size_t i = 0; i < HOSTILE; i++) {
			char *word = quoted(hostile[i]), *got = read_by(shell[k], word);

			test_label("%s: %s", shell[k], word);
			if (got && (!is_ansi(word) || k == 1 || k == 3)) /* other shells may not know $'…' */
				CHECK(str_eq(got ? got : "", hostile[i]));
			CHECK(access("F", F_OK) != 0); /* no command was run */
			for (const char *c = word; *c; c++)
				CHECK((unsigned char)*c >= 0x20 && *c != 0x7f);
			free(got);
			free(word);
		}
	CHECK(chdir("/") == 0 && rmdir(folder) == 0);
}

static void
split_inverts_quoting(void)
{
	struct str line = {0};
	char **argv;
	struct err e = {0};

	str_add(&line, "cmd");
	for (size_t i = 0; i < HOSTILE; i++) {
		str_addc(&line, ' ');
		shell_add_word(&line, hostile[i]);
	}
	argv = shell_split(str_text(&line), &e);
	if (CHECK(argv)) {
		CHECK_STR(argv[0], "cmd");
		for (size_t i = 0; i < HOSTILE; i++) {
			test_label("word %zu", i);
			if (CHECK(argv[i + 1]))
				CHECK(str_eq(argv[i + 1], hostile[i]));
		}
		CHECK(!argv[HOSTILE + 1]);
	}
	str_split_free(argv);
	str_free(&line);
	CHECK(!shell_split("a $'b", &e));
	CHECK(strstr(e.what, "open quote"));
	CHECK(!shell_split(" \t", &e));
}

static void
hyphens_are_no_options(void)
{
	struct str out = {0};
	struct err e = {0};

	shell_add_file(&out, "-rf");
	CHECK_STR(str_text(&out), "./-rf");
	str_clear(&out);
	shell_add_file(&out, "-");
	CHECK_STR(str_text(&out), "-");
	str_clear(&out);
	shell_add_option(&out, "--counters", "-x;y");
	CHECK_STR(str_text(&out), " --counters='-x;y'");
	str_clear(&out);
	shell_add_option(&out, "--counters", "x,y");
	CHECK_STR(str_text(&out), " --counters x,y");
	str_free(&out);
	shell_hint(&e, "100 %%: hecate %s %s", "net", "a b");
	CHECK_STR(e.hint, "100 %: hecate net 'a b'");
}

TEST_MAIN(CASE(shells_read_the_same_word), CASE(split_inverts_quoting), CASE(hyphens_are_no_options))
