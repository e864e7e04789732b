/* The network language: what the parser reads, which errors it reports, and that no bytes crash it. */
#include "core/network/network.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/network/state.h"
#include "mutate.h"
#include "test.h"
#include "text/diag.h"

static struct network *
parse(const char *text, size_t n, struct diags *d)
{
	*d = (struct diags){0};
	return network_parse(mem_str("t.net"), mem_strn(text, n), n, d);
}

static void
a_small_network(void)
{
	unsigned long size;
	char *text = test_read("networks/small.net", &size);
	struct network *n;
	struct diags d;

	if (!text)
		return;
	n = parse(text, size, &d);
	if (CHECK(n)) {
		CHECK_STR(n->name, "small");
		CHECK_INT(n->n_kinds, 2);
		CHECK_INT(n->n_stages, 3);
		CHECK_INT(n->n_modules, 4);
		CHECK_INT(n->n_links, 3);
		CHECK_INT(n->module[1].per, SCOPE_CORE);
		CHECK_INT(n->module[2].times, 8);
		CHECK_INT(n->module[2].model, NET_HOME);
		CHECK_INT(n->module[2].cell[0].n_hits, 2);
		CHECK_STR(n->module[2].cell[0].hit[1].place, "far slice");
		CHECK_INT(n->module[1].cell[1].state, NET_CELL_WITH);
		CHECK(n->module[1].cell[0].ingress);
		CHECK(n->counter[4].unresolved && !n->counter[4].n_choices);
		CHECK_NEAR(n->constant[0].value, 300, 1e-9);
		/* dimm uses llc.read.hit, so llc comes first. */
		for (size_t i = 0, seen = 0; i < n->n_order; i++) {
			seen |= n->order[i] == net_value_of_hits(n, 2, 0);
			CHECK(n->order[i] != net_value_of(n, 3, 0, NET_BYTES) || seen);
		}
	}
	CHECK_INT(d.n, 0);
	network_free(n);
	diags_free(&d);
	free(text);
}

#define HEAD \
	"network t; kind r; counter c = \"e\" per core unit requests; counter y = \"f\" per core unit cycles; " \
	"counter s = \"g\" per socket unit requests;\n"
#define TWO "stage a { module A per core { r { hit = c; } } } stage b { module B { r { hit = c; } } } link A -> B;\n"

