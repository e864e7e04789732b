/* X.json next to X.fdlm4 or X.fdl: what the authors of a model say about it outside of its flow. Private to
 * convert/fdl.
 *
 * There are two forms. CounterPoint's authors write {"name": …, "features": [ … ]}. A fork of theirs, whose models
 * describe gem5, binds each counter to a statistic of the simulator. Each form has exactly its keys, each once. Any
 * other key is an error, as it is for the authors' readers. */
#ifndef CONVERT_FDL_SIDECAR_H
#define CONVERT_FDL_SIDECAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct diags;
struct source;

struct fdl_binding {
	const char *counter, *stat;
	uint32_t at, len; /* of the counter's key */
};

struct fdl_sidecar {
	const char *name;             /* "m4"; in the other form, the model_id */
	const char **feature;         /* tags; none in the other form */
	size_t n_features;
	bool binds;                   /* it has the form that binds counters */
	struct fdl_binding *binding;
	size_t n_bindings;
};

/* Reads a sidecar. `model` is the model's file without folders; the second form must name it. Everything lives in the
 * arena. False after errors. */
bool fdl_sidecar_read(const struct source *, const char *model, struct arena *, struct diags *, struct fdl_sidecar *);

#endif
