#include "ui/editor.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"

#define NOT_FOUND 127 /* sh's status for a command that does not exist */
#define GRACE_NS 20000000
#define GRACES 50 /* of so long each, before an editor is killed that ignores SIGHUP */

/* --- which one ---------------------------------------------------------------------------------------------------- */

static bool
is_in_path(const char *program)
{
	char **folder = str_split(getenv("PATH") ? getenv("PATH") : "/usr/bin:/bin", ':', NULL);
	bool found = false;

	for (size_t i = 0; folder[i] && !found; i++) {
		char *path = str_format("%s/%s", *folder[i] ? folder[i] : ".", program);

		found = access(path, X_OK) == 0;
		free(path);
	}
	str_split_free(folder);
	return found;
}

static const char *
editor_command(void)
{
	static const char *const wanted[] = {"VISUAL", "EDITOR"}, *const usual[] = {"sensible-editor", "vi", "nano"};

	for (size_t i = 0; i < 2; i++) {
		const char *command = getenv(wanted[i]);

		if (command && command[strspn(command, " \t")])
			return command;
	}
	for (size_t i = 0; i < 3; i++)
		if (is_in_path(usual[i]))
			return usual[i];
	return NULL;
}

/* Does the editor take the line as +LINE? */
static bool
takes_line(const char *command)
{
	static const char *const known[] = {"sensible-editor", "vi", "vim", "nvim", "view", "gvim", "nano", "pico",
		"emacs", "emacsclient", "mg", "zile", "joe", "jed", "ne", "micro", "kak", "hx", "vis", "mcedit", "nvi",
		"elvis"};
	size_t length = strcspn(command, " \t");
	bool takes = false;

	while (length && memchr(command, '/', length)) { /* the program without its folder */
		size_t folder = strcspn(command, "/") + 1;

		command += folder;
		length -= folder;
	}
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		takes |= strlen(known[i]) == length && strncmp(command, known[i], length) == 0;
	return takes;
}

/* --- the process -------------------------------------------------------------------------------------------------- */

/* Gives the terminal to a process group. A process in the background is stopped for that, unless it ignores SIGTTOU. */
static void
give_terminal(pid_t group)
{
	void (*before)(int) = signal(SIGTTOU, SIG_IGN);

	tcsetpgrp(STDIN_FILENO, group);
	signal(SIGTTOU, before);
}

static void
become_editor(const char *command, const char *path, int line)
{
	char *script = str_format("%s \"$@\"", command), *at = str_format("+%d", line);
	bool takes = line > 0 && takes_line(command);
	sigset_t none;

	setpgid(0, 0);
	give_terminal(getpid());
	for (int sig = 1; sig < NSIG; sig++)
		signal(sig, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	execl("/bin/sh", "sh", "-c", script, command, takes ? at : path, takes ? path : (char *)NULL, (char *)NULL);
	_exit(NOT_FOUND);
}

bool
editor_start(struct editor *editor, const char *path, int line, struct err *e)
{
	const char *command = editor_command();

	*editor = (struct editor){0};
	if (!command) {
		err_set(e, "there is no editor: neither VISUAL nor EDITOR is set, and vi and nano are not installed");
		return err_hint(e, "EDITOR=your-editor hecate");
	}
	editor->command = mem_str(command);
	editor->pid = fork();
	if (editor->pid == 0)
		become_editor(command, path, line);
	if (editor->pid < 0) {
		editor_free(editor);
		return err_set(e, "cannot start %s: %s", command, strerror(errno));
	}
	setpgid(editor->pid, editor->pid); /* whoever is first */
	give_terminal(editor->pid);
	return true;
}

bool
editor_runs(const struct editor *editor, int *status)
{
	pid_t pid = waitpid(editor->pid, status, WNOHANG | WUNTRACED);

	if (pid == editor->pid && WIFSTOPPED(*status)) {
		give_terminal(editor->pid);
		kill(-editor->pid, SIGCONT);
		return true;
	}
	if (pid == 0 || (pid < 0 && errno == EINTR))
		return true;
	if (pid < 0)
		*status = 0;
	give_terminal(getpgrp());
	return false;
}

void
editor_end(const struct editor *editor)
{
	int status;

	kill(-editor->pid, SIGHUP);
	kill(-editor->pid, SIGCONT);
	for (int i = 0; i < GRACES; i++) {
		if (!editor_runs(editor, &status))
			return;
		nanosleep(&(struct timespec){.tv_nsec = GRACE_NS}, NULL);
	}
	kill(-editor->pid, SIGKILL);
	waitpid(editor->pid, &status, 0);
	give_terminal(getpgrp());
}

char *
editor_trouble(const struct editor *editor, int status)
{
	if (WIFSIGNALED(status))
		return str_format("the editor %s was ended by signal %d (%s)", editor->command, WTERMSIG(status),
			strsignal(WTERMSIG(status)));
	if (WIFEXITED(status) && WEXITSTATUS(status) == NOT_FOUND)
		return str_format("the editor %s was not found; set VISUAL or EDITOR to one that is installed",
			editor->command);
	if (WIFEXITED(status) && WEXITSTATUS(status))
		return str_format("the editor %s ended with status %d", editor->command,
			WEXITSTATUS(status));
	return NULL;
}

void
editor_free(struct editor *editor)
{
	free(editor->command);
	*editor = (struct editor){0};
}
