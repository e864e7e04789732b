#include "cli/print/print_untested.h"

#include <stdlib.h>

#include "base/json.h"
#include "base/str.h"
#include "cli/counting.h"
#include "cli/print/print.h"
#include "work/analysis/result.h"
#include "work/analysis/untested.h"
#include "work/run/counters_run.h"
#include "work/run/run.h"

#define REASONS_SHOWN 4

/* Of each counter of the model; NULL for recorded data. */
static const struct source_status *
status_of(const struct counting *c)
{
	return run_as_counters(c->run.counts) ? run_facts(c->run.counts).status : NULL;
}

void
print_untested_names(const struct result *r, const struct finding *f, bool ascii, struct str *out)
{
	char *names = untested_names(r, f);

	if (names) {
		str_add(out, "; not tested: ");
		print_relation(out, names, ascii);
	}
	free(names);
}

void
print_untested_reasons(const struct udd_model *model, const struct result *r, const struct counting *counting,
	bool ascii, struct str *out)
{
	const struct source_status *status = status_of(counting);
	char *shown[REASONS_SHOWN] = {0};
	size_t n = 0;

	for (size_t i = 0; i < r->n_findings && n < REASONS_SHOWN; i++) {
		const struct finding *f = &r->finding[i];
		char *reason = f->verdict == VERDICT_INFEASIBLE ? NULL : untested_reason(model, r, f, status);
		bool known = !reason;

		for (size_t k = 0; k < n; k++)
			known = known || str_eq(shown[k], reason);
		if (known) {
			free(reason);
			continue;
		}
		shown[n++] = reason;
		str_add(out, "    not tested, ");
		print_lines(out, reason, ascii);
		str_addc(out, '\n');
	}
	while (n > 0)
		free(shown[--n]);
}

void
print_untested_json(struct json_writer *w, const struct result *r)
{
	json_open(w, "untested", '[');
	for (size_t i = 0; i < r->missing.n_untested; i++)
		if (constraint_counters(&r->missing.untested[i]) >= 2)
			json_str(w, NULL, r->missing.untested[i].text);
	json_close(w, ']');
}

void
print_untested_json_of(struct json_writer *writer, const struct udd_model *model, const struct result *result,
	const struct finding *f, const struct counting *counting)
{
	char *names = untested_names(result, f), *reason = untested_reason(model, result, f, status_of(counting));

	if (names) {
		json_open(writer, "untested", '{');
		json_int(writer, "constraints", (int64_t)untested_count(result, f));
		json_str(writer, "names", names);
		json_str(writer, "because", reason);
		json_close(writer, '}');
	} else {
		json_null(writer, "untested");
	}
	free(names);
	free(reason);
}
