#include "collect/perf/names.h"

int event_by_pmu_terms(const char *name, const struct perf_world *w, struct event_code *c, struct source_status *why) { (void)name; (void)w; (void)c; (void)why; return 0; }
int event_by_sysfs_alias(const char *name, const struct perf_world *w, struct event_code *c, struct source_status *why) { (void)name; (void)w; (void)c; (void)why; return 0; }
int event_by_libpfm(const char *name, struct event_code *c, struct source_status *why) { (void)name;  (void)c; (void)why; return 0; }
