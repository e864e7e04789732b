/* Items of a .server file. After an error, reading continues with the next item, so that all errors of a file are
 * reported at once. */
#include "sim/server/server.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/near.h"
#include "base/str.h"
#include "text/diag.h"
#include "text/item.h"

static const char *const feature_name[] = {
#define X(id, word, text) word,
	SERVER_FEATURES(X)
#undef X
};

const char *
server_feature_name(enum server_feature f)
{
	return feature_name[f];
}

const char *
server_feature_text(enum server_feature f)
{
	static const char *const text[] = {
#define X(id, word, text) text,
		SERVER_FEATURES(X)
#undef X
	};

	return text[f];
}

struct sim_features
server_features(const struct server *s)
{
	return (struct sim_features){s->name, feature_name, SERVER_N_FEATURES, s->has, (1u << SERVER_N_FEATURES) - 1};
}

const char *
server_memory_name(enum server_memory_kind k)
{
	static const char *const name[] = {"local", "remote", "cxl"};

	return name[k];
}

struct server_reader {
	struct item_reader r;
	struct server *server;
};

static bool read_cache(struct server_reader *, void *field);
static bool read_memory(struct server_reader *, void *field);
static bool read_curve(struct server_reader *, void *field);
static bool server_read_features(struct server_reader *, void *field);

static const struct row {
	const char *word, *what, *unit;
	size_t field;
	unsigned least, most;
	bool (*read)(struct server_reader *, void *field); /* NULL: a number */
	bool optional, many;
} rows[] = {
#define AT(f) offsetof(struct server, f)
	{"sockets", "the number of sockets", NULL, AT(sockets), 1, 2, NULL, false, false},
	{"cores", "the cores of a socket", NULL, AT(cores), 1, 128, NULL, false, false},
	{"slices", "the slices of a socket's last-level cache", NULL, AT(slices), 1, 128, NULL, false, false},
	{"channels", "the memory channels of a socket", NULL, AT(channels), 1, 16, NULL, false, false},
	{"ports", "the number of CXL devices", NULL, AT(ports), 1, 2, NULL, true, false},
	{"core_clock", "the clock of the cores", "MHz", AT(core_mhz), 100, 10000, NULL, false, false},
	{"uncore_clock", "the clock of the uncore", "MHz", AT(uncore_mhz), 100, 10000, NULL, false, false},
	{"memory_clock", "the clock of the memory controllers", "MHz", AT(memory_mhz), 100, 10000, NULL, false, false},
	{"cxl_clock", "the clock of the CXL device", "MHz", AT(cxl_mhz), 100, 10000, NULL, true, false},
	{"window", "the instructions of a core's window", NULL, AT(window), 1, 4096, NULL, false, false},
	{"fill_buffers", "the fill buffers of L1D", NULL, AT(fill_buffers), 1, 64, NULL, false, false},
	{"store_buffer", "the entries of the store buffer", NULL, AT(store_buffer), 1, 512, NULL, false, false},
	{"l2_queue", "the entries of L2's queue of misses", NULL, AT(l2_queue), 1, 64, NULL, false, false},
	{"l1", "L1D", NULL, AT(l1), 0, 0, read_cache, false, false},
	{"l2", "L2", NULL, AT(l2), 0, 0, read_cache, false, false},
	{"llc", "a slice of the last-level cache", NULL, AT(llc), 0, 0, read_cache, false, false},
	{"l1_tag", "the cycles until L1D knows that it lacks a line", "cycles", AT(l1_tag), 1, 100, NULL, false, false},
	{"l2_tag", "the cycles until L2 knows that it lacks a line", "cycles", AT(l2_tag), 1, 100, NULL, false, false},
	{"mesh", "the way between L2 and a slice", "ns", AT(mesh_ns), 0, 1000, NULL, false, false},
	{"lookup", "the time of a lookup in the last-level cache", "ns", AT(llc_ns), 0, 1000, NULL, false, false},
	{"controller", "the way from a slice to a controller", "ns", AT(ctl_ns), 0, 1000, NULL, false, false},
	{"snoop", "the time to get a line out of another core", "ns", AT(snoop_ns), 0, 1000, NULL, false, false},
	{"cxl_link", "the way from the M2PCIe to a CXL device", "ns", AT(link_ns), 0, 10000, NULL, true, false},
	{"ahead", "the lines that L2's prefetcher is ahead", NULL, AT(ahead), 1, 63, NULL, true, false},
	{"promote_every", "the length of an epoch of page promotion", "us", AT(promote_us), 1, 1000000, NULL, true,
		false},
	{"promote_pages", "the pages that move in an epoch", NULL, AT(promote_pages), 0, 1000000, NULL, true, false},
	{"memory", NULL, NULL, AT(memory), 0, 0, read_memory, false, true},
	{"curve", NULL, NULL, AT(memory), 0, 0, read_curve, true, true},
	{"has", NULL, NULL, AT(has), 0, 0, server_read_features, true, false},
#undef AT
};
#define N_ROWS (sizeof rows / sizeof *rows)

