# man/tables fills the templates of the manual page and of the completions from the program's tables. Generated files stand in
# the build tree only: the tables are the source.
noinst_PROGRAMS += man/tables
man_tables_SOURCES = man/tables.c
man_tables_LDADD = $(archives)

man_MANS = man/hecate.1
dist_man_MANS = man/hecate-machines.5 man/hecate-models.5 man/hecate-networks.5 man/hecate-specs.5 man/hecate-stacks.5 man/hecate-trust.5
bashcompletiondir = $(datadir)/bash-completion/completions
bashcompletion_DATA = completions/bash/hecate
zshcompletiondir = $(datadir)/zsh/site-functions
zshcompletion_DATA = completions/zsh/_hecate
fishcompletiondir = $(datadir)/fish/vendor_completions.d
fishcompletion_DATA = completions/fish/hecate.fish

from_tables = man/hecate.1 man/config completions/bash/hecate completions/zsh/_hecate completions/fish/hecate.fish
templates = man/hecate.1.in man/config.in completions/hecate.bash.in completions/_hecate.in completions/hecate.fish.in
EXTRA_DIST += $(templates) tools/json-page
CLEANFILES += $(from_tables)

fill = $(AM_V_GEN)$(MKDIR_P) $(@D) && man/tables$(EXEEXT)
pkgdata_DATA = man/config
man/config: man/config.in man/tables$(EXEEXT)
	$(fill) $(srcdir)/man/config.in >$@.part && mv -f $@.part $@
man/hecate.1: man/hecate.1.in man/tables$(EXEEXT)
	$(fill) $(srcdir)/man/hecate.1.in >$@.part && mv -f $@.part $@
completions/bash/hecate: completions/hecate.bash.in man/tables$(EXEEXT)
	$(fill) $(srcdir)/completions/hecate.bash.in >$@.part && mv -f $@.part $@
completions/zsh/_hecate: completions/_hecate.in man/tables$(EXEEXT)
	$(fill) $(srcdir)/completions/_hecate.in >$@.part && mv -f $@.part $@
completions/fish/hecate.fish: completions/hecate.fish.in man/tables$(EXEEXT)
	$(fill) $(srcdir)/completions/hecate.fish.in >$@.part && mv -f $@.part $@

# JSON Schemas of all documents that --json writes, from the tables that write them and those in man/documents_*.c.
noinst_PROGRAMS += man/schemas
man_schemas_SOURCES = man/schemas.c man/documents.h man/documents_models.c man/documents_stacks.c man/documents_events.c \
	man/documents_machines.c
man_schemas_LDADD = $(archives)
schemadir = $(pkgdatadir)/schemas
schema_DATA = schemas/constraints.json schemas/paths.json schemas/check.json schemas/sweep.json schemas/search.json schemas/compare.json \
	schemas/order.json schemas/locate.json schemas/stack.json schemas/instructions.json schemas/export.json \
	schemas/import.json schemas/net.json schemas/reveal.json schemas/sim.json schemas/intervals.json \
	schemas/determinism.json schemas/overflow.json schemas/probe.json schemas/probes.json schemas/slices.json schemas/phases.json schemas/metrics.json \
	schemas/diff.json schemas/laws.json schemas/fit.json \
	schemas/calibration.json schemas/doctor.json schemas/events.json schemas/grade.json schemas/rob_compression.json schemas/trust.json
CLEANFILES += $(schema_DATA)
$(schema_DATA): man/schemas$(EXEEXT)
	$(AM_V_GEN)$(MKDIR_P) $(@D) && man/schemas$(EXEEXT) `basename $@ .json` >$@.part && mv -f $@.part $@

# docs/json.md tells what the schemas say, between marks; the text around them is written by hand.
json-page: $(schema_DATA)
	$(top_srcdir)/tools/json-page schemas $(top_srcdir)/docs/json.md >schemas/json.md.part
	mv -f schemas/json.md.part $(top_srcdir)/docs/json.md
.PHONY: json-page

check_SCRIPTS += tests/manpages.sh tests/completions.sh
