libhecate_a_SOURCES += \
	src/collect/workload/instrument.c src/collect/workload/instrument.h \
	src/collect/workload/instrument_lines.c src/collect/workload/instrument_lines.h \
	src/collect/workload/instrument_step.c \
	src/collect/workload/instrument_tool.c \
	src/collect/workload/code_place.c src/collect/workload/code_place.h \
	src/collect/workload/overflow_task.c src/collect/workload/overflow_task.h \
	src/collect/workload/traced.c src/collect/workload/traced.h \
	src/collect/workload/x86_code.c src/collect/workload/x86_code.h \
	src/collect/workload/expected.c src/collect/workload/expected.h \
	src/collect/workload/probe.h src/collect/workload/probe_perf.c \
	src/collect/workload/workload.c src/collect/workload/workload.h
# The counts of each part, and the program: both of one description.
WORKLOAD_PARTS = $(srcdir)/src/collect/workload/parts-$(WORKLOAD_ARCH).parts
WORKLOAD_AWK = $(srcdir)/src/collect/workload/parts.awk
nodist_libhecate_a_SOURCES = src/collect/workload/parts_table.c
EXTRA_DIST += src/collect/workload/parts.awk src/collect/workload/parts-x86_64.parts src/collect/workload/parts-aarch64.parts \
	src/collect/workload/parts-riscv64.parts src/collect/workload/parts-none.parts
CLEANFILES += src/collect/workload/parts_table.c src/collect/workload/workload.s

src/collect/workload/parts_table.c: $(WORKLOAD_AWK) $(WORKLOAD_PARTS)
	$(AM_V_at)$(MKDIR_P) src/collect/workload
	$(AM_V_GEN)$(AWK) -v make=table -v installed=$(pkglibexecdir)/hecate-workload -f $(WORKLOAD_AWK) $(WORKLOAD_PARTS) >$@.new && mv $@.new $@
src/collect/workload/workload.s: $(WORKLOAD_AWK) $(WORKLOAD_PARTS)
	$(AM_V_at)$(MKDIR_P) src/collect/workload
	$(AM_V_GEN)$(AWK) -v make=program -f $(WORKLOAD_AWK) $(WORKLOAD_PARTS) >$@.new && mv $@.new $@

if WORKLOAD
# Neither CFLAGS nor LDFLAGS: nothing that they add may change what the program counts.
pkglibexec_SCRIPTS = hecate-workload
CLEANFILES += hecate-workload
hecate-workload: src/collect/workload/workload.s
	$(AM_V_CCLD)$(CC) -nostdlib -nostartfiles -static -o $@ src/collect/workload/workload.s
endif
