/* The stack language and its accounts: what the parser reads, which errors it reports, the values of the bars, and that
 * no bytes crash it. Values are worked out by hand. */
#include "core/stack/stack.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/stack/account.h"
#include "core/stack/errors.h"
#include "core/stack/tree.h"
#include "mutate.h"
#include "test.h"
#include "text/diag.h"

static struct stack *
parse(const char *text, size_t n, struct diags *d)
{
	*d = (struct diags){0};
	return stack_parse(mem_str("t.stack"), mem_strn(text, n), n, d);
}

/* Parses a text that must be good. */
static struct stack *
good(const char *text)
{
	struct diags d;
	struct stack *s = parse(text, strlen(text), &d);

	test_check(s && d.n == 0, __FILE__, __LINE__, "%s", d.n ? d.item[0].text : "no diagnostic");
	diags_free(&d);
	return s;
}

#define HEAD \
	"stack t per core; counter c = \"e\" per core unit cycles; counter a = \"f\" per core unit cycles; counter b " \
	"= \"g\" per core unit cycles; " \
	"counter n = \"i\" per core unit instructions;\n"
#define WHOLE "whole w = c; figure \"CPI\" = c / n;\n"

static void
stacks_are_read(void)
{
	struct stack *s = good("stack t \"a text\" per socket; machine \"x\", \"y\";\n"
			       "counter c = \"e\" + \"f\" or \"g\" per core unit us \"time\"; counter run = source "
			       "\"stall:run\" per core unit ns;\n"
			       "const k = 2 * 3 \"from here\"; whole w \"all\" = c;\n"
			       "part p \"pp\" key \"Q\" = run * k { part inner = run; } rest left;");

	if (!s)
		return;
	CHECK_STR(s->text, "a text");
	CHECK_INT(s->per, SCOPE_SOCKET);
	CHECK_INT(s->n_machines, 2);
	CHECK_INT(s->counter[0].n_choices, 2);
	CHECK_INT(s->counter[0].choice[0].n, 2);
	CHECK_STR(s->counter[0].choice[1].event[0].name, "g");
	CHECK(s->counter[0].factor == 1000);
	CHECK(s->counter[1].choice[0].source && !s->counter[0].choice[0].source);
	CHECK(s->constant[0].value == 6);
	CHECK_STR(s->constant[0].text, "from here");
	/* p, inner, what p leaves over (not named), left */
	CHECK_INT(s->n_parts, 4);
	CHECK_INT(s->part[0].key, 'Q');
	CHECK_INT(s->part[1].key, 'i');
	CHECK_INT(s->part[1].parent, 0);
	CHECK_INT(s->part[1].depth, 1);
	CHECK(s->part[2].rest && s->part[2].implied && s->part[2].parent == 0);
	CHECK(s->part[3].rest && !s->part[3].implied && s->part[3].parent == STACK_TOP);
	CHECK(stack_uses(s, 0, 1) && !stack_uses(s, 0, 0) && stack_uses(s, 4, 0) && stack_uses(s, 3, 0));
	stack_free(s);
}

