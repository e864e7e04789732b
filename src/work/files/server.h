/* A simulated server in the place of a machine, by a text:
 *
 *     sim:SERVER[:FEATURE,…][:PROGRAM,…[+PROGRAM,…]][:HOW,…]
 *     sim:spr-cxl:promotion:zipf,cores=4,memory=tiers+chase,first=8:samples=20,sample=100us
 *
 *   SERVER     installed name or file (.server)
 *   FEATURE    features, as docs/simulated-server.md lists them, or none; without it: those that the server has
 *   PROGRAM    programs on its cores (sim/server/load.h); without it: gups. random: a mix that the seed draws
 *   HOW        samples=N (default 20), endless, seed=N, sample=TIME (simulated; default 100us), warm-up=TIME,
 *              owners (a column for each core, slice, channel and socket that takes part) */
#ifndef WORK_FILES_SERVER_H
#define WORK_FILES_SERVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct obs_table;
struct server;
struct server_run_spec;
struct str;

struct server_simulation {
	struct server *server;
	char *name, *programs;
	uint64_t seed;
	int64_t sample_ns, warm_up_ns;
	size_t samples; /* 0: endless */
	bool said_samples, owners;
};

/* "sim:…" of a server. */
bool server_simulation_is(const char *text);
/* False and *e on a mistake. Call server_simulation_free() in either case. */
bool server_simulation_parse(const char *text, struct server_simulation *, struct err *e);
void server_simulation_free(struct server_simulation *);
/* Are these features that the installed server of this name or file can have? False and *e: no. */
bool server_simulation_has_features(const char *name, const char *features, struct err *e);
/* The text for watching: without an end, unless it gives one. */
char *server_simulation_watched(const char *text, struct err *e);
struct server_run_spec server_simulation_spec(const struct server_simulation *);

/* The columns, NAME@OWNER, of a simulation that asks for owners; NULL: it is no server, it does not ask for them, or it
 * has a mistake. The caller frees them with str_split_free(). */
char **server_simulation_owners(const char *text);

/* Simulates the data that the text stands for; columns are the server's counters, and the truth. NULL and *e. */
struct obs_table *server_simulation_read(const char *text, struct err *e);

/* Appends the installed servers, and what their programs and features are, as help. */
void server_simulation_list(struct str *out);

#endif