static void
errors_are_reported(void)
{
	static const struct { const char *text, *says;
	} row[] = {
		{"", "the file names no network"},
		{"network t; network u;", "a second network"},
		{HEAD "stack a; stack b;" TWO, "a second stack"},
		{"network t;", "has no path kind"},
		{HEAD "stage a { module A { r { hit = c; } } }", "two stages at least"},
		{HEAD TWO "stage c { }", "has no module"},
		{HEAD TWO "link B -> A;", "does not come after"},
		{HEAD TWO "link A -> B;", "is there already"},
		{HEAD TWO "link A -> C;", "'C' is no module"},
		{HEAD TWO "stage c { module C { r { hit = c; } } }", "no request can get to 'C'"},
		{HEAD TWO "ingress B w;", "'w' is no path kind"},
		{HEAD "kind w; " TWO, "no module reports the path kind 'w'"},
		{HEAD TWO "kind w;", "a path kind after a stage"},
		{HEAD "kind r; " TWO, "is a path kind already"},
		{HEAD "counter c = \"x\" per core unit cycles;" TWO, "is a counter or constant already"},
		{HEAD "counter d = \"x\" or per core unit cycles;" TWO,
			"an event in quotes, or 'unresolved', expected"},
		{HEAD "counter d = source \"x\" per core unit cycles;" TWO,
			"an event in quotes, or 'unresolved', expected"},
		{HEAD "const c = 4 cycles;" TWO, "is a counter or constant already"},
		{HEAD "counter d = \"x\" per cor unit cycles;" TWO, "expected after 'per', not 'cor'"},
		{HEAD "counter d = \"x\" per core unit litres;" TWO, "a unit expected, not 'litres'"},
		{HEAD "stage a { module A per core { r { hit = s; } } } stage b { module B { r { hit = c; } } } link A "
		      "-> B;",
			"'s' is not known here"},
		{HEAD "stage a { module A { r { hit = c + y; } } } stage b { module B { r { hit = c; } } } link A -> "
		      "B;",
			"requests and cycles do not go together"},
		{HEAD "stage a { module A { r { hit = y; } } } stage b { module B { r { hit = c; } } } link A -> B;",
			"hit must be in requests, not in cycles"},
		{HEAD "stage a { module A { r { hit = c; delay = c; } } } stage b { module B { r { hit = c; } } } link "
		      "A -> B;",
			"delay must be in cycles or ns"},
		{HEAD "stage a { module A { r { hit = c / 0; } } } stage b { module B { r { hit = c; } } } link A -> "
		      "B;",
			"a division by zero"},
		{HEAD "stage a { module A { r { hit = B.r.hit; } } } stage b { module B { r { hit = A.r.hit; } } } "
		      "link A -> B;",
			"'A.r.hit' is not known here"},
		{HEAD "stage a { module A { r with r \"x\"; } } stage b { module B { r { hit = c; } } } link A -> B;",
			"together with itself"},
		{HEAD "stage a { module A { r { hit = c; miss = c; miss = c; } } } stage b { module B { r { hit = c; } "
		      "} } link A -> B;",
			"'miss' is given already"},
		{HEAD "stage a { module A { clock = y; r { hit = c; delay = 4 cycles; } } } stage b { module B { r { "
		      "hit = c; delay = 9 ns; } } } link A -> B;",
			"have different units"},
		{HEAD "stage a { module A { r { hit = c; delay = 4 cycles; } } } stage b { module B { r { hit = c; } } "
		      "} link A -> B;",
			"in another unit of time than the clock"},
		{HEAD "stage a { module A times 0 { } } " TWO, "after 'times': a whole number from 1 to"},
		{HEAD "stage a { module A { model cash; } } " TWO, "cache, home or queue expected"},
		{HEAD "stage a { module A { qos \"x\" = c / c { } r { hit = c; } } } stage b { module B { r { hit = c; "
		      "} } } link A -> B;",
			"it reports no load"},
		{HEAD "stage a { module A { qos \"x\" = c / c { light = 1; } r { hit = c; } } } stage b { module B { r "
		      "{ hit = c; } } } link A -> B;",
			"optimal, moderate, severe or '}' expected"},
		{HEAD "stage a { module A { qos \"x\" = c / c { severe = 0.1; moderate = 0.2; } r { hit = c; } } } "
		      "stage b { module B { r { hit = c; } } } link A -> B;",
			"not above that of a lighter"},
		{HEAD "stage a { module A { qos \"x\" = c / c { severe = 1; severe = 2; } r { hit = c; } } } stage b { "
		      "module B { r { hit = c; } } } link A -> B;",
			"'severe' is given already"},
		{HEAD "stage a { module A { qos \"x\" = c { severe = 1; } r { hit = c; } } } stage b { module B { r { "
		      "hit = c; } } } link A -> B;",
			"have different units"},
		{HEAD "stage a { module A { qos \"x\" = c { severe = c; } r { hit = c; } } } stage b { module B { r { "
		      "hit = c; } } } link A -> B;",
			"'c' is not known here"},
		{HEAD "stage a { module A { qos = c { severe = 1; } r { hit = c; } } } stage b { module B { r { hit = "
		      "c; } } } link A -> B;",
			"what shows the load, in quotes, expected"},
		{HEAD "law \"x\": c = y; " TWO, "the sides of the law have different units"},
		{HEAD "law \"x\" within 1.5: c = c; " TWO, "the tolerance of a law is a part of it, from 0 to 1"},
		{HEAD "law \"x\" within 4 cycles: c = c; " TWO, "the tolerance of a law is a part of it, from 0 to 1"},
		{HEAD "law \"x\" within c: c = c; " TWO, "'c' is not known here"},
		{HEAD "counter d = \"x\" if per core unit cycles;" TWO, "a filter in quotes expected, not 'per'"},
		{HEAD "counter d = \"x\" if \"\" per core unit cycles;" TWO, "the filter is empty"},
		{HEAD "counter d = \"\" per core unit cycles;" TWO, "an event's name cannot be empty"},
		{HEAD "counter elapsed = \"x\" per core unit cycles;" TWO, "'elapsed' is the length of the snapshot"},
		{HEAD "const elapsed = 3;" TWO, "'elapsed' is the length of the snapshot"},
		{HEAD "total \"x\" = c + elapsed; " TWO, "requests and ns do not go together"},
		{HEAD "total \"x\" = s * owners(sliec); " TWO, "'owners(sliec)' is not known here"},
		{HEAD "const k = c; " TWO, "'c' is not known here"},
		{HEAD "const k = calibrated \"faults\" or 1 ns; " TWO, "'faults' is not measured"},
		{HEAD "const k = calibrated \"fault\"; " TWO,
			"'or', and a value for data without the measurement, expected"},
		{HEAD "const k = calibrated 3 ns; " TWO, "what is measured, in quotes, expected"},
		{HEAD "const k = calibrated \"fault\" or c; " TWO, "'c' is not known here"},
		{HEAD "stage a {", "'}' expected"},
		{HEAD "wrong;" TWO,
			"network, stack, kind, counter, const, stage, link, ingress, total or law expected"},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		bool found = false;
		struct diags d;
		struct network *n;

		test_label("%s", row[i].text);
		n = parse(row[i].text, strlen(row[i].text), &d);
		CHECK(!n);
		for (size_t k = 0; k < d.n; k++)
			found |= strstr(d.item[k].text, row[i].says) != NULL;
		if (!found)
			test_check(false, __FILE__, __LINE__, "%s: %s", row[i].says,
				d.n ? d.item[0].text : "no error is reported");
		network_free(n);
		diags_free(&d);
	}
}