static void
errors_are_reported(void)
{
	static const struct { const char *text, *says, *hint;
	} row[] = {
		{"", "the file names no stack", NULL},
		{"stack t per core; stack u per core;", "a second stack", NULL},
		{"stack t;", "'per' expected", NULL},
		{"stack t per cor;", "task, thread, core", "nearest: core"},
		{"stack t per core;", "has no whole", NULL},
		{HEAD "whole w = c;", "the stack has no part", NULL},
		{HEAD "whole w = c; rest r;", "the stack has no part", NULL},
		{HEAD WHOLE "whole v = c; part p = a;", "a second whole", NULL},
		{HEAD WHOLE "figure \"x\" = c; part p = a;", "a second figure", NULL},
		{HEAD WHOLE "part p = n;", "'p' is in instructions, the whole is in cycles", NULL},
		{HEAD WHOLE "part p = a + n;", "cycles and instructions do not go together", NULL},
		{HEAD WHOLE "part p = aa;", "'aa' is not known here", "nearest: a"},
		{HEAD WHOLE "part memory = a; part q = memry;", "'memry' is not known here", "nearest: memory"},
		{HEAD "whole w = p; part p = a;", "'p' is not known here", "split into"},
		{HEAD "whole w = w; part p = a;", "'w' is not known here", "not made of itself"},
		{HEAD "whole w = c; figure \"x\" = p; part p = a;", "'p' is not known here", "split into"},
		{HEAD WHOLE "part p = w - r; rest r;", "'r' is not known here", "remainder"},
		{HEAD WHOLE "part p = q; part q = p;", "'p' is made of itself", NULL},
		{HEAD WHOLE "part p = p;", "'p' is made of itself", NULL},
		{HEAD WHOLE "part p = a; part p = b;", "is the name of something else already", NULL},
		{HEAD WHOLE "part a = a;", "is the name of something else already", NULL},
		{HEAD "whole c = c; part p = a;", "'c' is a counter or constant already", NULL},
		{HEAD WHOLE "part p = a; rest r; rest q;", "a second remainder", NULL},
		{HEAD WHOLE "part p key \"x\" = a; part q key \"x\" = b;", "the key 'x' stands for another part", NULL},
		{HEAD WHOLE "part p key \"xy\" = a;", "a key is one letter or digit", NULL},
		{HEAD WHOLE "part p = a / 0;", "a division by zero", NULL},
		{HEAD "const z = 2 - 2; " WHOLE "part p = a / z;", "a division by zero", NULL},
		{HEAD "const z = 2 - 2; " WHOLE "part p = a / (z * 3);", "a division by zero", NULL},
		{HEAD "const z = 0; whole w = c / z; part p = a;", "a division by zero", NULL},
		{HEAD "counter d = \"x\" per socket unit cycles; " WHOLE "part p = d;",
			"a count per socket is not part of what one core has", NULL},
		{HEAD "counter c = \"x\" per core unit cycles; " WHOLE "part p = a;",
			"is a counter or constant already", NULL},
		{HEAD "counter d = source \"\" per core unit ns; " WHOLE "part p = a;",
			"a class's name cannot be empty", NULL},
		{HEAD "const k = c; " WHOLE "part p = a;", "'c' is not known here", "made of numbers"},
		{HEAD WHOLE "exclusive; part p = a; part q = a + b;", "'q' overlaps with 'p': both add 'a'", NULL},
		{HEAD WHOLE "exclusive; part p = a; part q = p;", "'q' overlaps with 'p': both add 'a'", NULL},
		{HEAD WHOLE "exclusive; part p = w - a; part q = w - b;", "'q' overlaps with 'p': both add 'c'", NULL},
		{HEAD WHOLE "part p = a { exclusive; part x = b; part y = max(b, 0); }",
			"'y' overlaps with 'x': both add 'b'", NULL},
		{HEAD WHOLE "part p = a { part q = b { part r = b { part s = b { part t = b { part u = b { "
			    "part v = b { part x = b { part y = b; } } } } } } } }",
			"parts of parts more than 8 deep", NULL},
		{HEAD WHOLE "part p = a {", "'}' expected at the end of the part", NULL},
		{HEAD WHOLE "part p = a { wrong; }", "part, rest, exclusive, sums or '}' expected", NULL},
		{HEAD WHOLE "expect n <= c \"x\"; part p = a;", "instructions cannot be compared with cycles", NULL},
		{HEAD WHOLE "expect p <= c \"x\"; part p = a;", "'p' is not known here", "split into"},
		{HEAD WHOLE "expect a < c \"x\"; part p = a;", "'=' expected after '<'", NULL},
		{HEAD WHOLE "expect a <= c; part p = a;", "what is wrong otherwise, in quotes, expected", NULL},
		{HEAD WHOLE "wrong;",
			"stack, machine, reference, counter, const, whole, figure, expect, exclusive, part, rest, "
			"tree, value, sums, advice or shared expected",
			NULL},
		{HEAD WHOLE "tree t; tree u; part p = a;", "a second tree", NULL},
		{HEAD WHOLE "part p = a; tree t;", "'tree' comes before the first part", "no remainder"},
		{HEAD WHOLE "part p above x = a;", "after 'above': a number from 0 on is expected, not 'x'", NULL},
		{HEAD WHOLE "part p above 0.2 or q = a; part r = b;", "no part is called 'q'", NULL},
		{HEAD "value v = u; value u = a; " WHOLE "part p = v;", "'u' is not known here", "those before it"},
		{HEAD "value v = w; " WHOLE "part p = v;", "'w' is not known here", NULL},
		{HEAD "value v = v; " WHOLE "part p = v;", "'v' is not known here", NULL},
		{HEAD "value a = b; " WHOLE "part p = b;", "'a' is the name of something else already", NULL},
		{HEAD WHOLE "part p = if(a < n, a, b);", "cycles and instructions do not go together", NULL},
		{HEAD WHOLE "part p = if(a < b, a, n);", "cycles and instructions do not go together", NULL},
		{HEAD WHOLE "part p = if(a, a, b);", "'<' or '>' expected", NULL},
		{HEAD WHOLE "part p = if(counted(2), a, b);", "'2' is not known here", NULL},
		{HEAD WHOLE "part p = a; advice p means 3;", "what it means, in quotes, expected", NULL},
		{HEAD WHOLE "part p = a; advice p helps \"x\" means \"y\";", "its order is means, next, helps", NULL},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		bool found = false;
		struct diags d;
		struct stack *s;

		test_label("%s", row[i].text);
		s = parse(row[i].text, strlen(row[i].text), &d);
		CHECK(!s);
		for (size_t k = 0; k < d.n; k++)
			found |= strstr(d.item[k].text, row[i].says) &&
				(!row[i].hint || (d.item[k].hint && strstr(d.item[k].hint, row[i].hint)));
		test_check(found, __FILE__, __LINE__, "%s: %s (%s)", row[i].says,
			d.n ? d.item[0].text : "no error is reported", d.n && d.item[0].hint ? d.item[0].hint : "");
		stack_free(s);
		diags_free(&d);
	}
}

