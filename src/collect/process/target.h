/* Names for a target, and a copy of it. */
#ifndef COLLECT_PROCESS_TARGET_H
#define COLLECT_PROCESS_TARGET_H

struct source_target;
struct str;

/* Returns a copy in one piece of memory, including its ids. The caller frees it with free(). */
struct source_target *target_copy(const struct source_target *);

/* Writes the name of the target's observation: "java-4711", "java-4711+2", "thread-4712", "machine", "cpu0,2-3". */
void target_name(const struct source_target *, struct str *out);

/* Writes the option that asks for the target: "-p 4711", "-t 4712", "-a", "-C 0,2-3". */
void target_option(const struct source_target *, struct str *out);

#endif
