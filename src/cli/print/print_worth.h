/* The value of each counter, as a part of the report of a search. */
#ifndef CLI_PRINT_PRINT_WORTH_H
#define CLI_PRINT_PRINT_WORTH_H

struct json_writer;
struct str;
struct udd_model;
struct worth;

void print_worth_json(struct json_writer *, const struct udd_model *, const struct worth *);
void print_worth_text(const struct udd_model *, const struct worth *, struct str *out);

#endif
