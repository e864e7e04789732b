/* A simulated core and its workloads that do what can be foretold: what stands above their seams can be tested without
 * them. A program that links this has no other.
 *
 * Workloads: "fake[:end=N,fail=N,wrong=N,fetch=N,touch=N]": loads and stores in turn, on random pages, the same for a
 * seed. It ends, or cannot be read, behind so many µops; each so many are followed by one of a wrong path, or by a
 * fetch of an instruction; touch: so many pages are touched the first time. "other" is a second name for it.
 *
 * The core takes a cycle for each µop and those in front of it. A µop whose page is not that of the µop before walks:
 * it counts that it causes a walk at once, and that the walk is done, with two references, FAKE_SIM_WALK µops later, or
 * when the core drains. */
#ifndef TESTS_FAKE_SIM_H
#define TESTS_FAKE_SIM_H

#define FAKE_SIM_WALK 8

#endif
