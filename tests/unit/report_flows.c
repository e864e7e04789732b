/* The table of flows and its JSON, for a stream written by hand. */
#include "cli/print/print_net_flows.h"

#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/str.h"
#include "core/network/flow.h"
#include "test.h"

static const char *
name_of(const void *ctx, int32_t task)
{
	(void)ctx;
	return task == 7 ? "sort-7" : "gr\033ep-8";
}

static const struct flow_names names = {.task = name_of,
	.core = (const char *const[]){"C0", "C1"},
	.destination = (const char *const[]){"CXL memory", "local DDR"}};
static const struct flow_counter counters[] = {
	{.width = 48, .destination = 0, .weighs = true}, {.width = 48, .destination = 1, .weighs = true},
		{.width = 48, .destination = FLOW_NOWHERE},
};

static void
take(struct flows *f, enum flow_kind kind, uint64_t ms, size_t core, int32_t task, const uint64_t *count)
{
	CHECK(flows_take(f,
		&(struct flow_event){.kind = kind, .ns = ms * 1000000, .core = core, .task = task, .count = count},
		NULL));
}

static struct flows *
some_flows(size_t most)
{
	struct flows *f = flows_new(&(struct flow_spec){
		.n_cores = 2, .n_destinations = 2, .counter = counters, .n_counters = 3, .most = most});

	take(f, FLOW_IN, 0, 0, 7, (uint64_t[]){0, 0, 0});
	take(f, FLOW_IN, 100, 0, 8, (uint64_t[]){30, 90, 1000});
	take(f, FLOW_EXIT, 120, 0, 8, (uint64_t[]){30, 91, 1200});
	take(f, FLOW_READ, 200, 0, 0, (uint64_t[]){31, 91, 1300});
	return f;
}

static const char *
line_with(const struct str *s, const char *what)
{
	const char *at = strstr(str_text(s), what);

	if (!at)
		test_check(false, __FILE__, __LINE__, "no '%s' in\n%s", what, str_text(s));
	return at ? at : "";
}

static void
table(void)
{
	struct flows *f = some_flows(64);
	struct str out = {0};
	const char *sort, *grep;

	print_net_flows(f, &names, 20, true, &out);
	sort = line_with(&out, "sort-7               C0");
	grep = line_with(&out, "local DDR                          1   100.0         1  ended");
	CHECK(sort < grep); /* the longest running task comes first */
	CHECK(line_with(&out, "local DDR                         90    75.0") <
		line_with(&out, "CXL memory                        30    25.0"));
	line_with(&out, "of no task that is followed: 1 request, 80 ms");
	CHECK(!strchr(str_text(&out), '\033')); /* escape sequences from outside are removed */
	CHECK(!strstr(str_text(&out), "beyond the number"));
	str_free(&out);
	print_net_flows(f, &names, 2, true, &out);
	line_with(&out, "3 more (-v)");
	str_free(&out);
	flows_free(f);
	f = flows_new(&(struct flow_spec){.n_cores = 1, .counter = counters, .n_counters = 3, .most = 8});
	print_net_flows(f, &names, 20, true, &out);
	CHECK_INT(out.n, 0);
	flows_free(f);
	f = some_flows(FLOW_SPECIALS + 1);
	print_net_flows(f, &names, 20, true, &out);
	line_with(&out, "of flows beyond the largest number that is kept separately: 121 requests");
	str_free(&out);
	flows_free(f);
}

static void
json(void)
{
	struct flows *f = some_flows(64);
	struct str out = {0};
	struct json_writer w = {.out = &out};

	json_open(&w, NULL, '{');
	print_net_flows_json(f, &names, &w);
	json_close(&w, '}');
	line_with(&out, "\"share\": 0.75");
	line_with(&out, "\"unfollowed\": 1");
	line_with(&out, "\"ended\": true");
	line_with(&out, "\"destination\": null");
	str_free(&out);
	flows_free(f);
}

TEST_MAIN(CASE(table), CASE(json))