/* Parts do not overlap if one subtracts what the other adds, or uses it as a scale only. Parts that are not declared
 * exclusive may overlap. */
static void
what_does_not_overlap(void)
{
	static const char *const text[] = {
		HEAD WHOLE "exclusive; part p = a - b; part q = b; rest r;",
		HEAD WHOLE "exclusive; part p = a; part q = w - p; rest r;",
		HEAD WHOLE "exclusive; part p = a * (n / n) / (b / b); part q = b; rest r;",
		HEAD WHOLE "part p = a; part q = a + b; rest r;",
		HEAD WHOLE "exclusive; part p = a { part x = a; part y = a; } part q = b;",
		HEAD WHOLE "exclusive; part p = a; part q = -(-b) - -(-a); rest r;",
	};

	for (size_t i = 0; i < sizeof text / sizeof *text; i++) {
		struct diags d;
		struct stack *s = parse(text[i], strlen(text[i]), &d);

		test_label("%s", text[i]);
		test_check(s != NULL, __FILE__, __LINE__, "%s", d.n ? d.item[0].text : "");
		stack_free(s);
		diags_free(&d);
	}
}

static void
warnings(void)
{
	struct diags d;
	const char *text = HEAD "counter u = unresolved per core unit cycles \"secret\"; whole w = u; part p = a;";
	struct stack *s = parse(text, strlen(text), &d);
	bool whole = false, unused = false;

	if (CHECK(s))
		CHECK_STR(s->counter[4].unresolved, "secret");
	for (size_t i = 0; i < d.n; i++) {
		whole |= strstr(d.item[i].text, "the whole cannot be computed: no event is known for 'u'") != NULL;
		unused |= strstr(d.item[i].text, "nothing uses the counter 'b'") != NULL;
	}
	CHECK(whole && unused && d.errors == 0);
	stack_free(s);
	diags_free(&d);
}

static size_t
part(const struct stack *s, const char *name)
{
	for (size_t i = 0; i < s->n_parts; i++)
		if (strcmp(s->part[i].name, name) == 0)
			return i;
	test_check(false, __FILE__, __LINE__, "no part %s", name);
	return 0;
}

#define TWO HEAD WHOLE "part p = a { part x = b; part y = p - x; } rest r;"

