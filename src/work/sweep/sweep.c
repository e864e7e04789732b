#include "work/sweep/sweep.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "shape/shape.h"
#include "shape/wire.h"
#include "work/sweep/ranks.h"
#include "work/sweep/sweep_part.h"

#define AHEAD 4     /* cells that a process has at most, so that it need not wait for the next */
#define TRIES 2     /* processes that may die of a cell */
#define LOOK_MS 1   /* how often messages of other ranks are looked for, which nothing announces */
#define WAIT_MS 200 /* how often go_on() is asked otherwise */
#define NOBODY SIZE_MAX

/* A process that judges. */
struct place {
	size_t rank, seat;
	size_t given[AHEAD], n_given;
	size_t model; /* of the last cell that it got; NOBODY: none */
	bool gone;
	double seconds; /* of processor time that its answers took */
};

struct sweep {
	const struct sweep_how *how;
	struct sweep_cell *cell;
	bool *known;
	bool *given;              /* per cell */
	unsigned char *died;      /* per cell: how many processes died of it */
	size_t *waiting, *places; /* per model: cells that nobody has; processes that are at it */
	size_t n_cells, n_known, n_waiting;
	struct place *place;
	size_t n_places, cap;
	struct crew *crew;
	struct sweep_part self;
	struct sweep_cost *cost;
	char **host; /* per rank; NULL: it has said nothing yet */
	size_t said; /* ranks that said hello */
};

static void
say(const struct sweep *sweep, char *sentence)
{
	sweep->how->say(sweep->how->ctx, sentence);
	free(sentence);
}

static void
add_places(struct sweep *sweep, size_t rank, size_t n)
{
	mem_grow(&sweep->place, &sweep->cap, sweep->n_places + n, sizeof *sweep->place);
	for (size_t i = 0; i < n; i++)
		sweep->place[sweep->n_places++] = (struct place){.rank = rank, .seat = i, .model = NOBODY};
}

/* The model with the most cells for each process at it. */
static size_t
neediest(const struct sweep *sweep)
{
	size_t best = NOBODY;
	double most = 0;

	for (size_t m = 0; m < sweep->how->n_models; m++) {
		double need = (double)sweep->waiting[m] / (double)(1 + sweep->places[m]);

		if (need > most) {
			most = need;
			best = m;
		}
	}
	return best;
}

static size_t
next_cell(struct sweep *sweep, struct place *place)
{
	size_t n = sweep->how->n_data, at;

	if (place->model == NOBODY || !sweep->waiting[place->model]) {
		if (place->model != NOBODY)
			sweep->places[place->model]--;
		place->model = neediest(sweep);
		sweep->places[place->model]++;
	}
	for (at = place->model * n; sweep->known[at] || sweep->given[at];)
		at++;
	sweep->given[at] = true;
	sweep->waiting[place->model]--;
	sweep->n_waiting--;
	return at;
}

static void
sweep_give(struct sweep *sweep, struct place *place)
{
	struct sweep_part part = {.kind = PART_GIVE, .seat = place->seat, .cell = next_cell(sweep, place)};
	struct wire w = {0};

	place->given[place->n_given++] = part.cell;
	if (place->rank == 0) {
		crew_give(sweep->crew, place->seat, part.cell);
		return;
	}
	sweep_part_wire(&w, &part);
	ranks_send(sweep->how->ranks, place->rank, w.data, w.n);
	wire_free(&w);
}

/* Every process gets one cell before any gets a second, and none gets cells ahead when few are left. */
static void
give_all(struct sweep *sweep)
{
	for (size_t round = 0; round < AHEAD; round++)
		for (size_t i = 0; i < sweep->n_places; i++) {
			struct place *place = &sweep->place[i];

			if (!place->gone && place->n_given == round &&
				sweep->n_waiting > (round ? AHEAD * sweep->n_places : 0))
				sweep_give(sweep, place);
		}
}

static void
becomes_known(struct sweep *sweep, size_t at)
{
	sweep->known[at] = true;
	sweep->n_known++;
	sweep->how->take(sweep->how->ctx, at);
}

