#include "app/state/question.h"

#include <stdint.h>
#include <stdlib.h>

#include "app/files/simulation.h"
#include "base/str.h"
#include "collect/source.h"
#include "core/spec/spec.h"

void
subject_forget_simulated(struct subject *x)
{
	if (x->simulated)
		simulation_free(x->simulated);
	free(x->simulated);
	x->simulated = NULL;
}

void
subject_clear(struct subject *x)
{
	str_split_free(x->argv);
	subject_forget_simulated(x);
	if (x->target)
		free((void *)(uintptr_t)x->target->id);
	free(x->target);
	spec_free(x->spec);
	free(x->spec_file);
	*x = (struct subject){0};
}
