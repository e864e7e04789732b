#include "work/calibrate/machine_text.h"

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/str.h"

/* Skips white space and comments. */
static size_t
skip_blank(const char *s, size_t at)
{
	for (;;) {
		while (isspace((unsigned char)s[at]))
			at++;
		if (s[at] != '/' || s[at + 1] != '/')
			return at;
		at += strcspn(s + at, "\n");
	}
}

/* Returns the place of the ';' that ends the statement at `at`, or of the end of the text. */
static size_t
end_of_statement(const char *s, size_t at)
{
	while (s[at] && s[at] != ';') {
		if (s[at] == '/' && s[at + 1] == '/') {
			at += strcspn(s + at, "\n");
			continue;
		}
		if (s[at] == '"') {
			at += 1 + strcspn(s + at + 1, "\"\n");
			if (!s[at])
				return at;
		}
		at++;
	}
	return at;
}

static bool
begins_with(const char *s, const char *key)
{
	while (*key) {
		size_t n = strcspn(key, " ");

		if (strncmp(s, key, n) != 0 || (s[n] && s[n] != ';' && !isspace((unsigned char)s[n])))
			return false;
		s += n + strspn(s + n, " \t\n");
		key += n + strspn(key + n, " ");
	}
	return true;
}

void
machine_text_set(struct str *text, const char *key, const char *with)
{
	const char *s = str_text(text);
	struct str out = {0};
	size_t copied = 0;
	bool found = false;

	for (size_t at = skip_blank(s, 0); s[at]; at = skip_blank(s, at)) {
		size_t end = end_of_statement(s, at);

		if (begins_with(s + at, key)) {
			str_addn(&out, s + copied, at - copied);
			if (!found && *with)
				str_addf(&out, "%s;", with);
			copied = end + (s[end] == ';');
			if ((found || !*with) && s[copied] == '\n' && (at == 0 || s[at - 1] == '\n'))
				copied++;
			found = true;
		}
		at = end + (s[end] == ';');
	}
	str_add(&out, s + copied);
	if (!found && *with)
		str_addf(&out, "%s;\n", with);
	str_free(text);
	*text = out;
}
