/* Installed probes on cores whose parameters tests choose. */
#ifndef TESTS_LIB_PROBE_BED_H
#define TESTS_LIB_PROBE_BED_H

#include <stddef.h>

#include "core/probe/probe.h"
#include "sim/machine.h"
#include "text/diag.h"

/* models/machines/core.machine with changes, NULL after a failed check. Free with sim_machine_free(). */
struct sim_machine *bed_core(const char *changes);
/* An installed probe; NULL after a failed check. Free with probe_free(). */
struct probe *bed_probe(const char *name);
struct probe *bed_parse(const char *text, struct diags *);
/* The answer of a probe on a core. */
struct probe_answer bed_answer_on(const struct probe *, const struct sim_machine *, sim_plants plants);
/* The answer of an installed probe on core.machine with changes, NULL for none. */
struct probe_answer bed_answer(const char *name, const char *changes, sim_plants plants);

#endif
