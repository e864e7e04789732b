/* hecate stack --by instruction. */
#ifndef CLI_STACK_INSTRUCTIONS_H
#define CLI_STACK_INSTRUCTIONS_H

struct options;

/* Prints the time-proportional stack of each instruction of a program or a trace. Exit status. */
int stack_instructions(const struct options *);

#endif
