#include "cli/counterpoint.h"

#include "app/analysis/analysis.h"
#include "base/err.h"
#include "base/str.h"
#include "cli/options.h"
#include "core/verdict/verdict.h"

/* The default confidence is CounterPoint's own, so it is accepted even when it is given. */
bool
counterpoint_alone(const struct options *o, struct err *e)
{
	const struct {
		bool given;
		const char *name, *why;
	} other[] = {
		{o->region != NULL, "region", "its box decides"},
		{o->confidence < CONFIDENCE_DEFAULT || o->confidence > CONFIDENCE_DEFAULT, "confidence",
			"its box is at 0.99"},
		{o->family_wise, "family-wise", "it judges each observation by itself"},
		{o->exact, "exact", "to it every row is a sample"},
		{o->split_phases, "split-phases", "it takes an observation whole"},
		{o->peek, "peek", "its box holds at one look alone"},
		{o->watch, "watch", "its box holds at one look alone"},
		{o->stated_runs > 0, "runs", "it uses no stated errors"},
		{o->tolerance >= 0, "tolerance", "it has its own, 2e-6 of the largest count"},
		{o->independent_rows, "independent-rows", "it takes rows to be independent in any case"},
	};

	for (size_t i = 0; o->counterpoint && i < sizeof other / sizeof *other; i++)
		if (other[i].given) {
			err_set(e, "--counterpoint does not go with --%s: %s", other[i].name, other[i].why);
			return err_hint(e, "leave one of the two out");
		}
	return true;
}

const char *
counterpoint_or_region(const struct options *o)
{
	if (o->counterpoint)
		return region_name(REGION_BOX);
	return o->region ? o->region : region_name((enum region_kind)analysis_options_default().decides);
}

void
counterpoint_line(const struct options *o, struct str *out)
{
	if (!o->counterpoint)
		return;
	str_add(out, "judged as CounterPoint does: ");
	counterpoint_words(out);
	str_addc(out, '\n');
}