/* By hand: c = 1000, a = 600, b = 150, n = 500. */
static void
by_hand(void)
{
	struct stack *s = good(TWO);
	double v[] = {1000, 600, 150, 500};
	struct stack_account *a;

	if (!s)
		return;
	a = stack_account_new(s, v);
	CHECK(a->whole == 1000 && a->figure == 2);
	CHECK(a->amount[part(s, "p")].value == 600 && a->amount[part(s, "p")].share == 0.6 &&
		a->amount[part(s, "p")].figure == 1.2);
	CHECK(a->amount[part(s, "x")].value == 150 && a->amount[part(s, "x")].share == 0.15 &&
		a->amount[part(s, "x")].figure == 0.3);
	CHECK(a->amount[part(s, "y")].value == 450 && a->amount[part(s, "y")].share == 0.45 &&
		a->amount[part(s, "y")].figure == 0.9);
	CHECK(a->amount[part(s, "r")].value == 400 && a->amount[part(s, "r")].share == 0.4 &&
		a->amount[part(s, "r")].figure == 0.8);
	CHECK(a->fit[s->n_parts].known == 600 && a->fit[s->n_parts].over == 0 && a->fit[s->n_parts].n_unknown == 0);
	CHECK(a->fit[part(s, "p")].parent == 600 && a->fit[part(s, "p")].known == 600 &&
		a->fit[part(s, "p")].over == 0);
	stack_account_free(a);
	stack_free(s);
}

/* a = 1200 is more than c = 1000, so r = -200. b = 1500 is more than a, so y = -300. Documents have 0 for both, and
 * their excess. */
static void
over_and_below_zero(void)
{
	struct stack *s = good(TWO);
	double v[] = {1000, 1200, 1500, 500};
	struct stack_account *a;

	if (!s)
		return;
	a = stack_account_new(s, v);
	CHECK(a->fit[s->n_parts].over == 200 && a->fit[s->n_parts].lifted_over == 200);
	CHECK(a->amount[part(s, "r")].value == -200 && a->amount[part(s, "r")].negative &&
		a->amount[part(s, "r")].lifted == 0);
	CHECK(a->amount[part(s, "r")].share == -0.2 && a->amount[part(s, "r")].figure == -0.4);
	CHECK(a->amount[part(s, "p")].share == 1.2 && !a->amount[part(s, "p")].negative);
	CHECK(a->amount[part(s, "y")].negative && a->amount[part(s, "y")].value == -300 &&
		a->amount[part(s, "y")].lifted == 0);
	CHECK(a->fit[part(s, "p")].over == 0 && a->fit[part(s, "p")].lifted_over == 300);
	CHECK(a->amount[part(s, "(not accounted for)")].value == 0);
	stack_account_free(a);
	stack_free(s);
}

/* A difference that is rounding is no error: 0.1 + 0.2 is more than 0.3. */
static void
rounding_is_not_below_zero(void)
{
	struct stack *s = good(HEAD WHOLE "part p = a; part q = b; part z = a + b - c; rest r;");
	double v[] = {0.3, 0.1, 0.2, 1};
	struct stack_account *a = s ? stack_account_new(s, v) : NULL;

	if (a)
		CHECK(a->amount[part(s, "r")].value == 0 && !a->amount[part(s, "r")].negative &&
			a->fit[s->n_parts].over == 0);
	stack_account_free(a);
	stack_free(s);
}

/* Against a truth of 50 %, 30 % and 20 %: the method is 10 % off in p, 20 % in the rest, and has no part z. */
static void
errors_against_a_reference(void)
{
	struct stack *truth = good(HEAD WHOLE "reference; part p = a; part z = b; part r = n * 1 cycles/instructions;"),
		     *method = good(HEAD WHOLE "part p = a; part q = b; part n2 = n * 1 cycles/instructions; rest r;");
	struct stack *both[2];
	struct stack_account *t, *m;
	struct stack_errors *e;

	if (!truth || !method)
		return;
	both[0] = method;
	both[1] = truth;
	t = stack_account_new(truth, (double[]){1000, 500, 300, 200});
	m = stack_account_new(method, (double[]){1000, 600, 300, 100});
	e = stack_errors_new(method, m, truth, t);
	CHECK(truth->reference && !method->reference);
	CHECK_NEAR(e->error[part(method, "p")], 0.1, 1e-12);
	CHECK_NEAR(e->error[part(method, "r")], -0.2, 1e-12);
	CHECK(isnan(e->error[part(method, "q")]) && e->worst == part(method, "r"));
	CHECK_NEAR(stack_errors_worst(e), 0.2, 1e-12);
	CHECK_NEAR(stack_gain(m, part(method, "p")), 2.5, 1e-12);
	CHECK(stack_gain(m, part(method, "r")) == 1);
	CHECK_INT(stack_reference(both, 2), 1);
	CHECK_INT(stack_reference(both, 1), 1); /* none */
	CHECK_INT(stack_reference(both + 1, 1), 1); /* nothing to compare */
	CHECK(stack_is_rest(both, 2, "r") && !stack_is_rest(both, 2, "p"));
	stack_errors_free(e);
	stack_account_free(m);
	m = stack_account_new(method, (double[]){1000, 1000, NAN, NAN});
	e = stack_errors_new(method, m, truth, t);
	CHECK(isnan(stack_gain(m, part(method, "p"))) && isnan(stack_gain(m, part(method, "q"))));
	stack_errors_free(e);
	stack_account_free(m);
	stack_account_free(t);
	stack_free(method);
	stack_free(truth);
}

