/* The result of a search, as text for people and as JSON for scripts (docs/json.md). */
#ifndef CLI_PRINT_PRINT_SEARCH_H
#define CLI_PRINT_PRINT_SEARCH_H

struct counting;
struct options;
struct search;
struct search_end;
struct search_watch;
struct json_writer;
struct str;
struct udd_model;
struct worth;

/* `watch` is NULL unless the search ran while samples came in. */
void print_search_json(const struct options *, const struct udd_model *, const struct search *,
	const struct search_end *, const struct counting *, const struct search_watch *watch, struct json_writer *);
void print_search_text(const struct options *, const struct udd_model *, const struct search *,
	const struct search_end *, const struct search_watch *watch, struct str *out);

/* Print the value of each counter (--lose), as a part of the document and of the text. */
void print_worth_json(struct json_writer *, const struct udd_model *, const struct worth *);
void print_worth_text(const struct udd_model *, const struct worth *, struct str *out);

#endif
