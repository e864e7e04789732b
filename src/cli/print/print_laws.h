/* Laws and what data say of them, as text and as JSON. */
#ifndef CLI_PRINT_PRINT_LAWS_H
#define CLI_PRINT_PRINT_LAWS_H

#include <stdbool.h>
#include <stddef.h>

struct columns_match;
struct laws;
struct laws_judgement;
struct obs;
struct options;
struct writing;

/* What is printed; zero but for the first two members. */
struct laws_print {
	const struct options *options;
	struct writing *out;
	const struct obs *obs;                 /* the observation that is printed */
	size_t holds, strained, broken, lines; /* of it */
};

void print_laws_begin(struct laws_print *, struct laws *const *, size_t n);
void print_laws_observation(struct laws_print *, const struct obs *);
void print_laws_judgement(struct laws_print *, const struct laws *, const struct columns_match *,
	const struct laws_judgement *);
void print_laws_observation_end(struct laws_print *);
void print_laws_end(struct laws_print *);

#endif
