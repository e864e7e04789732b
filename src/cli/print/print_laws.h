/* Laws and what data say of them, as text and as JSON. */
#ifndef CLI_PRINT_PRINT_LAWS_H
#define CLI_PRINT_PRINT_LAWS_H

#include <stdbool.h>
#include <stddef.h>

struct laws;
struct json_writer;
struct laws_judgement;
struct laws_told;
struct obs;
struct options;
struct str;
struct writing;

/* In how many observations a law was in each state (enum law_state). */
struct law_tally {
	size_t n[3];
};

/* What is printed; zero but for the first three members. */
struct laws_print {
	const struct options *options;
	struct writing *out;
	bool short_text;          /* observations whose laws all hold are only counted */
	struct laws *const *laws; /* n_laws files */
	size_t n_laws;
	struct law_tally **tally; /* per file and law; relations of several laws count at their first law */
	size_t observations, n_broken, n_judged; /* all; those with a broken law, those with any law */
	const struct obs *obs;                   /* the observation that is printed */
	size_t holds, strained, broken, lines;   /* of it */
};

void print_laws_begin(struct laws_print *, struct laws *const *, size_t n);
void print_laws_observation(struct laws_print *, const struct obs *);
/* Prints what file `which` of the laws finds. */
void print_laws_judgement(struct laws_print *, size_t which, const struct laws_judgement *);
void print_laws_observation_end(struct laws_print *);
/* Prints how often each law was broken, if there are several observations. `unread`: files without counts. */
void print_laws_end(struct laws_print *, size_t unread);

/* The section of laws in hecate check: a line for each law that the data break or strain; nothing if there is none. */
void print_laws_told(const struct options *, const struct laws_told *, struct str *out);
/* The same as "laws"; null for NULL. */
void print_laws_told_json(const struct laws_told *, struct json_writer *);

#endif
