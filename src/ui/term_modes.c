#include "ui/term_modes.h"

#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/str.h"

static const int deadly[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGSYS, SIGTRAP};
enum { N_DEADLY = sizeof deadly / sizeof *deadly };

/* For the handler, which can reach nothing else. */
static struct {
	bool armed, has_modes;
	char *text;        /* switches reports off, then gives the screen back */
	size_t reports, n; /* bytes of the first part, and of all */
	struct termios modes;
	void *stack; /* SIGSEGV may mean that the ordinary one is full */
	struct sigaction before[N_DEADLY];
} rescue;

static void
on_deadly(int number, siginfo_t *info, void *context)
{
	static const char words[] = "hecate: ended by a defect of hecate, or by a signal of another program; please "
				    "report it with what you did\n";

	(void)context;
	rescue.armed = false;
	(void)!write(STDOUT_FILENO, rescue.text, rescue.n);
	if (rescue.has_modes)
		tcsetattr(STDOUT_FILENO, TCSANOW, &rescue.modes);
	(void)!write(STDERR_FILENO, words, sizeof words - 1);
	for (int i = 0; i < N_DEADLY; i++)
		sigaction(deadly[i], &rescue.before[i], NULL);
	/* What the processor raised comes again by itself, with its address. */
	if (info->si_code <= 0)
		raise(number);
}

void
term_modes_note(void)
{
	rescue.has_modes = tcgetattr(STDOUT_FILENO, &rescue.modes) == 0;
}

void
term_modes_begin(FILE *out, bool mouse, bool paste, const char *leave)
{
	struct sigaction act = {.sa_sigaction = on_deadly, .sa_flags = (int)(SA_SIGINFO | SA_ONSTACK)};
	struct str text = {0};
	stack_t stack = {.ss_size = 1 << 16};

	term_modes_end(NULL);
	str_add(&text, mouse ? "\033[?1006l\033[?1002l" : "");
	str_add(&text, paste ? "\033[?2004l" : "");
	rescue.reports = text.n;
	str_add(&text, leave);
	rescue.n = text.n;
	rescue.text = str_take(&text);
	stack.ss_sp = rescue.stack = mem_new(stack.ss_size);
	sigaltstack(&stack, NULL);
	sigfillset(&act.sa_mask);
	for (int i = 0; i < N_DEADLY; i++)
		sigaction(deadly[i], &act, &rescue.before[i]);
	rescue.armed = true;
	fputs(mouse ? "\033[?1002h\033[?1006h" : "", out);
	fputs(paste ? "\033[?2004h" : "", out);
	fflush(out);
}

void
term_modes_end(FILE *out)
{
	stack_t none = {.ss_flags = SS_DISABLE};

	if (!rescue.armed)
		return;
	rescue.armed = false;
	for (int i = 0; i < N_DEADLY; i++)
		sigaction(deadly[i], &rescue.before[i], NULL);
	if (out) {
		fwrite(rescue.text, 1, rescue.reports, out);
		fflush(out);
	}
	sigaltstack(&none, NULL);
	free(rescue.stack);
	free(rescue.text);
}
