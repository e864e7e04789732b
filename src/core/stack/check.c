/* Checks a parsed stack as a whole: what its names mean, and whether units fit.
 *
 * Expressions are bound depth first. So a part that another one uses has its unit by then, and parts that use each
 * other in a circle are found (mark OPEN). */
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/names.h"
#include "base/near.h"
#include "base/str.h"
#include "core/stack/parser.h"

enum mark { NEW, OPEN, DONE };
enum target { VALUE, WHOLE, FIGURE, EXPECT, PART };

struct checker {
	struct stack_parser *p;
	struct stack *s;
	enum mark *mark;    /* per part */
	struct names names; /* all values, with their numbers */
	size_t cap_order;
	enum target target; /* the expression being bound */
	size_t n_bound;     /* values that may be used: those before the one being bound */
	bool good;
};

static void __attribute__((format(printf, 5, 6)))
complain(struct checker *c, uint32_t at, uint32_t len, const char *hint, const char *fmt, ...)
{
	struct place where = {&c->p->r.source, at, len};
	struct str text = {0};
	va_list ap;

	va_start(ap, fmt);
	str_addv(&text, fmt, ap);
	va_end(ap);
	diag_add(c->p->r.diags, DIAG_ERROR, len ? &where : NULL, hint, "%s", str_text(&text));
	str_free(&text);
	c->good = false;
}

/* Give each value the number of its name. An implied remainder takes a number, too, with a name that no file can
 * write. */
static void
number_names(struct checker *c)
{
	const struct stack *s = c->s;

	for (size_t i = 0; i < s->n_counters; i++)
		names_add(&c->names, s->counter[i].name, strlen(s->counter[i].name));
	for (size_t i = 0; i < s->n_constants; i++)
		names_add(&c->names, s->constant[i].name, strlen(s->constant[i].name));
	if (names_add(&c->names, s->whole_name, strlen(s->whole_name)) != stack_value_of_whole(s))
		complain(c, c->p->whole_at, c->p->whole_len, NULL, "'%.60s' is a counter or constant already",
			s->whole_name);
	for (size_t i = 0; i < s->n_parts && c->good; i++) {
		const struct stack_part *part = &s->part[i];
		char *own = part->implied ? str_format("\x01%zu", i) : mem_str(part->name);

		if (names_add(&c->names, own, strlen(own)) != stack_value_of_part(s, i))
			complain(c, part->at, part->len, NULL, "'%.60s' is the name of something else already",
				part->name);
		free(own);
	}
	for (size_t i = 0; i < s->n_value_items && c->good; i++)
		if (names_add(&c->names, s->value[i].name, strlen(s->value[i].name)) != stack_value_of_item(s, i))
			complain(c, s->value[i].at, s->value[i].len, NULL,
				"'%.60s' is the name of something else already", s->value[i].name);
}

static bool bind_part(struct checker *, size_t part);

/* The nearest name that may stand here. */
static char *
check_nearest(const struct checker *c, const char *name)
{
	const struct stack *s = c->s;
	size_t n = stack_value_of_whole(s) + (c->target > WHOLE);
	const char **known = mem_new_array(s->n_values, sizeof *known);
	char *hint;

	for (size_t i = 0; i < n; i++)
		known[i] = c->names.name[i];
	for (size_t i = 0; c->target == PART && i < s->n_parts; i++)
		if (!s->part[i].rest)
			known[n++] = s->part[i].name;
	for (size_t i = 0; i < c->n_bound; i++)
		known[n++] = s->value[i].name;
	hint = near_hint(name, known, n);
	free(known);
	return hint;
}

static bool
check_find(void *ctx, const char *name, uint32_t *index, struct unit *unit, char **hint)
{
	struct checker *c = ctx;
	const struct stack *s = c->s;
	size_t v = names_find(&c->names, name, strlen(name)), whole = stack_value_of_whole(s);

	if (v == NAMES_NONE) {
		*hint = check_nearest(c, name);
		return false;
	}
	*index = (uint32_t)v;
	if (v < s->n_counters) {
		*unit = s->counter[v].unit;
	} else if (v < whole) {
		*unit = s->constant[v - s->n_counters].unit;
	} else if (v >= stack_value_of_item(s, 0)) {
		size_t item = v - stack_value_of_item(s, 0);

		if (item >= c->n_bound) {
			*hint = mem_str("a value is made of those before it");
			return false;
		}
		*unit = s->value[item].e->unit;
	} else if (v == whole) {
		if (c->target <= WHOLE)
			*hint = mem_str("the whole is what counters say, not made of itself");
		*unit = s->whole && c->target > WHOLE ? s->whole->unit : (struct unit){{0}};
		return c->target > WHOLE;
	} else {
		if (c->target != PART)
			*hint = mem_str("a part is what the whole is split into");
		else if (s->part[v - whole - 1].rest)
			*hint = mem_str("a remainder is what no expression says");
		if (*hint)
			return false;
		/* a circle was already reported; the unit of all parts is that of the whole */
		bind_part(c, v - whole - 1);
		*unit = s->whole->unit;
	}
	return true;
}

