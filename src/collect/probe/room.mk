libhecate_a_SOURCES += \
	src/collect/probe/instrument.c src/collect/probe/instrument.h \
	src/collect/probe/instrument_lines.c src/collect/probe/instrument_lines.h \
	src/collect/probe/instrument_step.c \
	src/collect/probe/instrument_tool.c \
	src/collect/probe/code_place.c src/collect/probe/code_place.h \
	src/collect/probe/overflow_task.c src/collect/probe/overflow_task.h \
	src/collect/probe/traced.c src/collect/probe/traced.h \
	src/collect/probe/x86_code.c src/collect/probe/x86_code.h \
	src/collect/probe/expected.c src/collect/probe/expected.h \
	src/collect/probe/probe.h src/collect/probe/probe_perf.c \
	src/collect/probe/workload.c src/collect/probe/workload.h
# The counts of each part, and the program: both of one description.
WORKLOAD_PARTS = $(srcdir)/src/collect/probe/parts-$(WORKLOAD_ARCH).parts
WORKLOAD_AWK = $(srcdir)/src/collect/probe/parts.awk
nodist_libhecate_a_SOURCES = src/collect/probe/parts_table.c
EXTRA_DIST += src/collect/probe/parts.awk src/collect/probe/parts-x86_64.parts src/collect/probe/parts-aarch64.parts \
	src/collect/probe/parts-riscv64.parts src/collect/probe/parts-none.parts
CLEANFILES += src/collect/probe/parts_table.c src/collect/probe/workload.s

src/collect/probe/parts_table.c: $(WORKLOAD_AWK) $(WORKLOAD_PARTS)
	$(AM_V_at)$(MKDIR_P) src/collect/probe
	$(AM_V_GEN)$(AWK) -v make=table -v installed=$(pkglibexecdir)/hecate-workload -f $(WORKLOAD_AWK) $(WORKLOAD_PARTS) >$@.new && mv $@.new $@
src/collect/probe/workload.s: $(WORKLOAD_AWK) $(WORKLOAD_PARTS)
	$(AM_V_at)$(MKDIR_P) src/collect/probe
	$(AM_V_GEN)$(AWK) -v make=program -f $(WORKLOAD_AWK) $(WORKLOAD_PARTS) >$@.new && mv $@.new $@

if WORKLOAD
# Neither CFLAGS nor LDFLAGS: nothing that they add may change what the program counts.
pkglibexec_SCRIPTS = hecate-workload
CLEANFILES += hecate-workload
hecate-workload: src/collect/probe/workload.s
	$(AM_V_CCLD)$(CC) -nostdlib -nostartfiles -static -o $@ src/collect/probe/workload.s
endif
