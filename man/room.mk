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

from_tables = man/hecate.1 completions/bash/hecate completions/zsh/_hecate completions/fish/hecate.fish
templates = man/hecate.1.in completions/hecate.bash.in completions/_hecate.in completions/hecate.fish.in
EXTRA_DIST += $(templates)
CLEANFILES += $(from_tables)

fill = $(AM_V_GEN)$(MKDIR_P) $(@D) && man/tables$(EXEEXT)
man/hecate.1: man/hecate.1.in man/tables$(EXEEXT)
	$(fill) $(srcdir)/man/hecate.1.in >$@.part && mv -f $@.part $@
completions/bash/hecate: completions/hecate.bash.in man/tables$(EXEEXT)
	$(fill) $(srcdir)/completions/hecate.bash.in >$@.part && mv -f $@.part $@
completions/zsh/_hecate: completions/_hecate.in man/tables$(EXEEXT)
	$(fill) $(srcdir)/completions/_hecate.in >$@.part && mv -f $@.part $@
completions/fish/hecate.fish: completions/hecate.fish.in man/tables$(EXEEXT)
	$(fill) $(srcdir)/completions/hecate.fish.in >$@.part && mv -f $@.part $@

# The JSON Schema of `check --json`, from the tables that write it.
noinst_PROGRAMS += man/schemas
man_schemas_SOURCES = man/schemas.c
man_schemas_LDADD = $(archives)
schemadir = $(pkgdatadir)/schemas
schema_DATA = schemas/check.json
CLEANFILES += schemas/check.json
schemas/check.json: man/schemas$(EXEEXT)
	$(AM_V_GEN)$(MKDIR_P) $(@D) && man/schemas$(EXEEXT) >$@.part && mv -f $@.part $@

check_SCRIPTS += tests/manpages.sh tests/completions.sh
