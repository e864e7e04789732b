#include "work/sweep/sweep_part.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "shape/wire.h"
#include "work/sweep/ranks.h"

#define LOOK_MS 1 /* how often messages of rank 0 are looked for, which nothing announces */
#define HOST_MOST 256

void
sweep_part_wire(struct wire *wire, struct sweep_part *part)
{
	part->kind = (enum sweep_part_kind)wire_word(wire, (int)part->kind, PART_KINDS);
	wire_u64(wire, &part->question);
	wire_i64s(wire, &part->bytes, &part->n_bytes);
	wire_size(wire, &part->seats);
	wire_str(wire, &part->host);
	wire_str(wire, &part->cannot);
	wire_size(wire, &part->seat);
	wire_size(wire, &part->cell);
	wire_str(wire, &part->died);
	wire_bool(wire, &part->lost);
}

void
sweep_part_clear(struct sweep_part *part)
{
	free(part->bytes);
	free(part->host);
	free(part->cannot);
	free(part->died);
	*part = (struct sweep_part){0};
}

struct sweep_part
sweep_part_hello(const struct sweep_how *how, size_t seats)
{
	struct sweep_part hello = {.kind = PART_HELLO,
		.question = how->question,
		.n_bytes = how->n_data,
		.bytes = mem_new_array(how->n_data, sizeof *hello.bytes),
		.seats = seats,
		.cannot = how->cannot ? mem_str(how->cannot) : NULL};
	char host[HOST_MOST] = "";
	struct stat st;

	gethostname(host, sizeof host - 1);
	hello.host = mem_str(host);
	for (size_t i = 0; i < how->n_data; i++)
		hello.bytes[i] = stat(how->data[i], &st) == 0 ? (int64_t)st.st_size : -1;
	return hello;
}

char *
sweep_part_refused(const struct sweep_part *own, const struct sweep_part *theirs, const char *const *data)
{
	if (theirs->cannot)
		return str_format("cannot take part: %s", theirs->cannot);
	if (theirs->n_bytes != own->n_bytes || theirs->question != own->question)
		return mem_str("has other models, options or another hecate");
	for (size_t i = 0; i < own->n_bytes; i++)
		if (theirs->bytes[i] != own->bytes[i])
			return str_format("has %s %s", theirs->bytes[i] < 0 ? "no" : "another", data[i]);
	return theirs->seats ? NULL : mem_str("could not start a process");
}

static void
send_part(const struct sweep_how *how, struct sweep_part *part, const struct wire *answer)
{
	struct wire w = {0};

	sweep_part_wire(&w, part);
	if (answer)
		wire_bytes(&w, answer->data + answer->at, answer->n - answer->at);
	ranks_send(how->ranks, 0, w.data, w.n);
	wire_free(&w);
	sweep_part_clear(part);
}

/* Takes an order of rank 0. False: the sweep is over. */
static bool
sweep_part_obey(const struct str *message, struct crew *crew)
{
	struct wire w = {.reading = true, .data = (unsigned char *)message->s, .n = message->n};
	struct sweep_part part = {0};
	bool goes_on;

	sweep_part_wire(&w, &part);
	goes_on = part.kind != PART_STOP;
	if (goes_on && crew)
		crew_give(crew, part.seat, part.cell);
	sweep_part_clear(&part);
	return goes_on;
}

void
sweep_part_serve(const struct sweep_how *how)
{
	struct err e = {0};
	struct crew *crew = how->cannot ? NULL : crew_new(how->jobs, how->judge, how->ctx, &e);
	struct sweep_part hello = sweep_part_hello(how, crew ? how->jobs : 0);
	struct str message = {0};
	size_t from;
	bool goes_on = true;

	send_part(how, &hello, NULL);
	while (goes_on) {
		struct crew_news news;

		while (goes_on && ranks_receive(how->ranks, &from, &message))
			goes_on = sweep_part_obey(&message, crew);
		while (goes_on && crew && crew_next(crew, &news)) {
			struct sweep_part part = {.kind = PART_NEWS,
				.seat = news.seat,
				.cell = news.cell,
				.died = news.died,
				.lost = news.lost};

			send_part(how, &part, news.message);
		}
		if (goes_on && crew)
			crew_wait(crew, LOOK_MS);
		else if (goes_on)
			usleep(LOOK_MS * 1000);
	}
	str_free(&message);
	crew_free(crew);
}