static bool
refuse(struct server_reader *reader, const struct place *at, const char *hint, const char *what)
{
	diag_add(reader->r.diags, DIAG_ERROR, at, hint, "%s", what);
	return false;
}

static bool
take_unit(struct server_reader *reader, const char *unit)
{
	char *quoted;

	if (item_take_word(&reader->r, unit))
		return true;
	quoted = str_format("'%s'", unit);
	item_fail(&reader->r, quoted, "after the number");
	free(quoted);
	return false;
}

/* 48 KiB, 12 ways[, 5 cycles] */
static bool
read_cache(struct server_reader *reader, void *field)
{
	struct server_cache *c = field;
	struct place at = lex_place(&reader->r.x);

	if (!item_count(&reader->r, "the size of the cache", 1, 1u << 20, &c->kib, NULL) || !take_unit(reader, "KiB") ||
		!item_punct(&reader->r, ',', "after the size") ||
		!item_count(&reader->r, "the ways of the cache", 1, 64, &c->ways, NULL) || !take_unit(reader, "ways"))
		return false;
	if (item_take_punct(&reader->r, ',') &&
		(!item_count(&reader->r, "the latency of the cache", 1, 1000, &c->cycles, NULL) ||
			!take_unit(reader, "cycles")))
		return false;
	return c->kib * 16 % c->ways == 0 ||
		refuse(reader, &at, "the size must be a multiple of 64 bytes × ways",
			"the lines do not fill the ways of the cache");
}

/* local, remote or cxl. NULL after a diagnostic. */
static struct server_memory *
read_memory_name(struct server_reader *reader, struct server_memory *memory)
{
	for (int i = 0; i < SERVER_MEMORIES; i++)
		if (item_take_word(&reader->r, server_memory_name((enum server_memory_kind)i)))
			return &memory[i];
	item_fail(&reader->r, "local, remote or cxl", "after the word");
	return NULL;
}

/* cxl 355.3 ns, 17.6 GB/s, 48 entries */
static bool
read_memory(struct server_reader *reader, void *field)
{
	struct item_reader *r = &reader->r;
	struct place at = lex_place(&r->x);
	struct server_memory *m = read_memory_name(reader, field);

	if (!m)
		return false;
	if (m->there)
		return refuse(reader, &at, "leave one of them out", "this memory is given twice");
	m->there = true;
	return item_decimal(r, "the idle latency", 1, 100000, &m->ns, NULL) && take_unit(reader, "ns") &&
		item_punct(r, ',', "after the latency") &&
		item_decimal(r, "the peak", 0.01, 10000, &m->gb_per_s, NULL) && take_unit(reader, "GB") &&
		item_punct(r, '/', "after GB") && take_unit(reader, "s") && item_punct(r, ',', "after the peak") &&
		item_count(r, "the entries of the queue", 1, 4096, &m->queue,
			"a queue needs at least one place for what it serves") &&
		take_unit(reader, "entries");
}

/* cxl 0 0 ns, 0.5 20 ns, … */
static bool
read_curve(struct server_reader *reader, void *field)
{
	struct item_reader *r = &reader->r;
	struct server_memory *m = read_memory_name(reader, field);
	struct server_curve *c;

	if (!m)
		return false;
	c = &m->curve;
	c->n = 0;
	do {
		struct place at = lex_place(&r->x);

		if (c->n == SERVER_POINTS_MAX)
			return refuse(reader, &at, NULL, "a curve has at most 16 points");
		if (!item_decimal(r, "the utilisation", 0, 1, &c->use[c->n], NULL) ||
			!item_decimal(r, "the extra latency", 0, 100000, &c->ns[c->n], NULL) ||
			!take_unit(reader, "ns"))
			return false;
		if (c->n && (c->use[c->n] <= c->use[c->n - 1] || c->ns[c->n] < c->ns[c->n - 1]))
			return refuse(reader, &at, "latency does not fall as the load rises",
				"the points of a curve must ascend");
		c->n++;
	} while (item_take_punct(r, ','));
	return true;
}

static bool
server_read_features(struct server_reader *reader, void *field)
{
	uint32_t *set = field;

	do {
		struct place at = lex_place(&reader->r.x);
		const char *name;
		int k = 0;

		if (!item_name(&reader->r, "a feature's name", &name, &at))
			return false;
		while (k < SERVER_N_FEATURES && !str_eq(name, feature_name[k]))
			k++;
		if (k == SERVER_N_FEATURES) {
			char *hint = near_hint(name, feature_name, SERVER_N_FEATURES);

			diag_add(reader->r.diags, DIAG_ERROR, &at, hint, "there is no feature '%.60s'", name);
			free(hint);
			return false;
		}
		*set |= 1u << k;
	} while (item_take_punct(&reader->r, ','));
	return true;
}

