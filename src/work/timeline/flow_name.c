#include "work/timeline/flow_name.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"

#define ARROW " → "
#define CPU " CPU "

static const char *const special[FLOW_SPECIALS] = {
	[FLOW_UNFOLLOWED] = "(nobody)", [FLOW_MIXED] = "(several)", [FLOW_OTHERS] = "(others)"
};

/* Characters of a module's name that are written as themselves. All others become %XX, so that no name can be mistaken
 * for the separators around it. A leading digit is escaped too, because it would read as a CPU. */
static bool
is_module_letter(char c, bool first)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c && strchr("_$.-", c)) ||
		(!first && c >= '0' && c <= '9');
}

static char *
module_text(const char *module)
{
	struct str out = {0};

	for (const char *c = module; *c; c++)
		if (is_module_letter(*c, c == module))
			str_addc(&out, *c);
		else
			str_addf(&out, "%%%02X", (unsigned)(unsigned char)*c);
	return str_take(&out);
}

static int
hex_digit(char c)
{
	const char *digits = "0123456789ABCDEF", *at = c ? strchr(digits, c) : NULL;

	return at ? (int)(at - digits) : -1;
}

/* Undoes module_text() for n characters. NULL for text that module_text() does not write. The caller frees. */
static char *
module_of(const char *text, size_t n)
{
	char *out = mem_new(n + 1);
	size_t to = 0;
	bool good = n > 0;

	for (size_t i = 0; i < n && good; i++) {
		int high = text[i] == '%' && i + 2 < n ? hex_digit(text[i + 1]) : -1,
			low = high >= 0 ? hex_digit(text[i + 2]) : -1;
		char c = low >= 0 ? (char)(unsigned char)(16 * high + low) : text[i];

		good = low >= 0 ? c && !is_module_letter(c, to == 0) : is_module_letter(c, to == 0);
		out[to++] = c;
		i += low >= 0 ? 2 : 0;
	}
	if (good)
		return out;
	free(out);
	return NULL;
}

char *
flow_name_text(const struct flow_name *name)
{
	char life[32] = "", *module, *text;

	if (name->special != FLOW_SPECIALS)
		return mem_str(special[name->special]);
	if (name->life)
		snprintf(life, sizeof life, "/%llu", (unsigned long long)name->life);
	module = name->module ? module_text(name->module) : NULL;
	text = str_format("%s%s" CPU "%d%s%s", name->task, life, name->cpu, module ? ARROW : "", module ? module : "");
	free(module);
	return text;
}

/* Returns where the number at the end of text[0 … n) begins, or n where the text ends with no number. */
static size_t
number_before(const char *text, size_t n)
{
	while (n && text[n - 1] >= '0' && text[n - 1] <= '9')
		n--;
	return n;
}

static bool
flow_name_read_number(const char *text, size_t from, size_t end, uint64_t most, uint64_t *out)
{
	char *digits = mem_strn(text + from, end - from);
	bool good = from < end && (digits[0] != '0' || !digits[1]) && str_to_u64(digits, out) && *out <= most;

	free(digits);
	return good;
}

/* Cuts `end` off text[0 … *n) and returns true, if the text ends with it. */
static bool
flow_name_take_end(const char *text, size_t *n, const char *end)
{
	size_t len = strlen(end);

	if (*n < len || memcmp(text + *n - len, end, len) != 0)
		return false;
	*n -= len;
	return true;
}

/* Reads " → cxl" at the end of the text and cuts it off *n. */
static bool
take_module(const char *text, size_t *n, char **module)
{
	size_t from = *n, end = *n;

	while (from && (text[from - 1] == '%' || is_module_letter(text[from - 1], false)))
		from--;
	*module = module_of(text + from, end - from);
	if (!*module || !flow_name_take_end(text, &from, ARROW))
		return false;
	*n = from;
	return true;
}

/* Cuts off "#2", which a table appends to a name that is taken; a session file may append another one. */
static size_t
without_copies(const char *text)
{
	size_t n = strlen(text), from;

	while ((from = number_before(text, n)) < n && from && text[from - 1] == '#')
		n = from - 1;
	return n;
}

static bool
take_place(const char *text, size_t *n, struct flow_name *out)
{
	size_t from = number_before(text, *n);
	uint64_t number;

	if (!flow_name_read_number(text, from, *n, INT_MAX, &number) || !flow_name_take_end(text, &from, CPU))
		return false;
	out->cpu = (int)number;
	*n = from;
	return true;
}

static bool
take_task(const char *text, size_t n, struct flow_name *out)
{
	size_t from = number_before(text, n);
	uint64_t number;

	if (from && from < n && text[from - 1] == '/') {
		if (!flow_name_read_number(text, from, n, UINT64_MAX, &out->life) || !out->life)
			return false;
		n = from - 1;
		from = number_before(text, n);
	}
	if (!from || text[from - 1] != '-' || !flow_name_read_number(text, from, n, INT32_MAX, &number) || !number)
		return false;
	out->tid = (int32_t)number;
	out->task = mem_strn(text, n);
	return true;
}

bool
flow_name_parse(const char *text, struct flow_name *name)
{
	size_t end = without_copies(text);

	*name = (struct flow_name){.special = FLOW_SPECIALS};
	for (int i = 0; i < FLOW_SPECIALS; i++)
		if (strlen(special[i]) == end && memcmp(text, special[i], end) == 0) {
			name->special = (enum flow_special)i;
			return true;
		}
	/* A module's name does not begin with a digit, so text that ends with " CPU 3" names no destination. */
	if (!take_place(text, &end, name) &&
		(!take_module(text, &end, &name->module) || !take_place(text, &end, name))) {
		flow_name_free(name);
		return false;
	}
	if (take_task(text, end, name))
		return true;
	flow_name_free(name);
	return false;
}

void
flow_name_free(struct flow_name *n)
{
	free(n->task);
	free(n->module);
	*n = (struct flow_name){.special = FLOW_SPECIALS};
}
