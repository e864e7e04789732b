#include "event/name.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/mem.h"
#include "base/str.h"
#include "event/unit.h"
#include "text/notation.h"

/* --- raw codes --------------------------------------------------------------------------------------------------- */

/* USR, OS, PC, INT and EN of IA32_PERFEVTSELx, which say whose work is counted and how, not what */
#define X86_WHO ((uint64_t)1 << 16 | (uint64_t)1 << 17 | (uint64_t)1 << 19 | (uint64_t)1 << 20 | (uint64_t)1 << 22)

/* A code in the layout of x86: the event select register, and config1 of perf_event_attr. */
struct x86_code {
	uint64_t config, config1;
};

/* Adds one term of "event=0xc0,umask=1,inv". Returns false if it has no place in a code. */
static bool
code_add_term(const char *term, struct x86_code *code)
{
	static const struct { const char *name; int shift; } field[] = {
		{"umask", 8}, {"edge", 18}, {"any", 21}, {"inv", 23}, {"cmask", 24}, {"config", 0},
	};
	static const char *const other[] = {"config1", "offcore_rsp", "ldlat", "frontend"};
	const char *eq = strchr(term, '=');
	size_t n = eq ? (size_t)(eq - term) : strlen(term);
	uint64_t v = 1;

	if (eq && !notation_read_code(eq + 1, &v))
		return n == 4 && memcmp(term, "name", n) == 0;
	if (n == 5 && memcmp(term, "event", n) == 0) {
		code->config |= (v & 0xff) | (v & 0xf00) << 24;
		return eq != NULL;
	}
	if (n == 6 && memcmp(term, "period", n) == 0)
		return true;
	for (size_t i = 0; i < sizeof field / sizeof *field; i++)
		if (strlen(field[i].name) == n && memcmp(term, field[i].name, n) == 0) {
			code->config |= v << field[i].shift;
			return true;
		}
	for (size_t i = 0; i < sizeof other / sizeof *other; i++)
		if (strlen(other[i]) == n && memcmp(term, other[i], n) == 0) {
			code->config1 |= v;
			return true;
		}
	return false;
}

static bool
code_read_terms(const char *terms, struct x86_code *code)
{
	char *copy = mem_str(terms), *rest = copy, *term;
	bool good = strchr(terms, '=') != NULL;

	while (good && (term = strsep(&rest, ",")))
		good = !*term || code_add_term(term, code);
	free(copy);
	return good;
}

/* Reads "r1c0" or, with terms, "event=0xc0,umask=1,inv" into the layout of x86's event select register, without its
 * bits of modes and interrupts. False for other texts. */
static bool
event_code_read(const char *text, bool terms, struct x86_code *code)
{
	size_t n = strlen(text);

	*code = (struct x86_code){0};
	if (*text == 'r' && n > 1 && n <= 17 && strspn(text + 1, "0123456789abcdef") == n - 1)
		code->config = strtoull(text + 1, NULL, 16);
	else if (!terms || !code_read_terms(text, code))
		return false;
	code->config &= ~X86_WHO;
	return true;
}

/* --- reading ----------------------------------------------------------------------------------------------------- */

/* A piece of the text that is still to be read. */
struct piece {
	const char *s;
	size_t n;
};

static struct piece
name_trim(struct piece p)
{
	while (p.n && isspace((unsigned char)*p.s)) {
		p.s++;
		p.n--;
	}
	while (p.n && isspace((unsigned char)p.s[p.n - 1]))
		p.n--;
	return p;
}

static const char *
last_of(struct piece p, char c)
{
	return memrchr(p.s, c, p.n);
}

/* Cuts " (WORD)" or " [WORD]" off the end and returns WORD; "" if the text does not end so. */
static char *
cut_bracket(struct piece *piece, char open, char close)
{
	const char *at = piece->n && piece->s[piece->n - 1] == close ? last_of(*piece, open) : NULL;
	char *word;

	if (!at || at < piece->s + 2 || at[-1] != ' ' || at + 2 == piece->s + piece->n)
		return mem_str("");
	word = mem_strn(at + 1, (size_t)(piece->s + piece->n - 2 - at));
	if (strpbrk(word, " \t()[]")) {
		*word = '\0';
		return word;
	}
	*piece = name_trim((struct piece){piece->s, (size_t)(at - piece->s)});
	return word;
}

