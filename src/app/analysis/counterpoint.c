#include "app/analysis/counterpoint.h"

#include "app/analysis/describe.h"
#include "base/str.h"
#include "core/stats/counterpoint.h"
#include "core/stats/region.h"
#include "core/verdict/verdict.h"

void
counterpoint_options(struct analysis_options *o)
{
	o->counterpoint = true;
	o->confidence = COUNTERPOINT_CONFIDENCE;
	o->decides = REGION_BOX;
}

void
counterpoint_prepare(const struct samples *s, struct prepared *p)
{
	p->exact = p->was_exact = false;
	p->region = counterpoint_region(s);
	if (region_has_noise_model(p->region))
		return;
	region_free(p->region);
	p->region = NULL;
	_Static_assert(COUNTERPOINT_SAMPLES == 30, "the sentence contains this number");
	p->reason = "fewer than 30 of its samples have every counter, and CounterPoint needs 30";
}

void
counterpoint_words(struct str *out)
{
	str_addf(out, "%zu complete samples or more, the %g %% box along the principal axes of their covariance, "
		"and %g millionths of the largest count on top", COUNTERPOINT_SAMPLES, COUNTERPOINT_CONFIDENCE * 100,
		COUNTERPOINT_TOLERANCE * 1e6);
}
