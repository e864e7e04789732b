/* The parser's own vocabulary, shared by its files. Private to core/network. */
#ifndef CORE_NETWORK_PARSER_H
#define CORE_NETWORK_PARSER_H

#include "core/lang/diag.h"
#include "core/lang/lex.h"
#include "core/network/network.h"

struct net_parser {
	struct lexer x;
	struct source source;
	struct network *net;
	struct diags *diags;
	bool named;    /* the network item was there */
	bool finished; /* all kinds are known: the first module fixes their number */
	size_t cap_kinds, cap_counters, cap_constants, cap_stages, cap_modules, cap_links, cap_totals, cap_laws;
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

/* All return false after a diagnostic. */
bool net_fail(struct net_parser *, const char *expected, const char *behind);
bool net_punct(struct net_parser *, char, const char *behind);
bool net_take_punct(struct net_parser *, char); /* if it is next */
bool net_take_word(struct net_parser *, const char *word);
bool net_name(struct net_parser *, const char *what, const char **out, struct place *at); /* bare or quoted */
bool net_text(struct net_parser *, const char *what, const char **out);
bool net_optional_text(struct net_parser *, const char **out); /* "" when there is none */
bool net_expression(struct net_parser *, struct aexpr **out);

void net_recover(struct net_parser *, int depth); /* to behind the ';' or '}' that ends what was begun, or before a '}' of `depth` 0 */

/* Numbers by name; the number of all when it is not there. */
size_t net_find_kind(const struct network *, const char *name);
size_t net_find_module(const struct network *, const char *name);

bool net_parse_stage(struct net_parser *);

/* Everything is read: names, units, order. Errors go to the diagnostics. */
void net_check(struct net_parser *);

#endif
