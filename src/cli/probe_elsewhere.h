/* hecate probe for machines elsewhere: programs for them (--export), and the curves that came back (--on import:FILE).
 */
#ifndef CLI_PROBE_ELSEWHERE_H
#define CLI_PROBE_ELSEWHERE_H

struct options;

/* Writes the named probes, or all, into the folder of --export. Returns the exit status. */
int probe_elsewhere_export(const struct options *);
/* Prints a curve of a file. The probe of which it is, from the command line or from the file itself, says what it
 * means. Returns the exit status. */
int probe_elsewhere_import(const struct options *, const char *path);

#endif
