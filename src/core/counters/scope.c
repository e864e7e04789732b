#include "core/counters/scope.h"

#include <stdlib.h>

#include "base/near.h"
#include "base/str.h"
#include "text/diag.h"
#include "text/lex.h"

static const char *const names[] = {
	[SCOPE_TASK] = "task", [SCOPE_THREAD] = "thread", [SCOPE_CORE] = "core", [SCOPE_SLICE] = "slice",
	[SCOPE_CHANNEL] = "channel",
	[SCOPE_SOCKET] = "socket", [SCOPE_DEVICE] = "device", [SCOPE_SYSTEM] = "system",
};

const char *
scope_name(enum scope s)
{
	return names[s];
}

bool
scope_within(enum scope fine, enum scope coarse)
{
	if (fine == coarse || coarse == SCOPE_SYSTEM)
		return true;
	switch (fine) {
	case SCOPE_THREAD:
		return coarse == SCOPE_CORE || coarse == SCOPE_SOCKET;
	case SCOPE_CORE:
	case SCOPE_SLICE:
	case SCOPE_CHANNEL:
		return coarse == SCOPE_SOCKET;
	case SCOPE_TASK:
	case SCOPE_SOCKET:
	case SCOPE_DEVICE:
	case SCOPE_SYSTEM:
	case SCOPES:
		break;
	}
	return false;
}

bool
scope_parse(struct lexer *lexer, enum scope *out)
{
	struct place at = lex_place(lexer);
	struct str seen = {0};
	char *word, *hint;

	for (size_t i = 0; i < SCOPES; i++)
		if (lex_is_word(lexer, names[i])) {
			lex_next(lexer);
			*out = (enum scope)i;
			return true;
		}
	word = str_format("%.*s", (int)at.len, lexer->source->text + at.at);
	hint = lexer->now.kind == TOKEN_WORD ? near_hint(word, names, SCOPES) : NULL;
	lex_describe(lexer, &seen);
	diag_add(lexer->diags, DIAG_ERROR, &at, hint,
		"task, thread, core, slice, channel, socket, device or system expected after 'per', not %s",
		str_text(&seen));
	str_free(&seen);
	free(hint);
	free(word);
	return false;
}
