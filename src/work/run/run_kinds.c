/* The table of all kinds of run. It is apart from run.c, which the kinds use. */
#include "work/run/run.h"

#define RUN_KIND(ops) extern const struct run_ops ops;
#include "work/run/run_kinds.def"
#undef RUN_KIND

const struct run_ops *const run_kinds[] = {
#define RUN_KIND(ops) &ops,
#include "work/run/run_kinds.def"
#undef RUN_KIND
};
const size_t run_n_kinds = sizeof run_kinds / sizeof *run_kinds;