static bool
read_row(struct server_reader *reader, const struct row *row, bool seen)
{
	void *field = (char *)reader->server + row->field;

	if (!item_once(&reader->r, seen && !row->many))
		return false;
	if (row->read)
		return row->read(reader, field) && item_punct(&reader->r, ';', "at the end of the item");
	return item_count(&reader->r, row->what, row->least, row->most, field, NULL) &&
		(!row->unit || take_unit(reader, row->unit)) && item_punct(&reader->r, ';', "after the number");
}

double
server_way_ns(const struct server *s, enum server_memory_kind kind)
{
	double local = (s->l1_tag + s->l2_tag) * 1000.0 / s->core_mhz + 2.0 * s->mesh_ns + s->llc_ns + s->ctl_ns;

	switch (kind) {
	case SERVER_LOCAL:
		return local;
	case SERVER_REMOTE:
		return s->memory[SERVER_LOCAL].ns;
	case SERVER_CXL:
		return local + 2.0 * s->link_ns;
	case SERVER_MEMORIES:
		break;
	}
	return 0;
}

/* What only the whole file shows. */
static void
check_server(struct server_reader *reader, const bool *seen)
{
	struct server *s = reader->server;
	struct place at = {0};
	const struct server_memory *m = s->memory;

	for (size_t i = 0; i < N_ROWS; i++)
		if (!seen[i] && !rows[i].optional)
			diag_add(reader->r.diags, DIAG_ERROR, &at, NULL, "the server has no '%s'", rows[i].word);
	if (!diags_good(reader->r.diags, NULL))
		return;
	if (!m[SERVER_LOCAL].there)
		refuse(reader, &at, "for instance: memory local 103.2 ns, 131.1 GB/s, 64 entries;",
			"the server has no local memory");
	if (m[SERVER_REMOTE].there && s->sockets < 2)
		refuse(reader, &at, "write sockets 2, or leave 'memory remote' out",
			"a server with one socket has no remote memory");
	if (m[SERVER_CXL].there && (!s->ports || !s->cxl_mhz))
		refuse(reader, &at, "for instance: ports 1; cxl_clock 1000 MHz;",
			"CXL memory needs 'ports' and 'cxl_clock'");
	for (int k = 0; k < SERVER_MEMORIES; k++) {
		double way = server_way_ns(s, (enum server_memory_kind)k);
		char *what;

		if (!m[k].there || m[k].ns > way)
			continue;
		what = str_format("memory %s: %g ns is not more than the %.1f ns of the way there",
			server_memory_name((enum server_memory_kind)k), m[k].ns, way);
		refuse(reader, &at,
			k == SERVER_REMOTE ? "remote memory is further than local memory"
					   : "raise it, or lower mesh, lookup, controller or cxl_link",
			what);
		free(what);
	}
	if (s->fill_buffers + s->l2_queue > 128)
		refuse(reader, &at, NULL, "fill_buffers and l2_queue together exceed 128");
}

static bool
read_head(struct server_reader *reader)
{
	struct place at;

	return (item_take_word(&reader->r, "server") || item_fail(&reader->r, "'server'", "at the beginning")) &&
		item_name(&reader->r, "the server's name", &reader->server->name, &at) &&
		item_optional_text(&reader->r, &reader->server->text) &&
		item_punct(&reader->r, ';', "after the server's name");
}

struct server *
server_parse(const char *path, const char *text, size_t n, struct diags *diags)
{
	struct server *server = mem_new(sizeof *server);
	struct server_reader reader = {.server = server, .r.diags = diags};
	bool seen[N_ROWS] = {false};

	server->arena = reader.r.arena = arena_new();
	source_init(&reader.r.source, mem_str(path), mem_strn(text, n), n);
	lex_begin(&reader.r.x, &reader.r.source, diags);
	if (read_head(&reader))
		while (reader.r.x.now.kind != TOKEN_END) {
			size_t i = item_choose(&reader.r, rows, N_ROWS, sizeof *rows);

			if (i == N_ROWS)
				continue;
			if (!read_row(&reader, &rows[i], seen[i]))
				item_recover(&reader.r, 0);
			seen[i] = true;
		}
	if (diags_good(diags, NULL))
		check_server(&reader, seen);
	source_free(&reader.r.source);
	if (diags_good(diags, NULL))
		return server;
	server_free(server);
	return NULL;
}

void
server_free(struct server *s)
{
	if (!s)
		return;
	arena_free(s->arena);
	free(s);
}
