/* hecate export --follow: figures go to a file, a pipe or a server while the session file grows. */
#ifndef CLI_EXPORT_FOLLOW_H
#define CLI_EXPORT_FOLLOW_H

struct options;

int export_follow(const struct options *);

#endif
