/* Identifies the processor that a text in the form of /proc/cpuinfo describes, in the terms of struct trust_cpu. */
#ifndef CORE_TRUST_CPUINFO_H
#define CORE_TRUST_CPUINFO_H

#include <stdbool.h>
#include <stddef.h>

struct str;

struct trust_cpuid {
	char vendor[48]; /* "GenuineIntel"; "ARM" or "0x51" (implementer); "" when the text has none */
	char name[48];   /* "power6", "niagara", for architectures without families; otherwise "" */
	int family;      /* CPUID; Arm: the architecture, 7. -1: none */
	int model;       /* CPUID; Arm: the part, 0xc09. -1: none */
};

/* Copies the value of the first line with this key ("model name"). Returns false and sets *out to "" without one. */
bool trust_cpuid_value(const char *cpuinfo, const char *key, char *out, size_t size);
/* Reads the first processor. Returns false if the text names none. */
bool trust_cpuid_read(const char *cpuinfo, struct trust_cpuid *out);
/* Appends a name for files: "genuineintel-6-94", "arm-7-3081", "power6"; "unknown" if nothing is known. */
void trust_cpuid_file(const struct trust_cpuid *, struct str *out);
/* Appends a name for people: "GenuineIntel family 6 model 94", "power6". */
void trust_cpuid_text(const struct trust_cpuid *, struct str *out);
/* Reads what trust_cpuid_text() appended. Returns false if it is no such text. */
bool trust_cpuid_parse(const char *text, struct trust_cpuid *out);

#endif
