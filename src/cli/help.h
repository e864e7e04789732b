/* The help text of the chosen subcommand, or of the whole program. */
#ifndef CLI_HELP_H
#define CLI_HELP_H

struct options;
struct str;

void help_text(const struct options *, struct str *out);

#endif
