#include "core/trust/event_name.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"

#define X86_WHO ((uint64_t)1 << 16 | (uint64_t)1 << 17 | (uint64_t)1 << 19 | (uint64_t)1 << 20 | (uint64_t)1 << 22)
#define MODIFIERS "ukhIGHpPSDW"

/* Names that perf takes for each other (perf-list(1)). */
static const struct { const char *other, *name; } alias[] = {
	{"branch.instructions", "branches"},
	{"branch_instructions", "branches"},
	{"cpu_cycles", "cycles"},
	{"cs", "context_switches"},
	{"faults", "page_faults"},
};

/* Cuts modifiers at the end: ":u", or "/u" after the last slash. */
static void
cut_modifiers(char *s)
{
	char *last = strrchr(s, ':');

	if (!last || strchr(last, '/'))
		return;
	if (last > s && last[-1] != ':' && last[1] && strspn(last + 1, MODIFIERS) == strlen(last + 1))
		*last = 0;
}

static bool
parse_number(const char *s, uint64_t *out)
{
	char *end;

	if (!isdigit((unsigned char)*s))
		return false;
	*out = strtoull(s, &end, 0);
	return !*end;
}

/* Adds one term of "event=0xc0,umask=1,inv" to a raw code. False if the term has no place in it. */
static bool
add_term(const char *term, uint64_t *code)
{
	static const struct { const char *name; int shift; } field[] = {
		{"umask", 8}, {"edge", 18}, {"any", 21}, {"inv", 23}, {"cmask", 24}, {"config", 0},
	};
	const char *eq = strchr(term, '=');
	size_t n = eq ? (size_t)(eq - term) : strlen(term);
	uint64_t v = 1;

	if (eq && !parse_number(eq + 1, &v))
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
parse_terms(const char *terms, uint64_t *code)
{
	char **term = str_split(terms, ',', NULL);
	bool good = *terms != 0;

	*code = 0;
	for (size_t i = 0; good && term[i]; i++)
		good = !*term[i] || add_term(term[i], code);
	str_split_free(term);
	return good && strstr(terms, "=") != NULL;
}

static bool
parse_raw(const char *s, uint64_t *code)
{
	size_t n = strlen(s);

	if (*s != 'r' || n < 2 || n > 17 || strspn(s + 1, "0123456789abcdef") != n - 1)
		return false;
	*code = strtoull(s + 1, NULL, 16);
	return true;
}

static void
add_plain(const char *s, struct str *out)
{
	size_t from = out->n;

	for (; *s; s++)
		if (*s == ':' || *s == '.')
			str_addc(out, '.');
		else
			str_addc(out, *s == '-' ? '_' : *s);
	for (size_t i = 0; i < sizeof alias / sizeof *alias; i++)
		if (str_eq(str_text(out) + from, alias[i].other)) {
			struct str all = {0};

			str_addn(&all, out->s, from);
			str_add(&all, alias[i].name);
			str_free(out);
			*out = all;
			return;
		}
}

void
trust_event_form(const char *event, struct str *out)
{
	char *copy = mem_str(event), *s = copy, *slash, *pmu;
	uint64_t code;

	while (isspace((unsigned char)*s))
		s++;
	for (size_t n = strlen(s); n && isspace((unsigned char)s[n - 1]); n--)
		s[n - 1] = 0;
	cut_modifiers(s);
	for (char *c = s; *c; c++)
		*c = (char)tolower((unsigned char)*c);
	pmu = strstr(s, "::");
	if (pmu)
		s = pmu + 2;
	slash = strchr(s, '/');
	if (slash) {
		char *end = strchr(slash + 1, '/');

		if (end)
			*end = 0;
		s = slash + 1;
	}
	if (parse_raw(s, &code) || (slash && parse_terms(s, &code)))
		str_addf(out, "r%" PRIx64, code & ~X86_WHO);
	else
		add_plain(s, out);
	free(copy);
}

bool
trust_event_same(const char *a, const char *b)
{
	struct str x = {0}, y = {0};
	bool same;

	trust_event_form(a, &x);
	trust_event_form(b, &y);
	same = str_eq(str_text(&x), str_text(&y));
	str_free(&x);
	str_free(&y);
	return same;
}

bool
trust_event_counts_kernel(const char *event, bool unmarked)
{
	const char *last = strrchr(event, ':'), *slash = strrchr(event, '/');

	if (slash && (!last || slash > last))
		last = slash;
	if (!last || !last[1] || strspn(last + 1, MODIFIERS) != strlen(last + 1) || !strpbrk(last + 1, "ukh"))
		return unmarked;
	return strpbrk(last + 1, "kh") != NULL;
}
