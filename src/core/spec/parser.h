/* The parser's own vocabulary, shared by its files. Private to core/spec. */
#ifndef CORE_SPEC_PARSER_H
#define CORE_SPEC_PARSER_H

#include "core/lang/diag.h"
#include "core/lang/item.h"
#include "core/spec/spec.h"

struct spec_parser {
	struct item_reader r;
	struct profile_spec *spec;
	bool named, mode_given, granularity_given, duration_given, processor_given, memory_given;
	size_t cap_programs, cap_stacks;
};

/* A constant of a unit of time, in seconds, from `least` to `most`. */
bool spec_parse_seconds(struct spec_parser *, const char *what, double least, double most, double *out);
/* "0-3, 8"; not none. */
bool spec_parse_numbers(struct spec_parser *, const char *what, struct spec_numbers *out);
/* A whole number from `least` to `most`. */
bool spec_parse_number(struct spec_parser *, const char *what, unsigned least, unsigned most, unsigned *out);
/* A number that needs no names. */
bool spec_parse_constant(struct spec_parser *, struct aexpr **e, double *out);

/* A program; the word is taken. */
bool spec_parse_program(struct spec_parser *);

#endif