/* A calibrated constant has its value until the state gets that of the machine; others keep theirs. */
static void
calibrated_constants(void)
{
	static const char text[] = HEAD "const k = calibrated \"fault\" or 300 ns; const m = 2 ns;"
		"total \"k\" = k; total \"m\" = m;" TWO;
	static const size_t first = 0;
	struct net_shape shape = {0};
	const struct net_snapshot none = {.seconds = 1, .count = (const double *const[]){NULL, NULL, NULL}};
	struct net_state *state;
	struct network *n;
	struct diags d;

	for (int k = 0; k < SCOPES; k++) { /* one owner of each scope */
		shape.n[k] = 1;
		shape.part_of[k] = &first;
	}
	n = parse(text, strlen(text), &d);
	if (CHECK(n)) {
		CHECK(network_is_calibrated(n) && n->constant[1].calibrated == NULL);
		CHECK_STR(n->constant[0].calibrated, NET_FAULT_TOUCH);
		state = net_state_new(n, &shape);
		net_state_take(state, &none);
		CHECK_NEAR(net_state_total(state, 0), 300, 1e-9);
		net_state_calibrate(state, NET_FAULT_TOUCH, 13500);
		net_state_calibrate(state, NET_FAULT_SERVICE, 1); /* no constant is that */
		net_state_take(state, &none);
		CHECK_NEAR(net_state_total(state, 0), 13500, 1e-9);
		CHECK_NEAR(net_state_total(state, 1), 2, 1e-9);
		net_state_free(state);
	}
	network_free(n);
	diags_free(&d);
}

static void
filters(void)
{
	static const char text[] = HEAD
		"counter f = \"a:b\" if \"x & 2 && comm ~ \\\"w*\\\"\" + \"a:c\" per core unit requests \"text\";" TWO;
	struct network *n;
	struct diags d;

	n = parse(text, strlen(text), &d);
	if (CHECK(n)) {
		struct event_sum f = counter_events(&n->counter[3]);

		CHECK_STR(n->counter[3].text, "text");
		CHECK(n->counter[0].choice[0].event[0].filter == NULL);
		if (!CHECK(f.n == 2))
			goto out;
		CHECK_STR(f.event[0].name, "a:b");
		CHECK_STR(f.event[0].filter, "x & 2 && comm ~ \"w*\"");
		CHECK_STR(f.event[1].name, "a:c");
		CHECK(f.event[1].filter == NULL);
	}
out:
	network_free(n);
	diags_free(&d);
}