/* Report divisors that are constant and 0: no counter is in them. */
static void
check_divisors(struct checker *c, const struct aexpr *e, const double *known)
{
	if (e->op == AEXPR_DIVIDE && aexpr_value(e->arg[1], known) == 0)
		complain(c, e->at, e->len, "the divisor is 0 whatever is counted", "a division by zero");
	for (int i = 0; i < 2; i++)
		if (e->arg[i])
			check_divisors(c, e->arg[i], known);
}

static void
check_bind(struct checker *c, struct aexpr *e, enum target target)
{
	enum target before = c->target;

	c->target = target;
	if (!aexpr_bind(e, &c->p->r.source, &(struct aexpr_names){check_find, c}, c->p->r.diags))
		c->good = false;
	c->target = before;
}

static bool
bind_part(struct checker *c, size_t i)
{
	struct stack *s = c->s;
	struct stack_part *part = &s->part[i];
	size_t errors = c->p->r.diags->errors;

	if (c->mark[i] == OPEN)
		complain(c, part->at, part->len, NULL, "'%.60s' is made of itself", part->name);
	if (c->mark[i] != NEW)
		return true;
	c->mark[i] = OPEN;
	check_bind(c, part->e, PART);
	if (c->p->r.diags->errors == errors && !unit_equal(part->e->unit, s->whole->unit)) {
		struct str own = {0}, whole = {0};

		unit_text(part->e->unit, &own);
		unit_text(s->whole->unit, &whole);
		complain(c, part->e->at, part->e->len, "parts have the unit of what they are parts of",
			"'%.60s' is in %s, the whole is in %s", part->name, str_text(&own), str_text(&whole));
		str_free(&own);
		str_free(&whole);
	}
	c->mark[i] = DONE;
	mem_grow(&s->order, &c->cap_order, s->n_order + 1, sizeof *s->order);
	s->order[s->n_order++] = i;
	return true;
}

static void
bind_values(struct checker *c)
{
	for (size_t i = 0; i < c->s->n_value_items && c->good; i++, c->n_bound++)
		check_bind(c, c->s->value[i].e, VALUE);
}

/* Which levels add up: those marked in a tree, all of another stack. */
static void
settle_sums(struct checker *c)
{
	struct stack *s = c->s;

	s->tree.sums = mem_new_array(s->n_parts + 1, sizeof *s->tree.sums);
	for (size_t i = 0; i <= s->n_parts; i++)
		s->tree.sums[i] = !s->tree.family || (i == s->n_parts ? c->p->top_sums : c->p->sums[i]);
}

static void
bind_expect(struct checker *c, const struct stack_expect *x)
{
	struct str low = {0}, high = {0};
	size_t errors = c->p->r.diags->errors;

	check_bind(c, x->low, EXPECT);
	check_bind(c, x->high, EXPECT);
	if (c->p->r.diags->errors == errors && !unit_equal(x->low->unit, x->high->unit)) {
		unit_text(x->low->unit, &low);
		unit_text(x->high->unit, &high);
		complain(c, x->at, x->len, NULL, "%s cannot be compared with %s", str_text(&low), str_text(&high));
	}
	str_free(&low);
	str_free(&high);
}

static void
check_all_divisors(struct checker *c)
{
	struct stack *s = c->s;
	double *known = mem_new_array(s->n_values, sizeof *known);

	for (size_t i = 0; i < s->n_values; i++)
		known[i] =
			i >= s->n_counters && i < stack_value_of_whole(s) ? s->constant[i - s->n_counters].value : NAN;
	check_divisors(c, s->whole, known);
	for (size_t i = 0; i < s->n_value_items; i++)
		check_divisors(c, s->value[i].e, known);
	if (s->figure)
		check_divisors(c, s->figure, known);
	for (size_t i = 0; i < s->n_parts; i++)
		if (s->part[i].e)
			check_divisors(c, s->part[i].e, known);
	free(known);
}

