/* When a run takes rows, and when it ends. */
#ifndef WORK_RUN_RUN_SAMPLING_H
#define WORK_RUN_RUN_SAMPLING_H

#include <stdbool.h>
#include <stddef.h>

#include "core/obs/source_data.h"

struct sampling {
	unsigned interval_ms;       /* 0: exact totals only */
	size_t samples;             /* the run ends after this many; 0: no limit */
	double duration;            /* seconds after which the run ends; 0: no limit */
	enum rotation_how rotation; /* as in struct source_spec */
	bool rotation_given;
};

#endif