/* Puts the cells of a process that died back among those that wait. */
static void
lose(struct sweep *sweep, struct place *place, const struct crew_news *news)
{
	bool hopeless = news->cell < sweep->n_cells && ++sweep->died[news->cell] == TRIES;
	size_t n = 0;

	for (size_t i = 0; i < place->n_given; i++) {
		size_t at = place->given[i];

		if (hopeless && at == news->cell) {
			char *reason = str_format(
				"%s while it judged this, %d times; has the machine enough memory?", news->died, TRIES);

			sweep_cell_fail(&sweep->cell[at], reason);
			free(reason);
			becomes_known(sweep, at);
			continue;
		}
		n++;
		sweep->given[at] = false;
		sweep->waiting[at / sweep->how->n_data]++;
		sweep->n_waiting++;
	}
	place->n_given = 0;
	place->gone = news->lost;
	if (sweep->how->ranks)
		say(sweep,
			str_format("rank %zu on %s: %s; %zu cell%s judged again", place->rank, sweep->host[place->rank],
				news->died, n, n == 1 ? " is" : "s are"));
	else
		say(sweep, str_format("%s; %zu cell%s judged again", news->died, n, n == 1 ? " is" : "s are"));
}

/* An answer that is not awaited was lost before: the cell waits again, or another has it. */
static void
take_news(struct sweep *sweep, size_t rank, const struct crew_news *news)
{
	struct place *place = NULL;
	struct crew_news broken = {.cell = news->cell, .died = mem_str("the process hecate-sweep sent no answer")};

	for (size_t i = 0; i < sweep->n_places; i++)
		if (sweep->place[i].rank == rank && sweep->place[i].seat == news->seat)
			place = &sweep->place[i];
	if (place && news->died) {
		lose(sweep, place, news);
	} else if (place && place->n_given && place->given[0] == news->cell) {
		struct sweep_cell *cell = &sweep->cell[news->cell];
		double seconds = 0;

		wire_double(news->message, &seconds);
		shape_wire(news->message, &sweep_cell_shape, cell);
		if (news->message->bad) {
			shape_clear(&sweep_cell_shape, cell);
			*cell = (struct sweep_cell){0};
			lose(sweep, place, &broken);
		} else {
			for (size_t i = 1; i < place->n_given; i++)
				place->given[i - 1] = place->given[i];
			place->n_given--;
			place->seconds += seconds;
			sweep->cost->cells++;
			becomes_known(sweep, news->cell);
		}
	}
	free(broken.died);
}

static void
welcome(struct sweep *sweep, size_t rank, struct sweep_part *part)
{
	char *why = sweep_part_refused(&sweep->self, part, sweep->how->data);

	if (sweep->host[rank])
		return;
	sweep->host[rank] = part->host ? part->host : mem_str("?");
	part->host = NULL;
	sweep->said++;
	if (!why)
		add_places(sweep, rank, part->seats);
	else if (!sweep->how->cannot)
		say(sweep, str_format("rank %zu on %s gets no cells, because it %s", rank, sweep->host[rank], why));
	free(why);
}

static void
hear_ranks(struct sweep *sweep)
{
	struct str message = {0};
	size_t rank;

	while (sweep->how->ranks && ranks_receive(sweep->how->ranks, &rank, &message)) {
		struct wire w = {.reading = true, .data = (unsigned char *)message.s, .n = message.n};
		struct sweep_part part = {0};

		sweep_part_wire(&w, &part);
		if (part.kind == PART_HELLO)
			welcome(sweep, rank, &part);
		else
			take_news(sweep, rank,
				&(struct crew_news){.seat = part.seat,
					.cell = part.cell,
					.message = &w,
					.died = part.died,
					.lost = part.lost});
		sweep_part_clear(&part);
	}
	str_free(&message);
}

static bool
someone_is_there(const struct sweep *sweep)
{
	bool some = sweep->how->ranks && sweep->said < ranks_count(sweep->how->ranks);

	for (size_t i = 0; i < sweep->n_places; i++)
		some |= !sweep->place[i].gone;
	return some;
}

/* Gives cells out until all are known. */
static bool
judge_all(struct sweep *sweep, struct err *e)
{
	const struct sweep_how *how = sweep->how;

	while (sweep->n_known < sweep->n_cells) {
		struct crew_news news;

		hear_ranks(sweep);
		while (crew_next(sweep->crew, &news)) {
			take_news(sweep, 0, &news);
			free(news.died);
		}
		give_all(sweep);
		if (!someone_is_there(sweep)) {
			err_set(e, "no process is left that could judge: %zu of %zu cells are known", sweep->n_known,
				sweep->n_cells);
			return err_hint(e, "does the system allow more processes (ulimit -u)?");
		}
		if (!how->go_on(how->ctx, sweep->n_known, sweep->n_cells, sweep->n_places))
			return false;
		if (sweep->n_known < sweep->n_cells)
			crew_wait(sweep->crew, how->ranks ? LOOK_MS : WAIT_MS);
	}
	return true;
}

