/* Where an event could be counted, as text and as JSON (docs/json.md). */
#ifndef CLI_REPORT_REPORT_LOCATE_H
#define CLI_REPORT_REPORT_LOCATE_H

struct fset;
struct location;
struct options;
struct json_writer;
struct str;
struct udd_model;

void report_locate_json(const struct options *, const struct udd_model *, const struct fset *on,
	const struct location *, struct json_writer *);
void report_locate_text(const struct options *, const struct udd_model *, const struct fset *on,
	const struct location *, struct str *out);

#endif
