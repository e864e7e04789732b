/* A tree of nodes that are judged one by one, as text: which are worth a look, and what to do about them. */
#ifndef CLI_PRINT_PRINT_TREE_H
#define CLI_PRINT_PRINT_TREE_H

struct options;
struct stack_bar;
struct str;

/* Prints the first two levels, and below them the nodes whose parent is worth a look; all of them and their formulas
 * with --verbose. Then the advice for the deepest nodes worth a look, and the notes. */
void print_tree_text(const struct options *, const struct stack_bar *, struct str *out);

#endif
