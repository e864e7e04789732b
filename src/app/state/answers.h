/* What the engine has answered, and what views 5 to 7 have worked out of the data. Written as replies arrive
 * (state_take_…()), and where snapshots are analysed (state_timeline_due.c). */
#ifndef APP_STATE_ANSWERS_H
#define APP_STATE_ANSWERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "app/search/search_graph.h"
#include "base/str.h"
#include "core/udd/fset.h"

struct constraint_table;
struct geometry;
struct loss;
struct neighbours;
struct net_stall_rows;
struct result;
struct timeline_analysis;
struct timeline_bars;
struct timeline_flows;
struct timeline_history;
struct touch;

/* What a pane or popup wants beside the result: one at a time is asked of the engine. */
enum detail_kind { DETAIL_NONE, DETAIL_TOUCH, DETAIL_LOSS, DETAIL_GEOMETRY, DETAIL_WITNESS };
struct detail {
	enum detail_kind kind;
	size_t index; /* row of the constraints, counter, or finding */
};

/* What an answer belongs to. It is old when the result shown belongs to something else. */
struct stamp {
	struct fset on; /* features */
	uint64_t data;  /* number of the data, which rises with every result of other data; 0: unknown */
};

/* A µpath that raises a counter. */
struct witness_lines {
	char *text;     /* NULL: not asked yet */
	size_t of;      /* the counter */
	struct fset on; /* for these features */
};

/* What the engine does at present. */
struct progress {
	bool busy; /* it works on what the user asked, not only on new samples of the same question */
	char stage[24];
	size_t done, of; /* of 0: no end in sight */
	double since;
};

struct search_answers {
	struct search_graph *graph;  /* every model that was judged on this data; NULL: none yet */
	uint64_t data;               /* as in struct stamp; 0: of a file, and the next result says */
	enum search_task task;       /* what the engine searches for now */
	double since;
	struct fset now;             /* the model that was judged last */
	struct fset proposed_for;    /* the features that the graph's proposal is about */
};

/* Views 5 to 7: analyses of the snapshot that is shown. Made before drawing, and only what the view shows. */
struct timeline_answers {
	unsigned due;                          /* what is still of another snapshot: DUE_… (state_timeline_due.h) */
	struct timeline_analysis *look;        /* of the snapshot; NULL: there is none */
	struct timeline_analysis *before;      /* of the one before it, of the same observation; NULL */
	struct timeline_analysis *other;       /* of the one that it is compared with; NULL */
	struct timeline_analysis *flow_look, *flow_before, *flow_other; /* the same of the flow that is shown alone */
	struct timeline_bars **by, **other_by; /* bars by each stack; of the compared one; NULL */
	struct timeline_bars *bars, *other_bars; /* by the chosen stack; NULL */
	struct net_stall_rows *rows, *other_rows; /* stalls by who waits; NULL */
	const struct timeline_history *history;   /* lengths of queues up to the snapshot; the timeline's */
	unsigned short *carried; /* of modules' owners, then kinds: their largest share of their stage so far, in
	                          * thousandths; NULL: unknown */
	size_t n_carried;
	struct timeline_flows *flows;          /* of the snapshot; NULL: its run has none */
};

struct answers {
	struct result *result;                /* NULL: none yet */
	struct stamp stamp;                   /* of the result */
	struct neighbours *neighbours;        /* what each feature would change, of that result; NULL: none yet */
	struct constraint_table *constraints; /* that result as view 2 shows it; NULL: none */
	struct touch **touch;                 /* per row of `constraints`; NULL until it was asked about */
	struct loss **loss;                   /* per counter, likewise */
	/* of one finding; NULL: none yet. The last one stays until it is replaced */
	struct geometry *geometry;
	struct stamp geometry_stamp;
	struct witness_lines witness;
	struct detail asked;                  /* what the engine is asked now */
	struct progress progress;
	struct str log;                       /* what the engine's libraries printed, and its restarts */
	struct search_answers search;
	struct timeline_answers timeline;
};

#endif
