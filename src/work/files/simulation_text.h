/* A simulated machine in the place of a real one. A text on the command line says what to simulate and how to measure
 * it:
 *
 *     sim:MACHINE[:PLANT,…][:WORKLOAD][:HOW,…]
 *     sim:haswell:merging,early_psc:linear,footprint=1G,stride=64:samples=100,seed=7
 *
 *   MACHINE    installed name or file
 *   PLANT      features, as sim_plants_parse() reads them; without it: those that the machine has
 *   WORKLOAD   name, then parameters after a comma or colon; without it: the first workload
 *   HOW        samples=N (default SIM_SAMPLES), endless (to be watched), seed=N, accesses=N (per sample), warm-up=N
 *              (accesses), rotation=random or kernel, slice=NS (of the rotation), exact (as many counters as needed)
 *
 * Given as DATA, it is simulated to its end. As a command after --, and in the explorer, it runs while it is watched.
 */
#ifndef WORK_FILES_SIMULATION_TEXT_H
#define WORK_FILES_SIMULATION_TEXT_H

#include <stdbool.h>

#include "core/obs/source_data.h"

struct err;

bool simulation_is(const char *arg); /* "sim:…" */

/* Returns the text for watching: without an end, unless the user gave one. NULL and *e on failure. */
char *simulation_watched(const char *text, struct err *e);
/* Reads "random" or "kernel". False for other words. */
bool simulation_rotation(const char *word, enum rotation_how *);

#endif
