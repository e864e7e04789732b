/* Models, networks and stacks that must be right: if one is not, a check fails and prints the messages. */
#ifndef TESTS_LIB_PARSED_H
#define TESTS_LIB_PARSED_H

struct network;
struct stack;
struct udd_model;

/* Parse texts. Messages call the model "m.udd". The caller frees the result; NULL: a check has failed. */
struct udd_model *parsed_model(const char *text);
struct network *parsed_network(const char *name, const char *text);
struct stack *parsed_stack(const char *name, const char *text);

/* Returns the installed model of this name. The caller frees it; NULL: a check has failed. */
struct udd_model *installed_model(const char *name);

#endif
