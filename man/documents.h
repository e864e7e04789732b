/* The documents that `--json` writes, as far as no table of src/ writes them: what their keys are and mean. The schemas
 * and docs/json.md are made of these rows; tests/cli/schema.sh holds what the program writes against them. */
#ifndef MAN_DOCUMENTS_H
#define MAN_DOCUMENTS_H

#include "shape/shape.h"

/* Types of values. _OR_NULL: the value may be missing. */
#define TEXT "string"
#define TEXT_OR_NULL "string|null"
#define TEXTS "array(string)"
#define INTEGER "integer"
#define INTEGER_OR_NULL "integer|null"
#define INTEGERS "array(integer)"
#define LARGE "integer|string"
#define NUMBER "number"
#define NUMBER_OR_NULL "number|null"
#define NUMBERS "array(number)"
#define BOOLEAN "boolean"
#define COEFFICIENTS "object(integer)"
#define OBJECT "object"
#define OBJECT_OR_NULL "object|null"
#define OBJECTS "array(object)"

/* A row for one or more keys; _OF: an object, or objects, with these rows; _IF: the key may be missing. */
#define KEY(keys, types, text) {.type = SHAPE_HAND, .key = (keys), .json = (types), .help = (text)}
#define KEY_IF(keys, types, text) {.type = SHAPE_HAND, .key = (keys), .json = (types), .help = (text), .optional = true}
#define KEY_OF(keys, types, shape, text) \
	{.type = SHAPE_HAND, .key = (keys), .json = (types), .of = &(shape), .help = (text)}
#define KEY_OF_IF(keys, types, shape, text) \
	{.type = SHAPE_HAND, .key = (keys), .json = (types), .of = &(shape), .help = (text), .optional = true}
/* A text that is one of these. */
#define KEY_ONE_OF(keys, types, text, ...) \
	{.type = SHAPE_HAND, .key = (keys), .json = (types), .help = (text), \
		.word = (const char *const[]){__VA_ARGS__}, \
		.n_words = sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *)}
#define ROWS_OF(shape) {.type = SHAPE_ROWS, .of = &(shape)}
#define DESCRIBED(rows) {.row = (rows), .n = sizeof(rows) / sizeof *(rows)}

/* What several documents have. */
extern const struct shape shared_head;     /* of a document about a model */
extern const struct shape shared_counted;  /* how data were counted here */
extern const struct shape shared_warning;
extern const struct shape shared_metrics; /* values of metrics in an observation */
extern const struct shape shared_interval; /* "low", "high" around "value" */

extern const struct shape document_constraints, document_paths, document_check, document_search, document_compare,
	document_order, document_locate;
extern const struct shape document_stack, document_net;
extern const struct shape document_export, document_import, document_doctor, document_trust, document_determinism,
	document_overflow;
extern const struct shape document_instructions, document_reveal, document_sim, document_intervals, document_probe,
	document_probes, document_rob_compression, document_slices, document_calibration, document_phases,
	document_metrics, document_events, document_laws, document_fit, document_diff;
extern const struct shape document_grade;

#endif
