/* Loading the events of this machine in a process of its own: a message for each event, and one for the end. */
#include <stdio.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "shape/wire.h"
#include "work/catalogue.h"
#include "work/machine.h"
#include "work/side_process.h"

enum word { EVENT, END, WORDS };

/* The texts of an event, or why the list is not whole and what to do. */
struct message {
	enum word word;
	char *name, *pmu, *topic, *text, *code, *unit, *counters, *errata;
	double scale;
	bool taken_alone, deprecated;
	int source, sources;
};

static void
catalogue_wire(struct wire *wire, struct message *message)
{
	message->word = (enum word)wire_word(wire, (int)message->word, WORDS);
	message->source = wire_word(wire, message->source, EVENT_SOURCES);
	message->sources = wire_word(wire, message->sources, 1 << EVENT_SOURCES);
	for (size_t i = 0; i < 8; i++)
		wire_str(wire, (char **[]){&message->name, &message->pmu, &message->topic, &message->text,
			&message->code, &message->unit, &message->counters, &message->errata}[i]);
	wire_double(wire, &message->scale);
	wire_bool(wire, &message->taken_alone);
	wire_bool(wire, &message->deprecated);
}

static void
catalogue_message_free(struct message *m)
{
	char *text[] = {m->name, m->pmu, m->topic, m->text, m->code, m->unit, m->counters, m->errata};

	for (size_t i = 0; i < sizeof text / sizeof *text; i++)
		free(text[i]);
}

static void
catalogue_send(struct side_sender *sender, struct message *message)
{
	struct wire w = {0};

	catalogue_wire(&w, message);
	side_send(sender, &w);
	wire_free(&w);
}

static void
catalogue_send_all(struct side_sender *sender, void *nothing)
{
	struct event_table table = {0};
	struct message end = {.word = END};
	struct err e = {0};

	(void)nothing;
	machine_events(NULL, &table, &e);
	end.name = mem_str(table.cpu);
	for (size_t i = 0; i < table.n; i++) {
		const struct event_row *row = &table.row[i];
		struct message message = {.word = EVENT, .name = mem_str(row->name), .pmu = mem_str(row->pmu),
			.topic = mem_str(row->topic), .text = mem_str(row->text), .code = mem_str(row->code),
			.unit = mem_str(row->unit), .counters = mem_str(row->counters), .errata = mem_str(row->errata),
			.scale = row->scale, .taken_alone = row->taken_alone, .deprecated = row->deprecated,
			.source = (int)row->source, .sources = (int)row->sources};

		catalogue_send(sender, &message);
		catalogue_message_free(&message);
	}
	if (*e.what)
		end.text = str_format("%s%s%s", e.what, *e.hint ? "; " : "", e.hint);
	catalogue_send(sender, &end);
	catalogue_message_free(&end);
	event_table_free(&table);
}

/* --- the explorer ------------------------------------------------------------------------------------------------ */

struct catalogue *
catalogue_start(struct err *e)
{
	struct catalogue *c = mem_new(sizeof *c);

	c->process = side_process_start("hecate-events", catalogue_send_all, NULL, e);
	if (c->process)
		return c;
	catalogue_free(c);
	return NULL;
}

int
catalogue_fd(const struct catalogue *c)
{
	return c->process ? side_process_fd(c->process) : -1;
}

static bool
catalogue_take(void *catalogue, struct wire *wire)
{
	struct catalogue *c = catalogue;
	struct message m = {0};
	bool good;

	catalogue_wire(wire, &m);
	good = !wire->bad && (m.word == END || m.name);
	if (good && m.word == EVENT) {
		event_table_add(&c->table, &(struct event_row){.name = m.name, .pmu = m.pmu, .topic = m.topic,
			.text = m.text, .code = m.code, .unit = m.unit, .counters = m.counters, .errata = m.errata,
			.scale = m.scale, .taken_alone = m.taken_alone, .deprecated = m.deprecated,
			.source = (enum event_source)m.source});
		c->table.row[c->table.n - 1].sources = (unsigned)m.sources;
	} else if (good) {
		snprintf(c->table.cpu, sizeof c->table.cpu, "%s", m.name ? m.name : "");
		free(c->failed);
		c->failed = m.text ? mem_str(m.text) : NULL;
	}
	catalogue_message_free(&m);
	return good;
}

bool
catalogue_poll(struct catalogue *c)
{
	char *died = NULL;

	if (!c->process || side_process_take(c->process, catalogue_take, c, &died) != SIDE_ENDED)
		return false;
	side_process_free(c->process);
	c->process = NULL;
	if (died) {
		free(c->failed);
		c->failed = died;
	}
	catalogue_arrange(c);
	catalogue_read_health(c);
	return true;
}