/* Stops the ranks, when each has said hello. */
static void
dismiss(struct sweep *sweep)
{
	struct sweep_part stop = {.kind = PART_STOP};
	struct wire w = {0};

	sweep_part_wire(&w, &stop);
	for (size_t i = 1; sweep->how->ranks && i < ranks_count(sweep->how->ranks); i++)
		ranks_send(sweep->how->ranks, i, w.data, w.n);
	while (sweep->how->ranks && sweep->said < ranks_count(sweep->how->ranks)) {
		hear_ranks(sweep);
		crew_wait(sweep->crew, LOOK_MS);
	}
	wire_free(&w);
}

static void
sweep_begin(struct sweep *sweep)
{
	const struct sweep_how *how = sweep->how;
	size_t ranks = how->ranks ? ranks_count(how->ranks) : 1;

	sweep->given = mem_new_array(sweep->n_cells, sizeof *sweep->given);
	sweep->died = mem_new_array(sweep->n_cells, 1);
	sweep->waiting = mem_new_array(how->n_models, sizeof *sweep->waiting);
	sweep->places = mem_new_array(how->n_models, sizeof *sweep->places);
	for (size_t i = 0; i < sweep->n_cells; i++)
		if (sweep->known[i]) {
			sweep->n_known++;
		} else {
			sweep->waiting[i / how->n_data]++;
			sweep->n_waiting++;
		}
	sweep->host = mem_new_array(ranks, sizeof *sweep->host);
	sweep->self = sweep_part_hello(how, how->jobs);
	sweep->host[0] = mem_str(sweep->self.host);
	sweep->said = 1;
}

static void
sweep_end(struct sweep *sweep)
{
	for (size_t i = 0; i < (sweep->how->ranks ? ranks_count(sweep->how->ranks) : 1); i++)
		free(sweep->host[i]);
	free(sweep->host);
	free(sweep->given);
	free(sweep->died);
	free(sweep->waiting);
	free(sweep->places);
	free(sweep->place);
	sweep_part_clear(&sweep->self);
	crew_free(sweep->crew);
}

static void
sum_up(const struct sweep *sweep)
{
	struct sweep_cost *cost = sweep->cost;
	size_t last = NOBODY;

	for (size_t i = 0; i < sweep->n_places; i++) {
		double seconds = sweep->place[i].seconds;

		if (seconds <= 0)
			continue;
		cost->processes++;
		cost->ranks += sweep->place[i].rank != last; /* the places of a rank follow each other */
		last = sweep->place[i].rank;
		cost->judging += seconds;
		cost->busiest = seconds > cost->busiest ? seconds : cost->busiest;
	}
}

bool
sweep_run(const struct sweep_how *how, struct sweep_cell *cell, bool *known, struct sweep_cost *cost, struct err *e)
{
	struct sweep sweep = {.how = how,
		.cell = cell,
		.known = known,
		.cost = cost,
		.n_cells = how->cannot ? 0 : how->n_models * how->n_data};
	bool good;

	*cost = (struct sweep_cost){.giving = -clock_process_seconds()};

	if (how->ranks && ranks_number(how->ranks)) {
		sweep_part_serve(how);
		return true;
	}
	sweep_begin(&sweep);
	/* No more processes than cells: a few cells start a few. */
	if (sweep.n_waiting)
		sweep.crew = crew_new(
			how->jobs < sweep.n_waiting ? how->jobs : sweep.n_waiting, how->judge, how->ctx, e);
	good = !sweep.n_waiting || sweep.crew;
	if (sweep.crew)
		add_places(&sweep, 0, how->jobs < sweep.n_waiting ? how->jobs : sweep.n_waiting);
	good = good && judge_all(&sweep, e);
	if (good) /* otherwise they end with this process */
		dismiss(&sweep);
	sum_up(&sweep);
	cost->giving += clock_process_seconds();
	sweep_end(&sweep);
	return good;
}
