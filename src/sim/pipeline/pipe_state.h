/* The state of a simulated pipeline, for its stages: pipe_fetch.c, pipe_dispatch.c, pipe_execute.c, pipe_commit.c.
 *
 * All µops between fetch and commit are in one ring, in program order:
 *
 *     head              dispatched              fetched
 *      │ reorder buffer    │ front end            │
 *      ▼ ●  ●  ●  ●  ●  ●  ▼  ●  ●  ●  ●  ●  ●  ● ▼
 *
 * The three positions are running numbers; a µop's place in the ring is its number modulo the ring's size. */
#ifndef SIM_PIPELINE_PIPE_STATE_H
#define SIM_PIPELINE_PIPE_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/mmu/mmu.h"
#include "sim/pipeline/memory.h"
#include "sim/pipeline/pipe.h"
#include "sim/pipeline/predict.h"
#include "sim/pipeline/seen_code.h"
#include "sim/pipeline/stride.h"

#define PIPE_NONE UINT64_MAX  /* no µop; no time */
#define PIPE_NOWHERE UINT32_MAX /* no place in the ring */
#define PIPE_SOURCES 4        /* registers, and the older store that a load reads from */
#define PIPE_STORE_DATA 2     /* number of the source that a store writes */
#define PIPE_STORE 3          /* number of the source that is the older store */

/* PIPE_HELD: executed, and only the late source is missing */
enum pipe_stage { PIPE_FRONT, PIPE_WAITS, PIPE_READY, PIPE_RUNS, PIPE_HELD, PIPE_DONE };

struct pipe_uop {
	struct sim_op op;
	uint64_t seq;        /* its running number; differs from that of earlier µops in the same place */
	uint64_t id;         /* a number that is never used again, not even after a squash */
	/* PIPE_FRONT: when it may be dispatched; later: when its result is there */
	uint64_t ready;
	/* list of waiting µops: first consumer of its result, and its own place in its producers' lists, as
	 * seq * PIPE_SOURCES + source */
	uint64_t consumers, next[PIPE_SOURCES];
	uint8_t stage;       /* enum pipe_stage */
	uint8_t waits;       /* number of missing sources that its execution needs */
	uint8_t fetch_missed;/* set of enum sim_fetch_missed */
	uint8_t starved;     /* enum sim_part of the miss that fetch waited for before it */
	uint8_t by;          /* enum pipe_level of a lookup at fetch */
	uint8_t part;        /* enum sim_part that its data come from; SIM_PART_BASE: L1D */
	bool missed;         /* it caused the miss, rather than waited for a line in flight */
	bool dtlb_missed;
	bool ordered;        /* a load that was found too early */
	bool wrong;          /* it is on a wrong path */
	bool mispredicted;
	/* a source that is needed only at its end is missing: the store that a load reads from, or a store's data */
	bool late;
	bool joined;         /* it shares the entry of the µop before it */
	uint32_t entry;      /* its entry of the reorder buffer */
	uint32_t held_up;    /* cycles from being ready to the beginning of its execution */
	uint64_t able;       /* time at which its sources were there */
	uint32_t from[PIPE_SOURCES]; /* places in the ring of the producers that it waits for; PIPE_NOWHERE: none */
	uint64_t writer;     /* earlier producer of its destination, which a squash restores */
	uint64_t ticket;     /* ticket of its prediction */
	uint64_t store;      /* the older store that a load may read from; PIPE_NONE: none */
	uint64_t translated; /* for a load: time at which its address is translated */
	uint64_t behind;     /* store that it waits for because of their store set; PIPE_NONE: none */
};

/* µops that become done at a time, in a wheel of times. */
struct pipe_event { uint64_t id, seq; };
struct pipe_bucket { struct pipe_event *event; unsigned n, room; };
#define PIPE_WHEEL 1024u

/* The youngest store to a word of 4 bytes. Code writes the halves of 8 bytes one by one, and reads one of them. */
struct pipe_word { uint64_t word, seq, written; };
#define PIPE_WORDS 8192u

#define PIPE_INPUT 4096u      /* µops of the right path that are taken at once */

