#include "core/metric/parts.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/mem.h"
#include "base/names.h"
#include "base/str.h"
#include "core/metric/metric.h"

enum word { WORD_END, WORD_NUMBER, WORD_NAME, WORD_LITERAL, WORD_SIGN, WORD_BROKEN };

struct reader {
	struct metric_set *set;
	size_t metric;
	const struct names *known;
	struct names *leaf_names;
	const char *text;
	size_t at; /* of the byte after the present word */
	enum word word;
	size_t word_at;
	char sign;
	bool or_equal; /* "<=" or ">=" */
	double number;
	struct str name; /* the name or literal, without escapes */
	unsigned depth;
	bool failed;
};

/* The first failure is kept. */
static uint32_t __attribute__((format(printf, 3, 4))) fail(struct reader *r, size_t at, const char *fmt, ...)
{
	struct metric *metric = &r->set->metric[r->metric];
	struct str why = {0};
	va_list ap;

	if (r->failed)
		return 0;
	va_start(ap, fmt);
	str_addv(&why, fmt, ap);
	va_end(ap);
	r->failed = true;
	metric->at = at;
	metric->why = str_take(&why);
	return 0;
}

static bool
is_name_byte(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '.' || c == ':' || c == '?' || c == '@' || c == '\\';
}

/* Takes a name or number. In "pmu@terms@" the terms may stand without escapes. */
static void
take_name(struct reader *r)
{
	bool terms = false, escaped = false;
	char c;

	for (; (c = r->text[r->at]) != '\0'; r->at++) {
		if (c == '\\' && r->text[r->at + 1]) {
			str_addc(&r->name, r->text[++r->at]);
			escaped = true;
		} else if (c == '@') {
			terms = !terms;
			str_addc(&r->name, '/');
		} else if (is_name_byte(c) || (terms && strchr(",=-+~", c)))
			str_addc(&r->name, c);
		else
			break;
	}
	r->word = WORD_NAME;
	if (terms)
		fail(r, r->word_at, "'@' without a second one");
	if (escaped || !(isdigit((unsigned char)r->name.s[0]) || r->name.s[0] == '.'))
		return;
	if (strspn(r->name.s, "0123456789.e") != r->name.n)
		return;
	if (r->name.s[r->name.n - 1] == 'e' && c == '-') /* 1e-3 */
		do
			str_addc(&r->name, r->text[r->at]);
		while (isdigit((unsigned char)r->text[++r->at]));
	if (str_to_double(str_text(&r->name), &r->number))
		r->word = WORD_NUMBER;
	else
		fail(r, r->word_at, "'%s' is not a number", str_text(&r->name));
}

static void
next_word(struct reader *r)
{
	char c;

	r->at += strspn(r->text + r->at, " \t\r\n");
	r->word_at = r->at;
	str_clear(&r->name);
	c = r->text[r->at];
	if (c == '\0')
		r->word = WORD_END;
	else if (c == '#') {
		do
			str_addc(&r->name, (char)tolower((unsigned char)r->text[r->at]));
		while (isalnum((unsigned char)r->text[++r->at]) || r->text[r->at] == '_');
		r->word = WORD_LITERAL;
	} else if (is_name_byte(c))
		take_name(r);
	else {
		r->word = strchr("|^&<>-+*/%(),", c) ? WORD_SIGN : WORD_BROKEN;
		r->sign = c;
		r->or_equal = (c == '<' || c == '>') && r->text[r->at + 1] == '=';
		r->at += r->or_equal ? 2 : 1;
	}
}

static bool
is_sign(const struct reader *r, char sign)
{
	return r->word == WORD_SIGN && r->sign == sign;
}

static bool
is_word(const struct reader *r, const char *word)
{
	return r->word == WORD_NAME && r->name.s && strcmp(r->name.s, word) == 0;
}

static uint32_t
unexpected(struct reader *r, const char *wanted)
{
	if (r->word == WORD_END)
		return fail(r, r->word_at, "it ends where %s should be", wanted);
	return fail(
		r, r->word_at, "'%.*s' where %s should be", (int)(r->at - r->word_at), r->text + r->word_at, wanted);
}

static bool
take_sign(struct reader *r, char sign)
{
	if (r->failed || !is_sign(r, sign)) {
		unexpected(r, (char[]){'\'', sign, '\'', '\0'});
		return false;
	}
	next_word(r);
	return true;
}

static uint32_t
node(struct reader *r, enum metric_op op, size_t at, uint32_t a, uint32_t b, uint32_t c)
{
	struct metric_set *set = r->set;
	struct metric *metric = &set->metric[r->metric];

	if (r->failed)
		return 0;
	if (set->n_nodes - metric->first >= METRIC_NODES_MAX)
		return fail(r, at, "it has more than %d names, numbers and signs", METRIC_NODES_MAX);
	mem_grow(&set->node, &set->cap_nodes, set->n_nodes + 1, sizeof *set->node);
	set->node[set->n_nodes] = (struct metric_node){
		.op = op, .arg = {a, b, c}, .at = (uint32_t)at, .len = (uint32_t)(r->word_at - at)};
	while (set->node[set->n_nodes].len && strchr(" \t\r\n", r->text[at + set->node[set->n_nodes].len - 1]))
		set->node[set->n_nodes].len--;
	return (uint32_t)set->n_nodes++;
}

