/* One FDL file as it was read. Its statements are those of the µDD language's tree (core/udd/ast.h): `do` is an event,
 * `incr` a count, `next` a jump, a label a target; `pass` makes no statement. Private to convert/fdl. */
#ifndef CONVERT_FDL_FDL_FLOW_H
#define CONVERT_FDL_FDL_FLOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/udd/ast.h"

struct arena;
struct diags;
struct names;
struct udd_diagram;

/* total : part, part; */
struct fdl_group {
	struct udd_word total;
	struct udd_word *part;
	size_t n;
};

struct fdl_flow {
	const struct udd_ast *ast;
	uint32_t file;              /* number of the text in the model */
	bool has_actions, has_flow;
	struct udd_word *action;    /* ACTIONS */
	size_t n_actions;
	struct fdl_group *group;    /* COUNTER_GROUPS */
	size_t n_groups;
	struct udd_stmt *body;      /* FLOW: statements, with targets between them */
	struct udd_word where;      /* the word FLOW */
};

/* Parses file number `file` of the tree; `text` is the file after m4. False after errors; then only what was read so
 * far is valid. Everything lives in the arena. */
bool fdl_parse_flow(const struct udd_ast *, struct arena *, struct names *words, uint32_t file, const char *text,
	struct diags *, struct fdl_flow *);

/* The place of a diagnostic about a stretch of a flow's text. */
struct place fdl_place(const struct fdl_flow *, uint32_t at, uint32_t len);

/* Puts the flow into an order in which all jumps lead down the text. Text between two labels is moved where necessary,
 * and a jump is added where the text fell through before. False and diagnostics when a jump has no target or jumps form
 * a circle. Warns about text that no µpath reaches. */
bool fdl_order(struct fdl_flow *, struct arena *, struct diags *);

/* Warns about likely mistakes: actions and groups that do not fit the flow, a flow that ends without done. */
void fdl_lint(const struct fdl_flow *, struct diags *);

/* Warns about cases that no µpath takes, and about properties that some µpaths decide where others have decided them
 * already. The diagram is that of one flow. */
void fdl_lint_decisions(const struct udd_diagram *, struct diags *);

#endif
