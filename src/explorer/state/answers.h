/* The engine's answers, and the analyses of snapshots that views 5 to 7 show. Functions of explorer/state/ alone write
 * it: state_take_…() as replies arrive, state_timeline_due.c when a snapshot is analysed. */
#ifndef EXPLORER_STATE_ANSWERS_H
#define EXPLORER_STATE_ANSWERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"
#include "core/search/search_graph.h"
#include "core/udd/fset.h"

struct constraint_table;
struct geometry;
struct counter_loss;
struct neighbours;
struct net_stall_rows;
struct phases;
struct result;
struct run_advices;
struct run_answer;
struct timeline_analysis;
struct timeline_bars;
struct timeline_flows;
struct timeline_ratios;
struct timeline_history;
struct constraint_detail;

/* A detail that a pane or popup needs in addition to the result. The engine is asked for one at a time. */
enum detail_kind { DETAIL_NONE, DETAIL_TOUCH, DETAIL_LOSS, DETAIL_GEOMETRY, DETAIL_WITNESS };
struct detail {
	enum detail_kind kind;
	size_t index; /* row of the constraints, counter, or finding */
};

/* The question and data that an answer belongs to. An answer whose stamp differs from the result's is old. */
struct stamp {
	struct fset on; /* features that are on */
	uint64_t data;  /* generation of the data: rises with every result on other data; 0: unknown */
};

/* A µpath that raises a counter. */
struct witness_lines {
	char *text;     /* one step a line; NULL: not asked for yet */
	size_t of;      /* number of the counter */
	struct fset on; /* features that were on */
};

/* The engine's present work. */
struct progress {
	bool busy; /* the user waits; false also while new samples of the same question are judged */
	char stage[24];
	size_t done, of; /* steps done; steps in all, or 0 when their number is unknown */
	double since;
};

struct search_answers {
	struct search_graph *graph;  /* every model judged on this data; NULL: none yet */
	uint64_t data;               /* as in struct stamp; 0: read from a file, and set by the next result */
	enum search_task task;       /* the search that runs */
	double since;
	struct fset now;             /* the model judged last */
	struct fset proposed_for;    /* the features that the graph's proposal adds to */
	bool undone;                 /* the last search was undone or redone: its late models are not wanted */
};

/* Views 5 to 7: analyses of the snapshot shown. They are made before drawing, and only those that the view shows. */
struct timeline_answers {
	/* analyses that still belong to another snapshot: DUE_… bits (state_timeline_due.h) */
	unsigned due;
	struct timeline_analysis *analysis; /* analysis of the snapshot shown; NULL: none */
	struct timeline_analysis *before;   /* analysis of the snapshot before it in its observation; NULL: none */
	struct timeline_analysis *other;    /* analysis of the snapshot it is compared with; NULL: none */
	/* the same three for the flow that is shown alone */
	struct timeline_analysis *flow_analysis, *flow_before, *flow_other;
	/* bars by each stack, of the snapshot and of the compared one; NULL: none */
	struct timeline_bars **by, **other_by;
	struct timeline_bars *bars, *other_bars;  /* bars by the chosen stack; NULL: none */
	struct net_stall_rows *rows, *other_rows; /* stalls by the owner that waits; NULL: none */
	const struct timeline_history *history;   /* queue lengths up to the snapshot; borrowed from the timeline */
	/* per owner of each module, then per kind: its largest share of the stage so far, in thousandths; NULL:
	 * unknown */
	unsigned short *carried;
	size_t n_carried;
	/* per module of the network: requests were seen there, or none can be told; NULL: unknown */
	bool *used;
	bool *served; /* per row of the path map: it served requests in the run, or in what was shown; NULL: unknown */
	bool *counted; /* per part of the stack: it is not 0 in some bar of the run; NULL: unknown */
	struct run_answer *answer;             /* what the part of the run that is shown answers; NULL: nothing */
	struct timeline_analysis *load;        /* of the same part as the answer, while it runs; NULL: none */
	struct run_advices *advices;           /* what would make it faster; NULL: the network cannot tell */
	struct timeline_ratios *ratios;        /* what the popup of two runs shows; NULL: it was not opened */
	struct timeline_flows *flows;          /* flows of the snapshot; NULL: its run recorded none */
};

/* View 8. */
struct phases_answers {
	struct phases **run; /* of each group of observations with the same times; owned */
	size_t n;
	size_t amount;       /* of data that they were made from */
	double at;           /* when */
	bool too_long;       /* the data were not read */
};

struct answers {
	struct result *result;                /* NULL: none yet */
	struct stamp stamp;                   /* stamp of the result */
	struct neighbours *neighbours;        /* what switching each feature would change; NULL: none yet */
	struct constraint_table *constraints; /* the result as view 2 shows it; NULL: none */
	struct constraint_detail **touch;     /* per row of `constraints`; NULL until asked for */
	struct counter_loss **loss;           /* per counter; NULL until asked for */
	/* geometry of one finding, which stays until the next one replaces it; NULL: none yet */
	struct geometry *geometry;
	struct stamp geometry_stamp;
	struct witness_lines witness;
	struct detail asked;                  /* the detail that the engine works on */
	struct progress progress;
	struct str log;                       /* output of the engine's libraries, and its restarts */
	struct search_answers search;
	struct timeline_answers timeline;
	struct phases_answers phases;
};

#endif
