#include "ui/term_wanted.h"

#include <langinfo.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <wchar.h>

#include "draw/cell.h"

bool
term_wants_ascii(bool asked)
{
	const char *name = getenv("TERM");
	uint32_t cp;

	if (asked || strcmp(nl_langinfo(CODESET), "UTF-8") != 0)
		return true;
	if (name && (strcmp(name, "linux") == 0 || strncmp(name, "linux-", 6) == 0))
		return true;
	for (size_t i = 0; (cp = glyph_used(i)) != 0; i++)
		if (wcwidth((wchar_t)cp) != 1)
			return true;
	return false;
}

bool
term_wants_color(enum term_color color)
{
	const char *no = getenv("NO_COLOR");

	switch (color) {
	case TERM_COLOR_NEVER:
		return false;
	case TERM_COLOR_ALWAYS:
		return true;
	case TERM_COLOR_AUTO:
		return !(no && *no);
	}
	return false;
}

bool
term_claims_true_color(void)
{
	const char *claim = getenv("COLORTERM"), *name = getenv("TERM");

	return claim && (strcmp(claim, "truecolor") == 0 || strcmp(claim, "24bit") == 0) &&
		!(name && strncmp(name, "screen", 6) == 0 && !getenv("TMUX"));
}

void
term_size_known(int *w, int *h)
{
	struct winsize size;

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 && size.ws_row > 0) {
		*w = size.ws_col < TERM_COLUMNS ? size.ws_col : TERM_COLUMNS;
		*h = size.ws_row < TERM_ROWS ? size.ws_row : TERM_ROWS;
	}
}

int
term_size_from(const char *variable, int known, int most)
{
	const char *text = getenv(variable);
	int n = text ? atoi(text) : 0;

	return n > 0 && n <= most ? n : known;
}
