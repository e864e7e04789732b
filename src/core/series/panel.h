/* Several series over the same rows: the input of everything that looks for phases. */
#ifndef CORE_SERIES_PANEL_H
#define CORE_SERIES_PANEL_H

#include <stddef.h>

/* Row m of series i is v[i * rows + m], in the unit of the series; NAN: unknown. */
struct panel {
	size_t n, rows;
	const double *v;
};

static inline const double *
panel_series(const struct panel *panel, size_t i)
{
	return panel->v + i * panel->rows;
}

#endif
