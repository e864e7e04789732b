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
complain(struct checker *checker, uint32_t at, uint32_t len, const char *hint, const char *fmt, ...)
{
	struct place where = {&checker->p->r.source, at, len};
	struct str text = {0};
	va_list ap;

	va_start(ap, fmt);
	str_addv(&text, fmt, ap);
	va_end(ap);
	diag_add(checker->p->r.diags, DIAG_ERROR, len ? &where : NULL, hint, "%s", str_text(&text));
	str_free(&text);
	checker->good = false;
}

/* Give each value the number of its name. An implied remainder takes a number, too, with a name that no file can
 * write. */
static void
number_names(struct checker *checker)
{
	const struct stack *stack = checker->s;

	for (size_t i = 0; i < stack->n_counters; i++)
		names_add(&checker->names, stack->counter[i].name, strlen(stack->counter[i].name));
	for (size_t i = 0; i < stack->n_constants; i++)
		names_add(&checker->names, stack->constant[i].name, strlen(stack->constant[i].name));
	if (names_add(&checker->names, stack->whole_name, strlen(stack->whole_name)) != stack_value_of_whole(stack))
		complain(checker, checker->p->whole_at, checker->p->whole_len, NULL,
			"'%.60s' is a counter or constant already", stack->whole_name);
	for (size_t i = 0; i < stack->n_parts && checker->good; i++) {
		const struct stack_part *part = &stack->part[i];
		char *own = part->implied ? str_format("\x01%zu", i) : mem_str(part->name);

		if (names_add(&checker->names, own, strlen(own)) != stack_value_of_part(stack, i))
			complain(checker, part->at, part->len, NULL, "'%.60s' is the name of something else already",
				part->name);
		free(own);
	}
	for (size_t i = 0; i < stack->n_value_items && checker->good; i++)
		if (names_add(&checker->names, stack->value[i].name, strlen(stack->value[i].name)) !=
			stack_value_of_item(stack, i))
			complain(checker, stack->value[i].at, stack->value[i].len, NULL,
				"'%.60s' is the name of something else already", stack->value[i].name);
}

static bool bind_part(struct checker *, size_t part);

/* The nearest name that may stand here. */
static char *
check_nearest(const struct checker *checker, const char *name)
{
	const struct stack *stack = checker->s;
	size_t n = stack_value_of_whole(stack) + (checker->target > WHOLE);
	const char **known = mem_new_array(stack->n_values, sizeof *known);
	char *hint;

	for (size_t i = 0; i < n; i++)
		known[i] = checker->names.name[i];
	for (size_t i = 0; checker->target == PART && i < stack->n_parts; i++)
		if (!stack->part[i].rest)
			known[n++] = stack->part[i].name;
	for (size_t i = 0; i < checker->n_bound; i++)
		known[n++] = stack->value[i].name;
	hint = near_hint(name, known, n);
	free(known);
	return hint;
}

