/* What an observation is called that the data do not name. */
#ifndef COLLECT_IMPORT_NAMING_H
#define COLLECT_IMPORT_NAMING_H

/* After its file, without folders and ending: "runs/a.b.csv" is "a.b", standard input is "stdin". The caller frees. */
char *naming_after_file(const char *file);

#endif
