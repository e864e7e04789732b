#include "core/trust/cpuinfo.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/str.h"

bool
trust_cpuid_value(const char *text, const char *key, char *out, size_t size)
{
	size_t n = strlen(key);

	*out = 0;
	for (const char *line = text; line && *line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
		const char *p = line + n;

		if (strncmp(line, key, n) != 0)
			continue;
		p += strspn(p, " \t");
		if (*p != ':')
			continue;
		p++;
		p += strspn(p, " \t");
		snprintf(out, size, "%.*s", (int)strcspn(p, "\n"), p);
		return *out != 0;
	}
	return false;
}

static int
cpuinfo_number_of(const char *text, const char *key)
{
	char value[32], *end;
	long v;

	if (!trust_cpuid_value(text, key, value, sizeof value))
		return -1;
	v = strtol(value, &end, 0);
	return end > value && v >= 0 && v <= 0xffff ? (int)v : -1;
}

static void
lower(char *s)
{
	for (; *s; s++)
		*s = (char)tolower((unsigned char)*s);
}

/* "0x41" is Arm itself; other implementers stay numbers. */
static void
read_arm(const char *text, struct trust_cpuid *out)
{
	int implementer = cpuinfo_number_of(text, "CPU implementer");

	if (implementer == 0x41)
		snprintf(out->vendor, sizeof out->vendor, "ARM");
	else
		snprintf(out->vendor, sizeof out->vendor, "0x%02x", (unsigned)implementer);
	out->family = cpuinfo_number_of(text, "CPU architecture");
	out->model = cpuinfo_number_of(text, "CPU part");
}

/* "POWER6 (architected)" is power6; "UltraSparc T1 (Niagara)" is niagara. */
static void
cpuinfo_read_name(char *value, struct trust_cpuid *out)
{
	char *within = strncasecmp(value, "UltraSparc", 10) == 0 ? strchr(value, '(') : NULL;

	if (within)
		value = within + 1;
	value[strcspn(value, " ,()")] = 0;
	snprintf(out->name, sizeof out->name, "%s", value);
	lower(out->name);
}

bool
trust_cpuid_read(const char *text, struct trust_cpuid *out)
{
	char value[sizeof out->name];

	*out = (struct trust_cpuid){.family = -1, .model = -1};
	if (trust_cpuid_value(text, "vendor_id", out->vendor, sizeof out->vendor) &&
		cpuinfo_number_of(text, "cpu family") >= 0) {
		out->family = cpuinfo_number_of(text, "cpu family");
		out->model = cpuinfo_number_of(text, "model");
	} else if (cpuinfo_number_of(text, "CPU implementer") >= 0) {
		read_arm(text, out);
	} else if (trust_cpuid_value(text, "arch", value, sizeof value) && strcasecmp(value, "IA-64") == 0) {
		trust_cpuid_value(text, "family", out->name, sizeof out->name);
		for (char *c = out->name; *c; c++)
			*c = *c == ' ' || *c == '-' ? '_' : (char)tolower((unsigned char)*c);
	} else if (trust_cpuid_value(text, "cpu", value, sizeof value)) {
		cpuinfo_read_name(value, out);
	} else if (trust_cpuid_value(text, "uarch", out->name, sizeof out->name)) {
		lower(out->name);
	}
	return *out->name || (*out->vendor && out->family >= 0);
}

void
trust_cpuid_file(const struct trust_cpuid *id, struct str *out)
{
	size_t from = out->n;

	if (id->family >= 0)
		str_addf(out, "%s-%d-%d", *id->vendor ? id->vendor : "any", id->family, id->model);
	else
		str_add(out, *id->name ? id->name : "unknown");
	for (size_t i = from; i < out->n; i++)
		out->s[i] = isalnum((unsigned char)out->s[i]) ? (char)tolower((unsigned char)out->s[i]) : '-';
}

void
trust_cpuid_text(const struct trust_cpuid *id, struct str *out)
{
	if (id->family >= 0 && id->model >= 0)
		str_addf(out, "%s family %d model %d", id->vendor, id->family, id->model);
	else if (id->family >= 0)
		str_addf(out, "%s family %d", id->vendor, id->family);
	else
		str_add(out, *id->name ? id->name : "an unknown processor");
}

bool
trust_cpuid_parse(const char *text, struct trust_cpuid *out)
{
	const char *family = strstr(text, " family ");
	int used = -1;

	*out = (struct trust_cpuid){.family = -1, .model = -1};
	if (!family) {
		snprintf(out->name, sizeof out->name, "%s", text);
		return *text && !strchr(text, ' ') && strlen(text) < sizeof out->name;
	}
	if ((size_t)(family - text) >= sizeof out->vendor)
		return false;
	snprintf(out->vendor, sizeof out->vendor, "%.*s", (int)(family - text), text);
	if (sscanf(family, " family %d%n", &out->family, &used) == 1 && !family[used])
		return out->family >= 0;
	used = -1;
	return sscanf(family, " family %d model %d%n", &out->family, &out->model, &used) == 2 && used > 0 &&
		!family[used] && out->family >= 0 && out->model >= 0;
}
