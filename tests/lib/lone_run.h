/* Drives one run that no other run joins, as struct runs does. */
#ifndef TESTS_LIB_LONE_RUN_H
#define TESTS_LIB_LONE_RUN_H

#include <stdbool.h>

struct err;
struct run;

bool lone_run_start(struct run *, struct err *e);
bool lone_run_poll(struct run *, struct err *e);  /* true once, when it has ended */
void lone_run_wait(const struct run *, double most); /* seconds at most */

#endif
