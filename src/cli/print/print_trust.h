/* What is known about events: books of trust as text, and as JSON (docs/json.md, "hecate.trust/1"). */
#ifndef CLI_PRINT_PRINT_TRUST_H
#define CLI_PRINT_PRINT_TRUST_H

#include <stdbool.h>
#include <stddef.h>

struct json_writer;
struct options;
struct str;
struct trust_book;
struct trust_cpuid;
struct trust_page;

/* Appends all pages, and a legend of the letters that occur. */
void print_trust_book(const struct trust_book *, size_t width, bool ascii, struct str *out);

/* Writes what is known about a processor to --output or standard output, as text or JSON: hecate determinism --facts.
 * `which` as in trust_facts_of() (work/trust/facts.h). Returns the exit status, after messages. */
int print_trust_facts(const struct options *, const char *which);

/* hecate check FILE.trust: prints how much the file holds, or what is wrong and where; with --json the document
 * hecate.trust/1. Returns the exit status. */
int print_trust_check(const struct options *, const char *path);

/* Prints the part of hecate doctor: a line for each event of this machine that is deterministic, correctable or lying;
 * the number of other events, and their errata; how to measure. Without facts about the processor (page NULL) or
 * without a PMU, prints a line that says so and what to do, and the events that were measured here all the same. */
void print_trust_doctor(
	const struct trust_cpuid *, const struct trust_page *, bool has_pmu, bool ascii, struct str *out);
void print_trust_doctor_json(const struct trust_cpuid *, const struct trust_page *, bool has_pmu, struct json_writer *);

#endif