/* Without b, x and y are unknown; p is known, and is itself what x and y leave over. Without c no share is known. */
static void
missing_counters(void)
{
	struct stack *s = good(TWO);
	double v[] = {
		1000, 600, NAN, 500}, no_whole[] = {NAN, 600, 150, 500}, zero[] = {0, 0, 0, 0}, below[] = {-5, 1, 1, 1
	};
	struct stack_account *a;

	if (!s)
		return;
	a = stack_account_new(s, v);
	CHECK(isnan(a->amount[part(s, "x")].value) && isnan(a->amount[part(s, "y")].share) &&
		a->amount[part(s, "p")].value == 600);
	CHECK(a->fit[part(s, "p")].n_unknown == 2 && a->fit[part(s, "p")].known == 0);
	CHECK(a->amount[part(s, "(not accounted for)")].value == 600);
	CHECK(a->amount[part(s, "r")].value == 400);
	stack_account_free(a);
	a = stack_account_new(s, no_whole);
	CHECK(isnan(a->whole) && isnan(a->figure) && a->amount[part(s, "p")].value == 600 &&
		isnan(a->amount[part(s, "p")].share));
	CHECK(isnan(a->amount[part(s, "r")].value) && isnan(a->fit[s->n_parts].over));
	stack_account_free(a);
	a = stack_account_new(s, zero);
	CHECK(a->whole == 0 && isnan(a->figure) && a->amount[part(s, "r")].value == 0 &&
		isnan(a->amount[part(s, "p")].share));
	stack_account_free(a);
	a = stack_account_new(s, below);
	CHECK(a->whole_negative && isnan(a->amount[part(s, "p")].share));
	stack_account_free(a);
	stack_free(s);
}

static void
an_overflow_is_no_value(void)
{
	struct stack *s = good(HEAD WHOLE "part p = a * (b / n) / (1 cycles/instructions) + a; rest r;");
	double v[] = {1000, 1e200, 1e200, 1e-200};
	struct stack_account *a = s ? stack_account_new(s, v) : NULL;

	if (a)
		CHECK(isnan(a->amount[0].value) && a->fit[s->n_parts].n_unknown == 1 &&
			a->amount[part(s, "r")].value == 1000);
	stack_account_free(a);
	stack_free(s);
}

/* A random tree of parts over 8 counters. A part may also use an earlier part. */
static void
random_level(struct str *out, uint64_t *seed, unsigned depth, unsigned *n)
{
	unsigned parts = 1 + (unsigned)(test_random(seed) % 4);

	for (unsigned i = 0; i < parts && *n < 40; i++) {
		unsigned own = (*n)++;

		str_addf(out, "part p%u = k%u * %u - k%u / %u", own, (unsigned)(test_random(seed) % 8),
			(unsigned)(test_random(seed) % 5), (unsigned)(test_random(seed) % 8),
			1 + (unsigned)(test_random(seed) % 9));
		if (own && test_random(seed) % 3 == 0)
			str_addf(out, " + p%u", (unsigned)(test_random(seed) % own));
		if (depth + 1 < STACK_DEPTH_MAX && test_random(seed) % 3 == 0) {
			str_add(out, " {\n");
			random_level(out, seed, depth + 1, n);
			str_add(out, "}\n");
		} else {
			str_add(out, ";\n");
		}
	}
	if (test_random(seed) % 2)
		str_addf(out, "rest r%u_%u;\n", depth, *n);
}

/* True if the level adds up: the parts with the rest equal the parent; and so do, less what is too much, the values
 * that documents have, none of which is below zero. */