/* Events compare without regard to case, as perf does. */
static uint32_t
leaf(struct reader *r, enum metric_leaf_kind kind, size_t at, const char *name)
{
	struct metric_set *set = r->set;
	char *key = str_format("%d%s", (int)kind, name);
	size_t number;

	for (char *p = key; *p; p++)
		*p = (char)tolower((unsigned char)*p);
	number = names_add(r->leaf_names, key, strlen(key));
	free(key);
	if (number == set->n_leaves) {
		mem_grow(&set->leaf, &set->cap_leaves, set->n_leaves + 1, sizeof *set->leaf);
		set->leaf[set->n_leaves++] = (struct metric_leaf){kind, mem_str(name)};
	}
	return node(r, METRIC_LEAF, at, (uint32_t)number, 0, 0);
}

static uint32_t read_choice(struct reader *);

static uint32_t
read_pair(struct reader *r, enum metric_op op, size_t at)
{
	uint32_t a, b;

	next_word(r);
	if (!take_sign(r, '('))
		return 0;
	a = read_choice(r);
	if (!take_sign(r, ','))
		return 0;
	b = read_choice(r);
	return take_sign(r, ')') ? node(r, op, at, a, b, 0) : 0;
}

/* Reads source_count(NAME) and its like. */
static uint32_t
read_asked(struct reader *r, enum metric_leaf_kind kind, size_t at)
{
	char *name;
	uint32_t n = 0;

	next_word(r);
	if (!take_sign(r, '('))
		return 0;
	if (r->word != WORD_NAME && r->word != WORD_NUMBER)
		return unexpected(r, "a name");
	name = mem_str(str_text(&r->name));
	next_word(r);
	if (take_sign(r, ')'))
		n = leaf(r, kind, at, name);
	free(name);
	return n;
}

/* The number of another metric, first in the scope of this one; NAMES_NONE: none. */
static size_t
find_metric(const struct reader *r, const char *name)
{
	const char *scope = r->set->metric[r->metric].scope;
	size_t number = NAMES_NONE;

	for (int scoped = scope != NULL; scoped >= 0 && number == NAMES_NONE; scoped--) {
		char *key = scoped ? str_format("%s/%s/", scope, name) : mem_str(name);

		for (char *p = key; *p; p++)
			*p = (char)tolower((unsigned char)*p);
		number = names_find(r->known, key, strlen(key));
		free(key);
	}
	return number;
}

static uint32_t
read_name(struct reader *r)
{
	static const struct {
		const char *name;
		enum metric_op op;
	} PAIRS[] = {{"min", METRIC_MIN}, {"max", METRIC_MAX}, {"d_ratio", METRIC_RATIO}};
	static const struct {
		const char *name;
		enum metric_leaf_kind kind;
	} ASKED[] = {{"source_count", METRIC_SOURCES}, {"has_event", METRIC_HAS}, {"strcmp_cpuid_str", METRIC_IS_CPU}};
	size_t at = r->word_at, other;
	char *name;
	uint32_t n;

	for (size_t i = 0; i < sizeof PAIRS / sizeof *PAIRS; i++)
		if (is_word(r, PAIRS[i].name))
			return read_pair(r, PAIRS[i].op, at);
	for (size_t i = 0; i < sizeof ASKED / sizeof *ASKED; i++)
		if (is_word(r, ASKED[i].name))
			return read_asked(r, ASKED[i].kind, at);
	if (is_word(r, "if") || is_word(r, "else"))
		return unexpected(r, "a name, a number or '('");
	name = mem_str(str_text(&r->name));
	next_word(r);
	if (is_sign(r, '(')) {
		n = fail(r, at, "the function %s is unknown", name);
		free(name);
		return n;
	}
	other = find_metric(r, name);
	if (strcasecmp(name, "nan") == 0) {
		n = node(r, METRIC_NUMBER, at, 0, 0, 0);
		if (!r->failed)
			r->set->node[n].number = NAN;
	} else if (other != NAMES_NONE)
		n = node(r, METRIC_OTHER, at, (uint32_t)other, 0, 0);
	else
		n = leaf(r, METRIC_EVENT, at, name);
	free(name);
	return n;
}

