/* Statistics of Sniper at points in time. An observation shows the increase between two of these. */
#ifndef COLLECT_IMPORT_SNIPER_SNAPSHOTS_H
#define COLLECT_IMPORT_SNIPER_SNAPSHOTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/names.h"
#include "collect/import/sniper_text.h"

/* One value. */
struct sniper_entry {
	size_t column, core; /* numbers in the text's `columns` and `cores` */
	size_t snapshot;     /* number in `snapshots` */
	int64_t value;
	int line;            /* 0: none */
};

struct sniper_snapshots {
	struct sniper_text *t;
	struct names snapshots;
	struct sniper_entry *entry;
	size_t n, cap;
};

void sniper_snapshots_add(struct sniper_snapshots *, struct sniper_entry);

/* Makes a cell of each value that rose from roi-begin to roi-end, or else from start to stop. Returns false and sets *e
 * when the simulation has not ended, or a value is there twice. */
bool sniper_snapshots_spread(struct sniper_snapshots *);
void sniper_snapshots_free(struct sniper_snapshots *);

#endif
