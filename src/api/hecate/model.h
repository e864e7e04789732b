/* Models: µpath decision diagrams (docs/udd-language.md). Link with `pkg-config --cflags --libs hecate`.
 *
 * In all headers of this library: a function that fails returns NULL or false and, if `message` is not NULL, sets
 * *message to what happened, where, and what to do; free it with hecate_free(). Indices begin at 0, and must be below
 * the number that the function named after the plural gives. Names and vectors stay the library's and live as long as
 * the object they were asked of. Without memory, the process ends by abort(3). The objects of one thread do not disturb
 * those of another; one object must not be used by two threads at a time. */
#ifndef HECATE_MODEL_H
#define HECATE_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct hecate_model;

/* Reads a model: a file, or the name of an installed one. Free it with hecate_model_free(), after all that was made of
 * it. */
struct hecate_model *hecate_model_load(const char *name, char **message);
void hecate_model_free(struct hecate_model *);

size_t hecate_model_counters(const struct hecate_model *);
const char *hecate_model_counter(const struct hecate_model *, size_t);
size_t hecate_model_features(const struct hecate_model *);
const char *hecate_model_feature(const struct hecate_model *, size_t);

/* Which features are on: those of the variant (NULL: `default`, if there is one), with `plus` and without `minus`,
 * which are names separated by commas (NULL: none). */
struct hecate_choice {
	const char *variant, *plus, *minus;
};

/* Frees what a function of this library gave as a text. */
void hecate_free(void *);

#ifdef __cplusplus
}
#endif
#endif
