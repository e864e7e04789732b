/* The objects of the library, and what its parts share. */
#ifndef API_STATE_H
#define API_STATE_H

#include <stdbool.h>

#include "core/udd/fset.h"
#include "hecate/model.h"
#include "work/files/files.h"

struct diags;
struct err;
struct obs_table;


struct hecate_model {
	struct bundle files;
	struct udd_model *udd;
};

struct hecate_data {
	struct obs_table *table;
};

/* Set *message, if it is wanted, from a failure or from diagnostics. Both return false. */
bool api_fail(char **message, const struct err *);
bool api_fail_at(char **message, const struct diags *);

bool api_choose(const struct hecate_model *, const struct hecate_choice *, struct fset *on, char **message);

#endif