static void
check_level(const struct stack *s, const struct stack_account *a, size_t parent)
{
	double whole = parent == STACK_TOP ? a->whole : a->amount[parent].value,
	       lifted_whole = parent == STACK_TOP ? a->whole : a->amount[parent].lifted, sum = 0, lifted = 0,
	       size = fabs(whole);
	const struct stack_fit *f = &a->fit[parent == STACK_TOP ? s->n_parts : parent];
	bool some = false, rest = false;

	for (size_t i = 0; i < s->n_parts; i++)
		if (s->part[i].parent == parent) {
			const struct stack_amount *m = &a->amount[i];

			some = true;
			rest |= s->part[i].rest;
			CHECK(!(m->lifted < 0) && m->negative == (m->value < 0));
			if (!isnan(m->value)) {
				sum += m->value;
				lifted += m->lifted;
				size += fabs(m->value);
			}
		}
	if (!some)
		return;
	CHECK(rest);
	if (isnan(whole)) {
		CHECK(isnan(f->over) && isnan(f->lifted_over));
		return;
	}
	CHECK_NEAR(sum, whole, 3e-9 * size);
	CHECK_NEAR(lifted - f->lifted_over, lifted_whole, 3e-9 * size);
	CHECK(f->over >= 0 && f->lifted_over >= 0);
}

static void
random_stacks_add_up(void)
{
	unsigned rounds = test_rounds(300, 30000);
	uint64_t seed = 11;

	for (unsigned round = 0; round < rounds; round++) {
		struct str text = {0};
		unsigned n = 1;
		double v[8];
		struct diags d;
		struct stack *s;

		str_add(&text, "stack t per core; ");
		for (unsigned i = 0; i < 8; i++)
			str_addf(&text, "counter k%u = \"e%u\" per core unit ns; ", i, i);
		str_add(&text, "whole w = k0 + k1 + k2;\npart p0 = k3;\n");
		random_level(&text, &seed, 0, &n);
		s = parse(str_text(&text), text.n, &d);
		if (test_check(s != NULL, __FILE__, __LINE__, "%s in %s", d.n ? d.item[0].text : "", str_text(&text))) {
			struct stack_account *a;

			for (unsigned i = 0; i < 8; i++)
				v[i] = test_random(&seed) % 12 == 0   ? NAN
					: test_random(&seed) % 9 == 0 ? 0
								      : floor(test_uniform(&seed) * 1e12);
			a = stack_account_new(s, v);
			check_level(s, a, STACK_TOP);
			for (size_t i = 0; i < s->n_parts; i++)
				check_level(s, a, i);
			stack_account_free(a);
		}
		stack_free(s);
		diags_free(&d);
		str_free(&text);
	}
}

/* A chain of parts that each use the previous one twice takes as many steps as there are parts, not as there are
 * paths. */
static void
long_chains_are_counted_once(void)
{
	struct str text = {0};
	struct diags d;
	struct stack *s;

	str_add(&text, HEAD WHOLE "part p0 = a;");
	for (int i = 1; i < 60; i++)
		str_addf(&text, "part p%d = p%d + p%d - p%d;", i, i - 1, i - 1, i - 1);
	s = parse(str_text(&text), text.n, &d);
	if (CHECK(s)) {
		struct stack_account *a = stack_account_new(s, (double[]){1000, 10, 0, 1});

		CHECK(a->amount[59].value == 10 && a->fit[s->n_parts].known == 600);
		stack_account_free(a);
	}
	stack_free(s);
	diags_free(&d);
	for (int i = 60; i < 530; i++)
		str_addf(&text, "part p%d = a;", i);
	s = parse(str_text(&text), text.n, &d);
	CHECK(!s && d.errors > 0 && strstr(d.item[0].text, "more than 512 parts"));
	stack_free(s);
	diags_free(&d);
	str_free(&text);
}

#define TREE \
	"stack t per core; tree family source \"here\"; counter c = \"e\" per core unit cycles; " \
	"counter a = \"f\" per core unit cycles; counter b = \"g\" per core unit cycles; " \
	"counter n = \"i\" per core unit cycles;\n" \
	"value half = if(counted(n), n / 2, c); whole w = half / half; sums;\n" \
	"part p above 0.5 or r = a / half { sums; part q above 0.25 alone = b / half; part r above 0.1 = p - q; }\n" \
	"part z above 0.3 = 1 - p;\n"

