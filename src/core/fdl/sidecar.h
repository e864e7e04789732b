/* X.json beside X.fdlm4 or X.fdl: what the authors of a model say of it beside its flow. Private to core/fdl.
 *
 * Two forms are known. CounterPoint's authors write {"name": …, "features": [ … ]}; a fork of theirs, whose models
 * are of gem5, binds each counter to a statistic of the simulator. Either has exactly its keys, each once: any
 * other is an error, as it is for their readers. */
#ifndef CORE_FDL_SIDECAR_H
#define CORE_FDL_SIDECAR_H

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
	const char *name;             /* "m4"; the model_id of the other form */
	const char **feature;         /* tags; none in the other form */
	size_t n_features;
	bool binds;                   /* it is of the form that binds counters */
	struct fdl_binding *binding;
	size_t n_bindings;
};

/* Read it; `model` is the model's file, without folders, which the second form must name. Everything lives in the
 * arena. False after errors. */
bool fdl_sidecar_read(const struct source *, const char *model, struct arena *, struct diags *, struct fdl_sidecar *);

#endif
