#include "event/code.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"

/* USR, OS, PC, INT and EN of IA32_PERFEVTSELx, which say whose work is counted and how, not what */
#define X86_WHO ((uint64_t)1 << 16 | (uint64_t)1 << 17 | (uint64_t)1 << 19 | (uint64_t)1 << 20 | (uint64_t)1 << 22)

static bool
code_parse_number(const char *s, uint64_t *out)
{
	char *end;

	if (!isdigit((unsigned char)*s))
		return false;
	*out = strtoull(s, &end, 0);
	return !*end;
}

/* Adds one term of "event=0xc0,umask=1,inv". False if it has no place in a code. */
static bool
code_add_term(const char *term, uint64_t *code)
{
	static const struct { const char *name; int shift; } field[] = {
		{"umask", 8}, {"edge", 18}, {"any", 21}, {"inv", 23}, {"cmask", 24}, {"config", 0},
	};
	const char *eq = strchr(term, '=');
	size_t n = eq ? (size_t)(eq - term) : strlen(term);
	uint64_t v = 1;

	if (eq && !code_parse_number(eq + 1, &v))
		return n == 4 && memcmp(term, "name", n) == 0;
	if (n == 5 && memcmp(term, "event", n) == 0) {
		*code |= (v & 0xff) | (v & 0xf00) << 24;
		return eq != NULL;
	}
	if (n == 6 && memcmp(term, "period", n) == 0)
		return true;
	for (size_t i = 0; i < sizeof field / sizeof *field; i++)
		if (strlen(field[i].name) == n && memcmp(term, field[i].name, n) == 0) {
			*code |= v << field[i].shift;
			return true;
		}
	return false;
}

static bool
read_terms(const char *terms, uint64_t *code)
{
	char **term = str_split(terms, ',', NULL);
	bool good = *terms != 0;

	*code = 0;
	for (size_t i = 0; good && term[i]; i++)
		good = !*term[i] || code_add_term(term[i], code);
	str_split_free(term);
	return good && strchr(terms, '=') != NULL;
}

bool
event_code_read(const char *text, bool terms, uint64_t *code)
{
	size_t n = strlen(text);

	if (*text == 'r' && n > 1 && n <= 17 && strspn(text + 1, "0123456789abcdef") == n - 1)
		*code = strtoull(text + 1, NULL, 16);
	else if (!terms || !read_terms(text, code))
		return false;
	*code &= ~X86_WHO;
	return true;
}