/* Of 100 cycles, counted by two threads as n = 200 or as c alone. */
static void
nodes_are_judged(void)
{
	static const struct {
		double c, a, b, n;
		double p, q, r;
		bool p_flagged, q_flagged, r_flagged, z_flagged;
	} row[] = {
		{100, 60, 30, NAN, 0.6, 0.3, 0.3, true, true, true, true},
		{NAN, 60, 30, 200, 0.6, 0.3, 0.3, true, true, true, true},
		{100, 60, 55, NAN, 0.6, 0.55, 0.05, true, true, false, true},
		{100, 40, 30, NAN, 0.4, 0.3, 0.1, false, true, false, true}, /* q alone, r only below p */
		{100, 80, 90, NAN, 0.8, 0.9, -0.1, true, true, false, false},
		{100, 80, NAN, NAN, 0.8, NAN, NAN, true, false, false, false},
	};
	struct stack *s = good(TREE "advice q \"title\" means \"m\" next \"x\" helps \"h\";");

	if (!s)
		return;
	CHECK_STR(s->tree.family, "family");
	CHECK_STR(s->tree.source, "here");
	CHECK_INT(s->n_parts, 4); /* no remainders */
	CHECK(!s->part[0].advice && s->part[1].advice);
	CHECK_STR(s->part[1].advice->helps, "h");
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct stack_account *a = stack_account_new(s, (double[]){row[i].c, row[i].a, row[i].b, row[i].n});

		test_label("row %zu", i);
		CHECK(a->amount[0].value == row[i].p || (isnan(row[i].p) && isnan(a->amount[0].value)));
		CHECK(a->amount[1].value == row[i].q || (isnan(row[i].q) && isnan(a->amount[1].value)));
		CHECK(fabs(a->amount[2].value - row[i].r) < 1e-12 || (isnan(row[i].r) && isnan(a->amount[2].value)));
		CHECK_INT(a->amount[0].flagged, row[i].p_flagged);
		CHECK_INT(a->amount[1].flagged, row[i].q_flagged);
		CHECK_INT(a->amount[2].flagged, row[i].r_flagged);
		CHECK_INT(a->amount[3].flagged, row[i].z_flagged);
		stack_account_free(a);
	}
	stack_free(s);
}

/* A node that is worth a look makes its parent worth one by "or", and that does not make other parts so. */
static void
a_part_may_flag_its_parent(void)
{
	struct stack *s = good("stack t per core; tree f; counter c = \"e\" per core unit cycles; "
			       "counter a = \"f\" per core unit cycles; whole w = c / c; "
			       "part p above 0.9 or q = 2 * a / c { part q above 0.1 alone = a / c; "
			       "part r above 0.1 = a / c; }");
	struct stack_account *a = s ? stack_account_new(s, (double[]){100, 20}) : NULL;

	if (!CHECK(a))
		return;
	CHECK(a->amount[0].flagged && a->amount[1].flagged && !a->amount[2].flagged);
	stack_account_free(a);
	stack_free(s);
}

/* What a node lacks: of a condition, only what the chosen side needs. And which counts contradict each other. */
static void
causes_are_named(void)
{
	struct stack *s = good(TREE);
	double counter[] = {100, 80, 90, NAN};
	bool lacks[4];
	struct stack_pull pull;

	if (!s)
		return;
	stack_spare_counters(s, lacks); /* n, which counted() asks for */
	CHECK(!lacks[0] && !lacks[1] && !lacks[2] && lacks[3]);
	CHECK_INT(stack_lacking(s, counter, 0, lacks), 0);
	CHECK_INT(stack_lacking(s, (double[]){NAN, 80, 90, NAN}, 2, lacks), 1);
	CHECK(lacks[0] && !lacks[1] && !lacks[2] && !lacks[3]);
	CHECK_INT(stack_lacking(s, (double[]){NAN, NAN, 90, 200}, 2, lacks), 1);
	CHECK(lacks[1] && !lacks[0]);
	CHECK_INT(stack_lacking(s, (double[]){NAN, 80, 90, NAN}, s->n_parts, lacks), 1); /* the whole */
	CHECK(lacks[0]);
	stack_free(s);
	s = good("stack t per core; tree f; counter c = \"e\" per core unit cycles; counter a = \"f\" per core unit "
		 "cycles; whole w = c; sums; part p = a; rest q;"); /* a tree may have a remainder, too */
	if (!s)
		return;
	CHECK_INT(stack_lacking(s, counter, 1, lacks), 0);
	pull = stack_pull_part(s, counter, 1);
	CHECK_INT(pull.up, 0);
	CHECK_INT(pull.down, 1);
	stack_free(s);
	s = good(TREE);
	if (!s)
		return;
	pull = stack_pull_part(s, counter, 2); /* r = (80 - 90) / 100 */
	CHECK_INT(pull.down, 2);
	CHECK_INT(pull.up, 1);
	pull = stack_pull_part(s, (double[]){100, 180, 90, NAN}, 0); /* p = 180 / 100 */
	CHECK_INT(pull.up, 1);
	CHECK_INT(pull.down, 0);
	pull = stack_pull_part(s, (double[]){100, 180, 90, NAN}, 3); /* z = 1 - 180 / 100 adds no count */
	CHECK_INT(pull.down, 1);
	CHECK_INT(pull.up, 0);
	stack_free(s);
}

