/* Declarations that the files of the .net parser share. Private to core/network. */
#ifndef CORE_NETWORK_PARSER_H
#define CORE_NETWORK_PARSER_H

#include "core/network/network.h"
#include "text/diag.h"
#include "text/item.h"

struct net_parser {
	struct item_reader r;
	struct counter_reader values;
	struct network *net;
	bool named;    /* the network item was read */
	bool finished; /* the first module was read: no kinds may follow */
	size_t cap_kinds, cap_stages, cap_modules, cap_links, cap_totals, cap_laws;
	/* `ingress` items may name modules that come later in the file; they are resolved at the end. */
	struct net_ingress {
		const char *module, *kind, *text;
		struct place module_at, kind_at;
	} *ingress;
	size_t n_ingress, cap_ingress;
	struct net_arrow {
		const char *from, *to;
		struct place from_at, to_at;
	} *arrow; /* per link */
	size_t cap_arrows;
	/* `pairs` of links, whose counters may come later in the file */
	struct net_pairs_item {
		size_t link, kind;
		const char *counter;
		struct place at;
	} * pairs;
	size_t n_pairs, cap_pairs;
};

/* Return the index of the kind or module with this name; the number of all of them if there is none. */
size_t net_find_kind(const struct network *, const char *name);
size_t net_find_module(const struct network *, const char *name);

bool net_parse_stage(struct net_parser *);

/* Report an error at a place of the file; hint may be NULL. */
void net_complain(struct net_parser *, uint32_t at, uint32_t len, const char *hint, const char *fmt, ...)
	__attribute__((format(printf, 5, 6)));

/* check_links.c: parts of net_check(), each of which reports the errors that it finds. */
void net_check_kinds(struct net_parser *);
void net_check_links(struct net_parser *);
void net_check_pairs(struct net_parser *); /* after net_check_links() */
void net_check_reach(struct net_parser *);

/* Check what was parsed: names, units, order. Errors go to the diagnostics. */
void net_check(struct net_parser *);

#endif
