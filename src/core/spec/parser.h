/* Declarations that the files of the .spec parser share. Private to core/spec. */
#ifndef CORE_SPEC_PARSER_H
#define CORE_SPEC_PARSER_H

#include "core/spec/spec.h"
#include "text/diag.h"
#include "text/item.h"

struct spec_parser {
	struct item_reader r;
	struct profile_spec *spec;
	bool named, mode_given, granularity_given, duration_given, processor_given, memory_given;
	size_t cap_programs, cap_stacks;
};

/* Parse a constant time, in seconds, from `least` to `most`. */
bool spec_parse_seconds(struct spec_parser *, const char *what, double least, double most, double *out);
/* Parse "0-3, 8"; at least one number. */
bool spec_parse_numbers(struct spec_parser *, const char *what, struct spec_numbers *out);

/* Parse a program, after its first word. */
bool spec_parse_program(struct spec_parser *);

#endif