/* The smaller side of a law may lack the part that `within` allows of the larger one. */
static void
laws_with_a_tolerance(void)
{
	static const char text[] = HEAD "law \"a\": c = s; law \"b\" within 0.05: c = s; "
					"law \"c\" within 0.05: s <= c;" TWO;
	static const struct { double c, s; bool holds[3];
	} row[] = {
		{100, 100, {true, true, true}}, {100, 95.01, {false, true, true}}, {100, 94.99, {false, false, true}},
		{94.99, 100, {false, false, false}}, {95.01, 100, {false, true, true}}, {0, 0, {true, true, true}},
	};
	static const size_t whole[1];
	const struct net_shape shape = {.n = {1, 1, 1, 1, 1, 1, 1, 1},
		.part_of = {whole, whole, whole, whole, whole, whole, whole, whole}};
	struct net_state *state;
	struct network *n;
	struct diags d;

	n = parse(text, strlen(text), &d);
	if (!CHECK(n))
		goto out;
	CHECK_NEAR(n->law[1].within, 0.05, 1e-15);
	state = net_state_new(n, &shape);
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		const double *count[] = {&row[i].c, NULL, &row[i].s};

		test_label("%g and %g", row[i].c, row[i].s);
		net_state_take(state, &(struct net_snapshot){.seconds = 1, .count = count});
		for (size_t k = 0; k < 3; k++)
			CHECK_INT(net_state_law_holds(state, k), row[i].holds[k]);
	}
	net_state_free(state);
	network_free(n);
out:
	diags_free(&d);
}

static void
alternatives(void)
{
	static const char text[] = HEAD "counter d = \"x\" + \"y\" or \"z\" or \"u\" per core unit cycles;" TWO;
	struct network *n;
	struct diags d;

	n = parse(text, strlen(text), &d);
	if (CHECK(n)) {
		CHECK_INT(n->counter[3].n_choices, 3);
		CHECK_INT(n->counter[3].choice[0].n, 2);
		CHECK_STR(n->counter[3].choice[2].event[0].name, "u");
	}
	network_free(n);
	diags_free(&d);
}

/* A thousand values, each defined by the next one. The parser refuses them; it does not recurse until the stack
 * overflows. */
static void
long_chains_are_refused(void)
{
	struct str text = {0};
	struct diags d;
	struct network *n;

	str_add(&text, HEAD "stage a { module A { r { hit = c; } } } stage b {");
	for (int i = 0; i < 1000; i++)
		str_addf(&text, "module m%d { r { hit = m%d.r.hit; } }\n", i, i + 1);
	str_add(&text, "module m1000 { r { hit = c; } } }");
	for (int i = 0; i <= 1000; i++)
		str_addf(&text, "link A -> m%d;", i);
	n = parse(str_text(&text), text.n, &d);
	CHECK(!n && d.errors > 0);
	network_free(n);
	diags_free(&d);
	str_free(&text);
}

static void
mutated_networks_do_no_harm(void)
{
	static const char *const piece[] = {"network ", "kind ", "counter ", "stage x { ", "module y { ", "}", "{", ";",
		" -> ", "per core", "unit ", "= ", "hit", "miss delay", "\"", "//", "/*", "times 9 ", "r", "0",
		"untold", "with ", "law \"a\": ", " if \"f\"", "elapsed", " background", "\xff", "min("};
	unsigned rounds = test_rounds(2000, 200000);
	unsigned long size;
	char *text = test_read("networks/small.net", &size);
	uint64_t seed = 23;

	for (unsigned i = 0; text && i < rounds; i++) {
		size_t n;
		char *bad = mutate(text, size, piece, sizeof piece / sizeof *piece, 30, &seed, &n);
		struct diags d;
		struct network *net = parse(bad, n, &d);

		CHECK((net != NULL) == (d.errors == 0));
		network_free(net);
		diags_free(&d);
		free(bad);
	}
	free(text);
}

TEST_MAIN(CASE(a_small_network), CASE(errors_are_reported), CASE(calibrated_constants), CASE(filters),
	CASE(laws_with_a_tolerance), CASE(alternatives), CASE(long_chains_are_refused),
	CASE(mutated_networks_do_no_harm))
