#include "targets.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "text/diag.h"

void
fuzz_must(bool held, const char *rule)
{
	if (held)
		return;
	fprintf(stderr, "broken: %s\n", rule);
	abort();
}

void
fuzz_must_explain(bool parsed, struct diags *d)
{
	struct str out = {0};

	fuzz_must(parsed == (d->errors == 0), "something is parsed, or an error is added");
	fuzz_must(d->n <= 2 * DIAGS_MAX, "messages are bounded");
	diags_print(d, "", &out);
	str_free(&out);
	diags_free(d);
}

void
fuzz_must_say(bool read, const struct err *e)
{
	fuzz_must(read || *e->what, "something is read, or an error says why not");
}

char *
fuzz_seed_of(const char *const *text, size_t i, size_t *n)
{
	for (size_t k = 0; k < i; k++)
		if (!text[k])
			return NULL;
	*n = text[i] ? strlen(text[i]) : 0;
	return text[i] ? mem_str(text[i]) : NULL;
}

const struct fuzz_target fuzz_targets[] = {
	{"udd", fuzz_udd, "models/*.udd models/lessons/*.udd tests/models/good/*.udd", NULL, 4096},
	{"cone", fuzz_cone, "models/lessons/*.udd tests/models/good/*.udd", NULL, 1024},
	{"fdl", fuzz_fdl, "tests/fdl/*/*.fdl", NULL, 4096},
	{"m4", fuzz_m4, "tests/fdl/*/*.fdlm4", NULL, 2048},
	{"sidecar", fuzz_sidecar, "tests/fdl/*/*.json", NULL, 4096},
	{"net", fuzz_net, "models/networks/*.net tests/networks/*.net", NULL, 16384},
	{"stack", fuzz_stack, "models/stacks/*.stack", NULL, 8192},
	{"spec", fuzz_spec, "", fuzz_seed_spec, 4096},
	{"lesson", fuzz_lesson, "models/lessons/*.lesson tests/data/lessons/*.lesson tests/data/lessons/class/*.cases",
		fuzz_seed_lesson, 8192},
	{"laws", fuzz_laws, "models/laws/*.laws", NULL, 8192},
	{"probe", fuzz_probe, "models/probes/*.probe", NULL, 1024},
	{"expect", fuzz_expect, "models/expect/*.expect", NULL, 4096},
	{"machine", fuzz_machine, "models/machines/*.machine models/machines/*.server", NULL, 8192},
	{"suite", fuzz_suite, "models/suites/*.suite", NULL, 2048},
	{"trust", fuzz_trust, "models/trust/*.trust", NULL, 4096},
	{"theme", fuzz_theme, "themes/*.theme", NULL, 4096},
	{"metric", fuzz_metric, "", fuzz_seed_metric, 1024},
	{"csv", fuzz_csv, "models/demo/*.csv models/lessons/*.csv tests/data/session/*.csv", NULL, 2048},
	{"perf", fuzz_perf, "tests/data/perf-stat/* tests/data/perf-stat-6.1/*", NULL, 4096},
	{"simulators", fuzz_simulators,
		"tests/data/gem5/*.txt tests/data/tools/gem5* tests/data/sniper/*.txt tests/data/tools/sniper*", NULL,
		8192},
	{"sniper-db", fuzz_sniper_db, "", fuzz_seed_sniper_db, 32768},
	{"tools", fuzz_tools, "tests/data/tools/* tests/data/perf-stat/*.jsonl", NULL, 8192},
	{"runs", fuzz_runs, "models/demo/*.csv models/lessons/core2*.csv tests/data/runs/*.csv", NULL, 4096},
	{"curve", fuzz_curve, "", fuzz_seed_curve, 2048},
	{"events", fuzz_events, "tests/data/perfmon/*.json", fuzz_seed_events, 4096},
	{"json", fuzz_json, "tests/data/perf-stat/*.json tests/data/perf-stat/*.jsonl tests/fdl/*/*.json", NULL, 4096},
	{"session", fuzz_session, "tests/data/session/*.hecate", NULL, 200000},
	{"settings", fuzz_settings, "", fuzz_seed_settings, 4096},
	{"diff", fuzz_diff, "tests/data/perf-stat/*", fuzz_seed_diff, 4096},
	{"ring", fuzz_ring, "", fuzz_seed_ring, 1024},
	{"trace", fuzz_trace, "", fuzz_seed_trace, 4096},
	{"options", fuzz_options, "", fuzz_seed_options, 512},
	{"simulation", fuzz_simulation, "", fuzz_seed_simulation, 512},
	{"words", fuzz_words, "", fuzz_seed_words, 256},
	{"terminal", fuzz_terminal, "", fuzz_seed_terminal, 256},
	{"requests", fuzz_requests, "", fuzz_seed_requests, 8192},
	{"replies", fuzz_replies, "", fuzz_seed_replies, 8192},
};
const size_t n_fuzz_targets = sizeof fuzz_targets / sizeof *fuzz_targets;