/* Cuts ":mods" off the end, if these letters are modifiers. */
static bool
cut_modifiers(struct piece *p, struct event_modifiers *m)
{
	const char *colon = last_of(*p, ':');
	size_t n = colon ? (size_t)(p->s + p->n - colon - 1) : 0;

	if (!n || colon == p->s || colon[-1] == ':' || !event_modifiers_read(colon + 1, n, m))
		return false;
	p->n = (size_t)(colon - p->s);
	return true;
}

static bool
name_is_known(struct piece p)
{
	char first[EVENT_WORD_MAX];

	return event_word(p.s, p.n, first) != EVENT_WORD_NONE || memchr(p.s, '.', p.n) != NULL;
}

/* Cuts all lists of modifiers. A second one belongs to a name that is known without it: "sched:e" is a tracepoint. */
static void
cut_all_modifiers(struct piece *piece, struct event_name *out)
{
	struct piece rest;
	struct event_modifiers m;

	if (!cut_modifiers(piece, &out->modifiers))
		return;
	for (rest = *piece, m = out->modifiers; cut_modifiers(&rest, &m) && name_is_known(rest); rest = *piece) {
		out->two_lists = true;
		*piece = rest;
		out->modifiers = m;
	}
}

/* Reads pmu/terms/mods, or pmu/terms:mods/ as older perf writes it. */
static bool
read_terms(struct piece p, struct event_name *out)
{
	const char *first = memchr(p.s, '/', p.n), *last = last_of(p, '/');
	struct piece terms, mods;

	if (!first || first == last || first == p.s || memchr(p.s, ':', (size_t)(first - p.s)))
		return false;
	terms = (struct piece){first + 1, (size_t)(last - first - 1)};
	mods = (struct piece){last + 1, (size_t)(p.s + p.n - last - 1)};
	if (mods.n && *mods.s == ':') {
		mods.s++;
		mods.n--;
	}
	if (!event_modifiers_read(mods.s, mods.n, &out->modifiers))
		return false;
	if (!memchr(terms.s, '=', terms.n))
		cut_all_modifiers(&terms, out);
	out->form = EVENT_FORM_TERMS;
	out->pmu = mem_strn(p.s, (size_t)(first - p.s));
	out->base = mem_strn(terms.s, terms.n);
	return true;
}

/* Reads table::NAME. Names with a '.' before the colons are objects of a simulator, not tables of libpfm4. */
static bool
read_table(struct piece p, struct event_name *out)
{
	const char *colons = memmem(p.s, p.n, "::", 2);

	if (!colons || colons == p.s || colons + 2 == p.s + p.n)
		return false;
	for (const char *s = p.s; s < colons; s++)
		if (!isalnum((unsigned char)*s) && *s != '_')
			return false;
	out->form = EVENT_FORM_TABLE;
	out->pmu = mem_strn(p.s, (size_t)(colons - p.s));
	out->base = mem_strn(colons + 2, (size_t)(p.s + p.n - colons - 2));
	return true;
}

/* The word of perf at the beginning of the base, up to `n` bytes. */
static enum event_word_kind
name_read_word(const struct event_name *e, size_t n, struct str *key)
{
	char first[EVENT_WORD_MAX];
	enum event_word_kind kind = event_word(e->base, n, first);

	if (kind != EVENT_WORD_NONE)
		str_add(key, first);
	return kind;
}

/* Lower case, '.' for libpfm4's ':', '_' for '-'; a raw code as rNNN. */
static void
normal_code(struct str *key, bool terms)
{
	struct x86_code code;

	for (char *s = key->s; s && *s; s++)
		*s = (char)tolower((unsigned char)*s);
	if (event_code_read(str_text(key), terms, &code)) {
		str_clear(key);
		str_addf(key, "r%" PRIx64, code.config);
		if (code.config1)
			str_addf(key, ",config1=0x%" PRIx64, code.config1);
	}
	for (char *s = key->s; s && *s; s++)
		*s = *s == ':' ? '.' : *s == '-' ? '_' : *s;
}

/* The base under its first name. A word with odd letters keeps them. */
static void
set_key(struct event_name *out)
{
	size_t n = strlen(out->base), colon = strcspn(out->base, ":");
	struct str key = {0};

	out->word = name_read_word(out, n, &key);
	out->odd = out->word == EVENT_WORD_NONE && out->form == EVENT_FORM_PLAIN && colon + 1 < n && name_read_word(out,
		colon, &key) != EVENT_WORD_NONE;
	if (out->word == EVENT_WORD_NONE)
		str_add(&key, out->base + (out->odd ? colon : 0));
	normal_code(&key, out->form == EVENT_FORM_TERMS);
	out->key = str_take(&key);
}