struct sim_pipe {
	const struct sim_machine *machine;
	const struct sim_pipeline *size;
	sim_plants plants;
	sim_perfect perfect;
	uint64_t now;
	uint64_t steps, steps_most; /* steps so far, and their limit; a step is a cycle or several that are alike */
	uint64_t count[SIM_N_COUNTS];

	/* the ring */
	struct pipe_uop *uop;
	uint64_t mask, head, dispatched, fetched, ids;
	uint64_t front_room;          /* µops that the front end holds */
	uint64_t *ready;              /* bitmap of the ring: µops that may be issued */
	uint64_t n_ready;

	/* fetch */
	struct sim_op *input;         /* µops of the right path: the last ones that were fetched, and those that wait */
	size_t at, n, input_room;     /* in input: the next µop to be fetched; number of µops; room */
	bool wrong;                   /* fetch is on a wrong path */
	bool lost;                    /* fetch knows no code on the wrong path, and waits for the branch */
	uint64_t wrong_pc;
	unsigned nth;                 /* µop of the current instruction that comes next */
	uint64_t fetch_until;         /* time until which fetch waits */
	uint8_t fetch_waits;          /* enum sim_part that fetch waits for; SIM_PART_BASE: a redirect */
	uint8_t fetch_missed;         /* misses whose instruction has not been fetched yet */
	uint8_t starved;              /* enum sim_part of the last of these misses */
	uint64_t fetch_line, fetch_page; /* last line and page of instructions; PIPE_NONE: none */
	unsigned branches;            /* branches in flight */
	struct sim_predictor *predictor;
	struct pipe_code *code;
	struct pipe_stride *stride;

	/* dispatch */
	uint64_t writer[SIM_REGISTERS]; /* youngest producer of each register; PIPE_NONE: its value is there */
	uint32_t entry;               /* next entry of the reorder buffer to use if that is empty */
	unsigned wrong_in_rob;        /* µops of a wrong path between dispatch and commit */
	unsigned rob_used, loads, stores, waiting, int_used, fp_used;
	uint64_t *released;           /* ring: when the store-queue entries of committed stores are free again */
	uint8_t *released_from;       /* ring: enum sim_part of the level that the lines of these stores come from */
	uint64_t release_mask, release_first, release_next, last_release;
	struct pipe_word *word;
	uint64_t *store;              /* ring: stores in flight whose addresses may be unknown, in order */
	uint64_t store_mask, store_first, store_next;
	uint64_t *set_of, *last_of;   /* store sets: set by instruction, 0: none; youngest store of each set */
	uint64_t sets;
	uint64_t again;               /* µops that were dispatched and cleared, and not yet dispatched again */
	bool recovering;              /* no µop of the right path was dispatched since a squash */

	/* execution */
	struct pipe_bucket wheel[PIPE_WHEEL];
	uint64_t busy[PIPE_WHEEL / 64]; /* buckets that hold an event */
	uint64_t events;              /* events in the wheel */
	uint64_t bank_word[64];       /* word that each bank of L1 gives in this cycle */
	uint64_t banks_used;
	struct { uint64_t at, n; } written[PIPE_WHEEL]; /* loads that write their result in a cycle */
	uint8_t groups[SIM_N_OP_KINDS]; /* sets of the groups of ports that take each kind of µop */
	uint64_t port_free[SIM_PORTS_MAX][64]; /* per port of blocking kinds: when it is free */
	uint64_t div_until;
	unsigned free_ports;          /* load ports that neither µops nor prefetches have taken in this cycle */
	unsigned in_l1d, in_l2d, in_l3d, in_dtlb, in_load; /* loads that wait for each of these, and in all */

	struct pipe_memory memory;
	struct sim_caches caches;     /* only for the MMU's walker: its references go to `memory` */
	struct sim_mmu mmu;
	struct sim_account *account;

