/* The parser's own vocabulary, shared by its files. Private to core/network. */
#ifndef CORE_NETWORK_PARSER_H
#define CORE_NETWORK_PARSER_H

#include "core/lang/diag.h"
#include "core/lang/item.h"
#include "core/network/network.h"

struct net_parser {
	struct item_reader r;
	struct counter_reader values;
	struct network *net;
	bool named;    /* the network item was there */
	bool finished; /* all kinds are known: the first module fixes their number */
	size_t cap_kinds, cap_stages, cap_modules, cap_links, cap_totals, cap_laws;
	/* `ingress` items name modules that may stand further down: they are looked at in the end. */
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
};

/* Numbers by name; the number of all when it is not there. */
size_t net_find_kind(const struct network *, const char *name);
size_t net_find_module(const struct network *, const char *name);

bool net_parse_stage(struct net_parser *);

/* An error with place and, where not NULL, a hint. */
void net_complain(struct net_parser *, uint32_t at, uint32_t len, const char *hint, const char *fmt, ...)
	__attribute__((format(printf, 5, 6)));

/* check_links.c: parts of net_check(), each with an error for what it finds. */
void net_check_kinds(struct net_parser *);
void net_check_links(struct net_parser *);
void net_check_reach(struct net_parser *);

/* Everything is read: names, units, order. Errors go to the diagnostics. */
void net_check(struct net_parser *);

#endif