static bool
check_find(void *ctx, const char *name, uint32_t *index, struct unit *unit, char **hint)
{
	struct checker *checker = ctx;
	const struct stack *stack = checker->s;
	size_t v = names_find(&checker->names, name, strlen(name)), whole = stack_value_of_whole(stack);

	if (v == NAMES_NONE) {
		*hint = check_nearest(checker, name);
		return false;
	}
	*index = (uint32_t)v;
	if (v < stack->n_counters) {
		*unit = stack->counter[v].unit;
	} else if (v < whole) {
		*unit = stack->constant[v - stack->n_counters].unit;
	} else if (v >= stack_value_of_item(stack, 0)) {
		size_t item = v - stack_value_of_item(stack, 0);

		if (item >= checker->n_bound) {
			*hint = mem_str("a value is made of those before it");
			return false;
		}
		*unit = stack->value[item].e->unit;
	} else if (v == whole) {
		if (checker->target <= WHOLE)
			*hint = mem_str("the whole is what counters say, not made of itself");
		*unit = stack->whole && checker->target > WHOLE ? stack->whole->unit : (struct unit){{0}};
		return checker->target > WHOLE;
	} else {
		if (checker->target != PART)
			*hint = mem_str("a part is what the whole is split into");
		else if (stack->part[v - whole - 1].rest)
			*hint = mem_str("a remainder is what no expression says");
		if (*hint)
			return false;
		/* a circle was already reported; the unit of all parts is that of the whole */
		bind_part(checker, v - whole - 1);
		*unit = stack->whole->unit;
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
bind_part(struct checker *checker, size_t i)
{
	struct stack *stack = checker->s;
	struct stack_part *part = &stack->part[i];
	size_t errors = checker->p->r.diags->errors;

	if (checker->mark[i] == OPEN)
		complain(checker, part->at, part->len, NULL, "'%.60s' is made of itself", part->name);
	if (checker->mark[i] != NEW)
		return true;
	checker->mark[i] = OPEN;
	check_bind(checker, part->e, PART);
	if (checker->p->r.diags->errors == errors && !unit_equal(part->e->unit, stack->whole->unit)) {
		struct str own = {0}, whole = {0};

		unit_text(part->e->unit, &own);
		unit_text(stack->whole->unit, &whole);
		complain(checker, part->e->at, part->e->len, "parts have the unit of what they are parts of",
			"'%.60s' is in %s, the whole is in %s", part->name, str_text(&own), str_text(&whole));
		str_free(&own);
		str_free(&whole);
	}
	checker->mark[i] = DONE;
	mem_grow(&stack->order, &checker->cap_order, stack->n_order + 1, sizeof *stack->order);
	stack->order[stack->n_order++] = i;
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
bind_expect(struct checker *checker, const struct stack_expect *expect)
{
	struct str low = {0}, high = {0};
	size_t errors = checker->p->r.diags->errors;

	check_bind(checker, expect->low, EXPECT);
	check_bind(checker, expect->high, EXPECT);
	if (checker->p->r.diags->errors == errors && !unit_equal(expect->low->unit, expect->high->unit)) {
		unit_text(expect->low->unit, &low);
		unit_text(expect->high->unit, &high);
		complain(checker, expect->at, expect->len, NULL, "%s cannot be compared with %s", str_text(&low),
			str_text(&high));
	}
	str_free(&low);
	str_free(&high);
}

static void
check_all_divisors(struct checker *checker)
{
	struct stack *stack = checker->s;
	double *known = mem_new_array(stack->n_values, sizeof *known);

	for (size_t i = 0; i < stack->n_values; i++)
		known[i] = i >= stack->n_counters && i < stack_value_of_whole(stack)
			? stack->constant[i - stack->n_counters].value
			: NAN;
	check_divisors(checker, stack->whole, known);
	for (size_t i = 0; i < stack->n_value_items; i++)
		check_divisors(checker, stack->value[i].e, known);
	if (stack->figure)
		check_divisors(checker, stack->figure, known);
	for (size_t i = 0; i < stack->n_parts; i++)
		if (stack->part[i].e)
			check_divisors(checker, stack->part[i].e, known);
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
give_keys(struct checker *checker)
{
	struct stack *stack = checker->s;
	bool taken[256] = {false};

	for (size_t i = 0; i < stack->n_parts; i++) {
		unsigned char key = (unsigned char)stack->part[i].key;

		if (key && taken[key])
			complain(checker, stack->part[i].at, stack->part[i].len, NULL,
				"the key '%c' stands for another part already", key);
		taken[key] |= key != 0;
	}
	for (unsigned depth = 0; depth < STACK_DEPTH_MAX; depth++)
		for (size_t i = 0; i < stack->n_parts; i++)
			if (stack->part[i].depth == depth && !stack->part[i].key && !stack->part[i].implied) {
				stack->part[i].key = free_key(stack->part[i].name, taken);
				taken[(unsigned char)stack->part[i].key] = true;
			}
}

static void
check_counters(struct checker *checker)
{
	const struct stack *stack = checker->s;

	for (size_t i = 0; i < stack->n_counters; i++) {
		const struct counter_item *item = &stack->counter[i];

		if (!scope_within(item->scope, stack->per))
			complain(checker, item->at, item->len, NULL,
				"a count per %s is not part of what one %s has, and the stack has a bar per %s",
				scope_name(item->scope), scope_name(stack->per), scope_name(stack->per));
	}
}

static bool
check_is_complete(struct checker *checker)
{
	const struct stack *stack = checker->s;
	bool some = false;

	for (size_t i = 0; i < stack->n_parts; i++)
		some |= stack->part[i].e != NULL;
	if (!checker->p->named)
		complain(checker, 0, 0, "stack NAME \"what it accounts for\" per core;",
			"%.200s: the file names no stack", checker->p->r.source.name);
	if (!checker->p->whole_given)
		complain(checker, 0, 0, "whole cycles = …;", "%.200s: the stack has no whole that its parts add up to",
			checker->p->r.source.name);
	if (!some)
		complain(checker, 0, 0, "part NAME = …;", "%.200s: the stack has no part", checker->p->r.source.name);
	return checker->good;
}

/* Warn of counters that nothing uses, and of a whole that no event can give. */
static void
warn_of_counters(struct checker *checker)
{
	const struct stack *stack = checker->s;

	for (size_t i = 0; i < stack->n_counters; i++) {
		const struct counter_item *item = &stack->counter[i];
		struct place at = {&checker->p->r.source, item->at, item->len};
		bool used = false;

		for (size_t part = 0; part < stack->n_parts + 2 + stack->n_value_items; part++)
			used |= stack_uses(stack, part, i);
		for (size_t x = 0; x < stack->n_expects; x++)
			used |= stack->expect[x].uses[i];
		if (!used)
			diag_add(checker->p->r.diags, DIAG_WARNING, &at, NULL, "nothing uses the counter '%.60s'",
				item->name);
		else if (item->unresolved && stack_uses(stack, stack->n_parts, i))
			diag_add(checker->p->r.diags, DIAG_WARNING, &at, NULL,
				"the whole cannot be computed: no event is known for '%.60s'", item->name);
	}
}

void
stack_check(struct stack_parser *parser)
{
	struct checker c = {.p = parser, .s = parser->stack, .good = parser->r.diags->errors == 0};
	struct stack *stack = parser->stack;
	bool bound;

	/* an item that was not parsed would be reported again as missing */
	if (!c.good || !check_is_complete(&c))
		return;
	stack->n_values = stack_value_of_item(stack, stack->n_value_items);
	c.mark = mem_new_array(stack->n_parts, sizeof *c.mark);
	number_names(&c);
	check_counters(&c);
	bind_values(&c);
	if (c.good)
		check_bind(&c, stack->whole, WHOLE);
	bound = c.good; /* all parts are compared with the whole */
	if (bound && stack->figure)
		check_bind(&c, stack->figure, FIGURE);
	for (size_t i = 0; i < stack->n_expects && bound; i++)
		bind_expect(&c, &stack->expect[i]);
	for (size_t i = 0; i < stack->n_parts && bound; i++)
		if (stack->part[i].e)
			bind_part(&c, i);
	if (c.good)
		check_all_divisors(&c);
	if (c.good)
		give_keys(&c);
	if (c.good && stack_check_tree(parser))
		settle_sums(&c);
	if (c.good && parser->r.diags->errors == 0 && stack_check_overlap(parser))
		warn_of_counters(&c);
	free(c.mark);
	names_free(&c.names);
}