void
event_name_read(const char *text, struct event_name *out)
{
	struct piece p = name_trim((struct piece){text, strlen(text)});
	char *bracket;

	*out = (struct event_name){.form = EVENT_FORM_PLAIN};
	out->unit = cut_bracket(&p, '(', ')');
	bracket = cut_bracket(&p, '[', ']');
	if (*bracket) {
		out->form = EVENT_FORM_BRACKET;
		out->pmu = bracket;
		cut_all_modifiers(&p, out);
		out->base = mem_strn(p.s, p.n);
	} else if (!read_terms(p, out)) {
		out->modifiers = (struct event_modifiers){0};
		cut_all_modifiers(&p, out);
		if (!read_table(p, out)) {
			out->pmu = mem_str("");
			out->base = mem_strn(p.s, p.n);
		}
	}
	if (out->pmu != bracket)
		free(bracket);
	set_key(out);
	out->mode = out->word == EVENT_WORD_CLOCK ? 0 : event_mode(&out->modifiers);
}

void
event_name_free(struct event_name *e)
{
	free(e->pmu);
	free(e->base);
	free(e->key);
	free(e->unit);
	*e = (struct event_name){0};
}

void
event_name_print(const struct event_name *name, struct str *out)
{
	switch (name->form) {
	case EVENT_FORM_PLAIN:
	case EVENT_FORM_BRACKET:
		str_add(out, name->base);
		break;
	case EVENT_FORM_TERMS:
		str_addf(out, "%s/%s/", name->pmu, name->base);
		break;
	case EVENT_FORM_TABLE:
		str_addf(out, "%s::%s", name->pmu, name->base);
		break;
	}
	if (name->modifiers.set && name->form != EVENT_FORM_TERMS)
		str_addc(out, ':');
	event_modifiers_print(&name->modifiers, out);
	if (name->form == EVENT_FORM_BRACKET)
		str_addf(out, " [%s]", name->pmu);
	if (*name->unit)
		str_addf(out, " (%s)", name->unit);
}

/* --- comparing --------------------------------------------------------------------------------------------------- */

bool
event_pmu_is_core(const char *pmu)
{
	return !*pmu || str_eq(pmu, "cpu") || str_starts(pmu, "cpu_") || str_starts(pmu, "armv")
		|| str_eq(pmu, "cpum_cf") || (str_starts(pmu, "apple_") && str_ends(pmu, "_pmu"));
}

/* Tables of libpfm4 are named after processors; those of parts outside of the cores have "unc" in their names. */
static const char *
pmu_of(const struct event_name *e)
{
	bool plain = e->form == EVENT_FORM_TABLE ? !strstr(e->pmu, "unc") : str_eq(e->pmu, "cpu");

	return plain ? "" : e->pmu;
}

const char *
event_core(const struct event_name *e)
{
	const char *pmu = pmu_of(e);

	return event_pmu_is_core(pmu) ? pmu : "";
}

bool
event_pmu_is_box(const char *pmu, const char *all)
{
	size_t n = strlen(all);

	return n && strncmp(pmu, all, n) == 0 && pmu[n] == '_' && pmu[n + 1]
		&& strspn(pmu + n + 1, "0123456789") == strlen(pmu + n + 1);
}

unsigned
event_difference(const struct event_name *a, const struct event_name *b)
{
	unsigned d = 0;

	if (!str_eq(a->key, b->key)) {
		size_t n = strcspn(a->key, ".");

		/* "page-faults:z" beside "page-faults" */
		if ((a->odd || b->odd) && n == strcspn(b->key, ".") && strncmp(a->key, b->key, n) == 0)
			return EVENT_OTHER_EVENT | EVENT_OTHER_LETTERS;
		return EVENT_OTHER_EVENT;
	}
	if ((a->modifiers.set ^ b->modifiers.set) & EVENT_MOD_LATENCY)
		d |= EVENT_OTHER_QUANTITY;
	if (!str_eq(pmu_of(a), pmu_of(b)))
		d |= EVENT_OTHER_PMU;
	if (a->mode != b->mode)
		d |= EVENT_OTHER_MODE;
	if (*a->unit && *b->unit && !event_unit_alike(a->unit, b->unit))
		d |= EVENT_OTHER_UNIT;
	return d;
}

