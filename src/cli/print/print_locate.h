/* The places where an event could be counted, as text and as JSON (docs/json.md). */
#ifndef CLI_PRINT_PRINT_LOCATE_H
#define CLI_PRINT_PRINT_LOCATE_H

struct fset;
struct locate_result;
struct options;
struct json_writer;
struct str;
struct udd_model;

void print_locate_json(const struct options *, const struct udd_model *, const struct fset *on,
	const struct locate_result *, struct json_writer *);
void print_locate_text(const struct options *, const struct udd_model *, const struct fset *on,
	const struct locate_result *, struct str *out);

#endif
