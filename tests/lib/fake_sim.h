/* A simulated core and workloads that are predictable, to test the code above them. A program that links this has no
 * other core and workloads.
 *
 * Workloads: "fake[:end=N,fail=N,wrong=N,fetch=N,touch=N]": loads and stores in turn, on random pages, the same for
 * the same seed. It ends after `end` µops, and cannot be read after `fail`. After each `wrong` µops comes one of a
 * wrong path, after each `fetch` an instruction fetch. `touch` pages are touched for the first time. "other" is a
 * second name for it.
 *
 * The core takes one cycle for each µop, and one for each other instruction in front of it. A µop on another page
 * than the one before walks. It counts causes_walk at once. FAKE_SIM_WALK µops later, or when the core drains, it
 * counts walk_done and two references. */
#ifndef TESTS_FAKE_SIM_H
#define TESTS_FAKE_SIM_H

#define FAKE_SIM_WALK 8

#endif