void
event_difference_words(const struct event_name *column, const struct event_name *wanted, struct str *out)
{
	unsigned d = event_difference(column, wanted);
	size_t before = out->n;

	if (d & EVENT_OTHER_LETTERS) {
		str_add(out, "the letters after its colon are no modifiers; those are ");
		event_modifiers_list(out);
		return;
	}
	if (d & EVENT_OTHER_EVENT)
		str_add(out, "another event");
	if (d & EVENT_OTHER_QUANTITY)
		str_addf(out, "%s a latency, not a count", column->modifiers.set & EVENT_MOD_LATENCY ? "it is"
			: "it is not");
	if (d & EVENT_OTHER_PMU)
		str_addf(out, "%sof PMU %s", out->n > before ? ", " : "", *column->pmu ? column->pmu : "cpu");
	if (d & EVENT_OTHER_MODE) {
		str_add(out, out->n > before ? ", " : "");
		event_mode_words(column->mode, out);
	}
	if (d & EVENT_OTHER_UNIT)
		str_addf(out, "%sin %s", out->n > before ? ", " : "", column->unit);
}

bool
event_name_flaw(const struct event_name *e, const char *text, struct str *out)
{
	struct str letters = {0};

	event_modifiers_print(&e->modifiers, &letters);
	if (e->two_lists)
		str_addf(out, "%s has two lists of modifiers, which are read as one, :%s", text, str_text(&letters));
	else if (e->modifiers.twice)
		str_addf(out, "%s has a modifier twice; it is read as :%s", text, str_text(&letters));
	str_free(&letters);
	return e->two_lists || e->modifiers.twice;
}

/* --- kinds ------------------------------------------------------------------------------------------------------- */

bool
event_is_hardware(const char *name)
{
	struct event_name e;
	const char *colon, *dot;
	bool hardware;

	event_name_read(name, &e);
	colon = strchr(e.base, ':');
	dot = strchr(e.base, '.');
	if (e.form == EVENT_FORM_TERMS || event_word_begins_hardware(e.base)
		|| (*e.base == 'r' && strlen(e.base) > 2 && strspn(e.base + 1,
			"0123456789abcdefABCDEF") == strlen(e.base) - 1))
		hardware = true;
	else if (e.form == EVENT_FORM_TABLE || (colon && !dot))
		/* A tracepoint is system:event in lower case; libpfm4 writes TABLE:UNIT in upper case. */
		hardware = isupper((unsigned char)e.base[0]) && (!colon || isupper((unsigned char)colon[1]));
	else
		hardware = dot && dot > e.base && dot[1];
	event_name_free(&e);
	return hardware;
}

bool
event_is_tracepoint(const char *name)
{
	struct event_name e;
	const char *colon;
	bool trace;

	event_name_read(name, &e);
	colon = strchr(e.base, ':');
	trace = e.form == EVENT_FORM_PLAIN && !e.odd && colon && colon != e.base && colon[1] && !strchr(colon + 1, ':')
		&& !isupper((unsigned char)*e.base);
	for (const char *s = e.base; trace && *s; s++)
		trace = isalnum((unsigned char)*s) || strchr("_-.:", *s);
	event_name_free(&e);
	return trace;
}

/* --- comparing texts --------------------------------------------------------------------------------------------- */

void
event_name_form(const char *event, struct str *out)
{
	struct event_name e;

	event_name_read(event, &e);
	str_add(out, e.key);
	event_name_free(&e);
}

void
event_terms_form(const char *terms, struct str *out)
{
	struct str form = {0};

	str_add(&form, terms);
	normal_code(&form, true);
	str_add(out, str_text(&form));
	str_free(&form);
}

bool
event_name_same(const char *a, const char *b)
{
	struct event_name x, y;
	bool same;

	event_name_read(a, &x);
	event_name_read(b, &y);
	same = str_eq(x.key, y.key);
	event_name_free(&x);
	event_name_free(&y);
	return same;
}

bool
event_name_counts_kernel(const char *event, bool unmarked)
{
	const unsigned sides = EVENT_MOD_USER | EVENT_MOD_KERNEL | EVENT_MOD_HYPERVISOR;
	struct event_name e;
	unsigned side;

	event_name_read(event, &e);
	side = e.modifiers.set & sides;
	event_name_free(&e);
	return side ? (side & ~(unsigned)EVENT_MOD_USER) != 0 : unmarked;
}