/* The constants of expr.c; what a machine without them means by a name is never guessed. */
static uint32_t
read_constant(struct reader *r, size_t at)
{
	static const char *const CONSTANTS[] = {"#smt_on", "#core_wide", "#num_cpus", "#num_cpus_online", "#num_cores",
		"#num_dies", "#num_packages", "#slots", "#system_tsc_freq", "#has_pmem"};
	char *name = mem_str(str_text(&r->name));
	bool known = false;
	uint32_t n;

	for (size_t i = 0; i < sizeof CONSTANTS / sizeof *CONSTANTS; i++)
		known |= strcmp(name, CONSTANTS[i]) == 0;
	next_word(r);
	n = known ? leaf(r, METRIC_CONSTANT, at, name) : fail(r, at, "the constant %s is unknown", name);
	free(name);
	return n;
}

static uint32_t
read_operand(struct reader *r)
{
	size_t at = r->word_at;
	double number = r->number;
	uint32_t n = 0;

	if (r->failed)
		return 0;
	if (r->depth >= METRIC_DEPTH_MAX)
		return fail(r, at, "it is nested deeper than %d", METRIC_DEPTH_MAX);
	r->depth++;
	if (r->word == WORD_NUMBER) {
		next_word(r);
		n = node(r, METRIC_NUMBER, at, 0, 0, 0);
		if (!r->failed)
			r->set->node[n].number = number;
	} else if (r->word == WORD_LITERAL)
		n = read_constant(r, at);
	else if (r->word == WORD_NAME)
		n = read_name(r);
	else if (is_sign(r, '-')) {
		next_word(r);
		n = read_operand(r);
		n = node(r, METRIC_NEGATE, at, n, 0, 0);
	} else if (is_sign(r, '(')) {
		next_word(r);
		n = read_choice(r);
		take_sign(r, ')');
	} else
		unexpected(r, "a name, a number or '('");
	r->depth--;
	return n;
}

/* Returns how tightly a sign binds, as in expr.y, where & binds less than <. 0: it is no sign between operands. */
static int
sign_strength(const struct reader *r, enum metric_op *op)
{
	static const struct {
		char sign;
		int binds;
		enum metric_op op;
	} SIGNS[] = {{'|', 1, METRIC_OR}, {'^', 2, METRIC_XOR}, {'&', 3, METRIC_AND}, {'<', 4, METRIC_LESS},
		{'>', 4, METRIC_LESS}, {'-', 5, METRIC_SUBTRACT}, {'+', 5, METRIC_ADD}, {'*', 6, METRIC_TIMES},
		{'/', 6, METRIC_DIVIDE}, {'%', 6, METRIC_REMAINDER}};

	for (size_t i = 0; r->word == WORD_SIGN && i < sizeof SIGNS / sizeof *SIGNS; i++)
		if (SIGNS[i].sign == r->sign) {
			*op = r->or_equal ? METRIC_AT_MOST : SIGNS[i].op;
			return SIGNS[i].binds;
		}
	return 0;
}

/* Reads operands joined by signs that bind at least this tightly; all are grouped from the left. */
static uint32_t
read_joined(struct reader *r, int least)
{
	size_t at = r->word_at;
	uint32_t a = read_operand(r), b;
	enum metric_op op;
	int here;
	char sign;

	while (!r->failed && (here = sign_strength(r, &op)) >= least && here) {
		sign = r->sign;
		next_word(r);
		b = read_joined(r, here + 1);
		if (op == METRIC_AND || op == METRIC_OR || op == METRIC_XOR || op == METRIC_REMAINDER)
			r->set->metric[r->metric].whole_numbers = true;
		a = sign == '>' ? node(r, op, at, b, a, 0) : node(r, op, at, a, b, 0);
	}
	return a;
}

/* Reads X if C else Y, where Y may be such a choice, too. */
static uint32_t
read_choice(struct reader *r)
{
	size_t at = r->word_at;
	uint32_t a, condition, b;

	a = read_joined(r, 1);
	if (r->failed || !is_word(r, "if"))
		return a;
	next_word(r);
	condition = read_joined(r, 1);
	if (r->failed || !is_word(r, "else"))
		return unexpected(r, "else");
	next_word(r);
	if (++r->depth >= METRIC_DEPTH_MAX)
		return fail(r, at, "it is nested deeper than %d", METRIC_DEPTH_MAX);
	b = read_choice(r);
	r->depth--;
	return node(r, METRIC_IF, at, a, condition, b);
}

bool
metric_parse(struct metric_set *set, size_t number, const struct names *known, struct names *leaf_names)
{
	struct metric *metric = &set->metric[number];
	struct reader r = {
		.set = set, .metric = number, .known = known, .leaf_names = leaf_names, .text = metric->expr};

	metric->first = (uint32_t)set->n_nodes;
	if (strnlen(metric->expr, METRIC_TEXT_MAX + 1) > METRIC_TEXT_MAX)
		fail(&r, 0, "it has more than %d characters", METRIC_TEXT_MAX);
	else {
		next_word(&r);
		read_choice(&r);
		if (!r.failed && r.word != WORD_END)
			unexpected(&r, "a sign or the end");
	}
	str_free(&r.name);
	if (r.failed)
		set->n_nodes = metric->first;
	metric->n = (uint32_t)(set->n_nodes - metric->first);
	return !r.failed;
}