/* A letter of the name that no other part has; else any free letter; 0: none is left. */
static char
free_key(const char *name, const bool *taken)
{
	static const char all[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

	for (size_t i = 0; name[i]; i++)
		if (strchr(all, name[i]) && !taken[(unsigned char)name[i]])
			return name[i];
	for (size_t i = 0; all[i]; i++)
		if (!taken[(unsigned char)all[i]])
			return all[i];
	return 0;
}

static void
give_keys(struct checker *c)
{
	struct stack *s = c->s;
	bool taken[256] = {false};

	for (size_t i = 0; i < s->n_parts; i++) {
		unsigned char key = (unsigned char)s->part[i].key;

		if (key && taken[key])
			complain(c, s->part[i].at, s->part[i].len, NULL, "the key '%c' stands for another part already",
				key);
		taken[key] |= key != 0;
	}
	for (unsigned depth = 0; depth < STACK_DEPTH_MAX; depth++)
		for (size_t i = 0; i < s->n_parts; i++)
			if (s->part[i].depth == depth && !s->part[i].key && !s->part[i].implied) {
				s->part[i].key = free_key(s->part[i].name, taken);
				taken[(unsigned char)s->part[i].key] = true;
			}
}

static void
check_counters(struct checker *c)
{
	const struct stack *s = c->s;

	for (size_t i = 0; i < s->n_counters; i++) {
		const struct counter_item *k = &s->counter[i];

		if (!scope_within(k->scope, s->per))
			complain(c, k->at, k->len, NULL,
				"a count per %s is not part of what one %s has, and the stack has a bar per %s",
				scope_name(k->scope), scope_name(s->per), scope_name(s->per));
	}
}

static bool
check_is_complete(struct checker *c)
{
	const struct stack *s = c->s;
	bool some = false;

	for (size_t i = 0; i < s->n_parts; i++)
		some |= s->part[i].e != NULL;
	if (!c->p->named)
		complain(c, 0, 0, "stack NAME \"what it accounts for\" per core;", "%.200s: the file names no stack",
			c->p->r.source.name);
	if (!c->p->whole_given)
		complain(c, 0, 0, "whole cycles = …;", "%.200s: the stack has no whole that its parts add up to",
			c->p->r.source.name);
	if (!some)
		complain(c, 0, 0, "part NAME = …;", "%.200s: the stack has no part", c->p->r.source.name);
	return c->good;
}

/* Warn of counters that nothing uses, and of a whole that no event can give. */
static void
warn_of_counters(struct checker *c)
{
	const struct stack *s = c->s;

	for (size_t i = 0; i < s->n_counters; i++) {
		const struct counter_item *k = &s->counter[i];
		struct place at = {&c->p->r.source, k->at, k->len};
		bool used = false;

		for (size_t part = 0; part < s->n_parts + 2 + s->n_value_items; part++)
			used |= stack_uses(s, part, i);
		for (size_t x = 0; x < s->n_expects; x++)
			used |= s->expect[x].uses[i];
		if (!used)
			diag_add(c->p->r.diags, DIAG_WARNING, &at, NULL, "nothing uses the counter '%.60s'", k->name);
		else if (k->unresolved && stack_uses(s, s->n_parts, i))
			diag_add(c->p->r.diags, DIAG_WARNING, &at, NULL,
				"the whole cannot be computed: no event is known for '%.60s'", k->name);
	}
}

void
stack_check(struct stack_parser *p)
{
	struct checker c = {.p = p, .s = p->stack, .good = p->r.diags->errors == 0};
	struct stack *s = p->stack;
	bool bound;

	/* an item that was not parsed would be reported again as missing */
	if (!c.good || !check_is_complete(&c))
		return;
	s->n_values = stack_value_of_item(s, s->n_value_items);
	c.mark = mem_new_array(s->n_parts, sizeof *c.mark);
	number_names(&c);
	check_counters(&c);
	bind_values(&c);
	if (c.good)
		check_bind(&c, s->whole, WHOLE);
	bound = c.good; /* all parts are compared with it */
	if (bound && s->figure)
		check_bind(&c, s->figure, FIGURE);
	for (size_t i = 0; i < s->n_expects && bound; i++)
		bind_expect(&c, &s->expect[i]);
	for (size_t i = 0; i < s->n_parts && bound; i++)
		if (s->part[i].e)
			bind_part(&c, i);
	if (c.good)
		check_all_divisors(&c);
	if (c.good)
		give_keys(&c);
	if (c.good && stack_check_tree(p))
		settle_sums(&c);
	if (c.good && p->r.diags->errors == 0 && stack_check_overlap(p))
		warn_of_counters(&c);
	free(c.mark);
	names_free(&c.names);
}