	/* what happened in this cycle */
	unsigned now_dispatched, now_committed, now_issued, now_fetched, now_done;
	unsigned wrong_dispatched, wrong_issued; /* µops of a wrong path that were dispatched, issued */
	unsigned again_dispatched;               /* µops dispatched for a second time, after a clear */
	unsigned far_begun, far_ended;           /* as in struct sim_pipe_cycle */
	bool now_mispredicted, now_resolved;
	bool cleared;                 /* issue ended with a clear */
	bool blocked;                 /* dispatch has a µop, and no entry for it */
	bool fp_full;                 /* dispatch has taken as many floating-point µops as it can in a cycle */
	bool store_blocked;           /* the missing entry is one of the store queue */
	struct sim_instructions *instructions; /* charged with each cycle; may be NULL */
	struct sim_op *committed;     /* for instructions: µops that committed in the cycle, the oldest first */
	struct sim_op flushed_by;     /* for instructions: the last branch that was mispredicted */
	void (*watch)(void *, const struct sim_pipe_cycle *);
	void *watch_ctx;
};

static inline struct pipe_uop *
pipe_at(struct sim_pipe *p, uint64_t seq)
{
	return &p->uop[seq & p->mask];
}

static inline bool
pipe_planted(const struct sim_pipe *p, enum sim_plant f)
{
	return p->plants >> f & 1;
}

static inline bool
pipe_is_perfect(const struct sim_pipe *p, enum sim_part part)
{
	return p->perfect >> part & 1;
}

static inline bool
pipe_window_is_full(const struct sim_pipe *p)
{
	return p->size->window && p->fetched - p->head >= p->size->window;
}

/* True if the back end takes no more µops in this cycle, whatever the front end has. */
static inline bool
pipe_back_end_is_full(const struct sim_pipe *p)
{
	return p->blocked || p->fp_full || pipe_window_is_full(p);
}

/* Return the numbers of the first and the last word of an access. */
static inline uint64_t
pipe_first_word(const struct sim_op *o)
{
	return o->at >> 2;
}

static inline uint64_t
pipe_last_word(const struct sim_op *o)
{
	return (o->at + o->size - 1) >> 2;
}

/* Returns the youngest store to a word, or to another word that shares its place. The two words of 8 bytes have
 * neighbouring places. */
static inline struct pipe_word *
pipe_word_at(struct sim_pipe *p, uint64_t word)
{
	return &p->word[(word ^ word >> 13 << 1) & (PIPE_WORDS - 1)];
}

/* True for a source that the µop's execution does not wait for, only its end. */
static inline bool
pipe_is_late(const struct sim_pipe *p, const struct pipe_uop *u, unsigned source)
{
	return source == PIPE_STORE ||
		(source == PIPE_STORE_DATA && u->op.kind == SIM_OP_STORE && pipe_planted(p, SIM_PLANT_STA_STD));
}

/* The stages. Each does one cycle's work. */
void pipe_finish(struct sim_pipe *);   /* results arrive, branches are resolved */
void pipe_commit(struct sim_pipe *);
void pipe_issue(struct sim_pipe *);
void pipe_dispatch(struct sim_pipe *);
void pipe_fetch(struct sim_pipe *);
/* Sends the prefetches that wait, as long as load ports are free in this cycle. The machine must have a prefetcher. */
void pipe_prefetch(struct sim_pipe *);

/* Removes the µop `seq` of the right path and all younger ones, which will be fetched again. */
void pipe_clear(struct sim_pipe *, uint64_t seq);
/* Memory order (pipe_order.c). _dispatch() notes a store that is dispatched, or a load that may have to wait for one;
 * _undo() reverts that; _lets() says whether a load may be executed. */
void pipe_order_dispatch(struct sim_pipe *, struct pipe_uop *);
void pipe_order_undo(struct sim_pipe *, const struct pipe_uop *);
bool pipe_order_lets(struct sim_pipe *, const struct pipe_uop *);
/* A load reads from the store queue, and ends when its store's data are there. */
void pipe_order_forward(struct sim_pipe *, struct pipe_uop *);
/* A store's address has become known: clears or replays a load that was too early. */
void pipe_order_address(struct sim_pipe *, struct pipe_uop *);
/* Lets a µop be issued, because its sources are there. */
void pipe_make_ready(struct sim_pipe *, struct pipe_uop *);
/* Charges `n` cycles that are alike to instructions. */
void pipe_attribute(struct sim_pipe *, uint64_t n);
/* Charges the dispatch slots of `n` cycles that are alike. */
void pipe_count_slots(struct sim_pipe *, uint64_t n);
/* Returns the time of the next event in the wheel after now; PIPE_NONE: there is none. */
uint64_t pipe_next_event(const struct sim_pipe *);

#endif