/* Conditions choose a value; the other one may be unknown. */
static void
conditions_choose(void)
{
	struct stack *s = good(HEAD WHOLE "part p = if(a > b, a / 2, n * (1 cycles/instructions));");
	struct stack_account *a;

	if (!s)
		return;
	a = stack_account_new(s, (double[]){100, 40, 20, NAN});
	CHECK(a->amount[0].value == 20);
	stack_account_free(a);
	a = stack_account_new(s, (double[]){100, 40, 50, 7});
	CHECK(a->amount[0].value == 7);
	stack_account_free(a);
	a = stack_account_new(s, (double[]){100, 40, NAN, 7});
	CHECK(isnan(a->amount[0].value));
	stack_account_free(a);
	stack_free(s);
}

static void
mutated_stacks_do_no_harm(void)
{
	static const char *const piece[] = {"stack ", "machine ", "counter ", "part x = ", "rest ", "whole ",
		"figure \"a\" = ", "}", "{", ";", " or ", "source ", "per core", "unit ", "= ", "key \"a\"", "\"", "//",
		"/*", "exclusive;", "0", "unresolved", " / ", "\xff", "min(", "tree f;", "value v = ", "sums;",
		"above 0.5 ", "alone", "advice p ", "means \"m\"", "shared;", "if(", "counted(", " < "};
	static const char flat[] = "stack t \"x\" per core; machine \"m\"; counter c = \"e\" + \"f\" or source \"g\" "
				   "per core unit cycles; counter a = unresolved per core unit cycles;\n"
				   "const k = 2 \"s\"; whole w = c; figure \"CPI\" = c / (3 instructions); exclusive; "
				   "part p key \"P\" = a * k { part q = min(a, c) - p / 2; rest z; } rest r;\n";
	static const char tree[] = TREE
		"advice q \"title\" means \"m\" helps \"h\"; shared \"x\"; shared; advice y;";
	unsigned rounds = test_rounds(4000, 400000), alive = 0;
	uint64_t seed = 23;

	for (unsigned i = 0; i < rounds; i++) {
		size_t n;
		char *bad = mutate(i % 2 ? tree : flat, (i % 2 ? sizeof tree : sizeof flat) - 1, piece,
			sizeof piece / sizeof *piece, 30, &seed, &n);
		struct diags d;
		struct stack *s = parse(bad, n, &d);

		CHECK((s != NULL) == (d.errors == 0));
		if (s) {
			double *v = mem_new_array(s->n_counters, sizeof *v);
			struct stack_account *a;

			for (size_t k = 0; k < s->n_counters; k++)
				v[k] = (double)(test_random(&seed) % 1000);
			a = stack_account_new(s, v);
			if (!s->tree.family)
				check_level(s, a, STACK_TOP);
			stack_account_free(a);
			free(v);
			alive++;
		}
		stack_free(s);
		diags_free(&d);
		free(bad);
	}
	CHECK(alive > 0 && alive < rounds);
}

TEST_MAIN(CASE(stacks_are_read), CASE(errors_are_reported), CASE(what_does_not_overlap), CASE(warnings), CASE(by_hand),
	CASE(over_and_below_zero), CASE(rounding_is_not_below_zero), CASE(errors_against_a_reference),
	CASE(missing_counters),
	CASE(an_overflow_is_no_value), CASE(random_stacks_add_up), CASE(long_chains_are_counted_once),
	CASE(nodes_are_judged), CASE(a_part_may_flag_its_parent), CASE(causes_are_named), CASE(conditions_choose),
	CASE(mutated_stacks_do_no_harm))
