/* Models, networks and stacks that must be right: if one is not, a check fails and prints the messages. */
#ifndef TESTS_LIB_PARSED_H
#define TESTS_LIB_PARSED_H

struct network;
struct stack;
struct udd_model;

/* From texts. In messages the model is called "m.udd". The caller frees; NULL: a check has failed. */
struct udd_model *parsed_model(const char *text);
struct network *parsed_network(const char *name, const char *text);
struct stack *parsed_stack(const char *name, const char *text);

/* The µDD of this name among the installed models. The caller frees; NULL: a check has failed. */
struct udd_model *installed_model(const char *name);

#endif
