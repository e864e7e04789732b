/* What of this machine is watched, in words. */
#ifndef COLLECT_PROCESS_TARGET_H
#define COLLECT_PROCESS_TARGET_H

struct source_target;
struct str;

/* "java-4711", "java-4711+2", "thread-4712", "machine", "cpu0,2-3": names an observation. */
void target_name(const struct source_target *, struct str *out);

/* "-p 4711", "-t 4712", "-a", "-C 0,2-3": how it was asked for. */
void target_option(const struct source_target *, struct str *out);

#endif
