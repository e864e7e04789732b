#include "work/sweep/crew.h"

#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "shape/shape.h"
#include "shape/wire.h"
#include "work/side_process.h"

#define IDLE_DEATHS 3 /* of processes without a cell; more would die as well */

struct seat {
	struct side_process *process; /* NULL: empty */
	size_t *given, n_given, cap;  /* cells that it has not answered, in order */
	unsigned idle_deaths;         /* in a row */
};

struct crew {
	sweep_judge *judge;
	void *ctx;
	struct seat *seat;
	size_t n;
	struct wire message;
};

static void
answer_cells(struct side_sender *sender, void *ctx)
{
	const struct crew *crew = ctx;
	struct wire asked = {0};

	while (side_hear(sender, &asked)) {
		struct sweep_cell cell = {0};
		struct wire reply = {0};
		double seconds = clock_process_seconds();
		size_t number = 0;

		wire_size(&asked, &number);
		crew->judge(crew->ctx, number, &cell);
		seconds = clock_process_seconds() - seconds;
		wire_size(&reply, &number);
		wire_double(&reply, &seconds);
		shape_wire(&reply, &sweep_cell_shape, &cell);
		side_send(sender, &reply);
		wire_free(&reply);
		shape_clear(&sweep_cell_shape, &cell);
	}
	wire_free(&asked);
}

static bool
start(struct crew *crew, size_t seat, struct err *e)
{
	crew->seat[seat].process = side_process_start("hecate-sweep", answer_cells, crew, e);
	return crew->seat[seat].process != NULL;
}

struct crew *
crew_new(size_t n, sweep_judge *judge, void *ctx, struct err *e)
{
	struct crew *crew = mem_new(sizeof *crew);

	*crew = (struct crew){.judge = judge, .ctx = ctx, .seat = mem_new_array(n, sizeof *crew->seat)};
	while (crew->n < n && start(crew, crew->n, e))
		crew->n++;
	if (crew->n == n)
		return crew;
	crew_free(crew);
	return NULL;
}

void
crew_free(struct crew *crew)
{
	for (size_t i = 0; crew && i < crew->n; i++) {
		side_process_free(crew->seat[i].process);
		free(crew->seat[i].given);
	}
	if (crew)
		free(crew->seat);
	free(crew);
}

void
crew_give(struct crew *crew, size_t seat, size_t cell)
{
	struct seat *to = &crew->seat[seat];
	struct wire w = {0};

	if (!to->process) /* lost, which rank 0 does not know yet */
		return;
	mem_grow(&to->given, &to->cap, to->n_given + 1, sizeof *to->given);
	to->given[to->n_given++] = cell;
	wire_size(&w, &cell);
	if (!side_process_ask(to->process, &w) && side_process_pid(to->process) > 0)
		kill(side_process_pid(to->process), SIGKILL); /* how it ended is the next news */
	wire_free(&w);
}

void
crew_wait(const struct crew *crew, int ms)
{
	size_t n = crew ? crew->n : 0;
	struct pollfd *fd = mem_new_array(n, sizeof *fd);

	for (size_t i = 0; i < n; i++)
		fd[i] = (struct pollfd){
			.fd = crew->seat[i].process ? side_process_fd(crew->seat[i].process) : -1, .events = POLLIN};
	poll(fd, n, ms);
	free(fd);
}

/* An answer must be about the cell that was asked for first. */
static bool
take_answer(struct crew *crew, struct seat *seat, struct crew_news *news)
{
	news->cell = SIZE_MAX;
	wire_size(&crew->message, &news->cell);
	if (crew->message.bad || !seat->n_given || seat->given[0] != news->cell)
		return false;
	for (size_t i = 1; i < seat->n_given; i++)
		seat->given[i - 1] = seat->given[i];
	seat->n_given--;
	news->message = &crew->message;
	return true;
}

bool
crew_next(struct crew *crew, struct crew_news *news)
{
	for (size_t i = 0; i < crew->n; i++) {
		struct seat *seat = &crew->seat[i];
		enum side_news got;
		struct err e = {0};
		char *died = NULL;

		if (!seat->process)
			continue;
		got = side_process_next(seat->process, &crew->message, &died);
		*news = (struct crew_news){.seat = i};
		if (got == SIDE_MESSAGE && take_answer(crew, seat, news))
			return true;
		if (got == SIDE_NOTHING)
			continue;
		if (got == SIDE_MESSAGE)
			side_process_break(seat->process, &died);
		side_process_free(seat->process);
		news->died = died ? died : mem_str("the process hecate-sweep ended");
		news->cell = seat->n_given ? seat->given[0] : SIZE_MAX;
		seat->idle_deaths = seat->n_given ? 0 : seat->idle_deaths + 1;
		seat->n_given = 0;
		seat->process = NULL;
		news->lost = seat->idle_deaths == IDLE_DEATHS || !start(crew, i, &e);
		return true;
	}
	return false;
}
