# Benchmarks print figures and ratios within one run; no test asserts a time. `make bench` runs them all, on an idle machine.
EXTRA_PROGRAMS = bench/core bench/models
CLEANFILES = bench/core$(EXEEXT) bench/models$(EXEEXT)
BENCH_ENVIRONMENT = HECATE_TESTS=$(abs_top_srcdir)/tests HECATE_MODELS=$(abs_top_srcdir) HECATE=$(abs_top_builddir)/hecate$(EXEEXT)
# The figure of docs/numerics.md, docs/scaling.svg, is the scaling.svg that this leaves in the build folder.
EXTRA_PROGRAMS += bench/scaling
CLEANFILES += bench/scaling$(EXEEXT) scaling.svg
libtest_a_SOURCES += bench/plot.c bench/plot.h
.PHONY: bench-scaling
bench: bench-scaling
bench-scaling: bench/scaling$(EXEEXT)
	$(BENCH_ENVIRONMENT) bench/scaling$(EXEEXT) scaling.svg
.PHONY: bench bench-core bench-models
bench: bench-models bench-core
bench-core: bench/core$(EXEEXT)
	$(BENCH_ENVIRONMENT) bench/core$(EXEEXT)
bench-models: bench/models$(EXEEXT) hecate$(EXEEXT)
	$(BENCH_ENVIRONMENT) bench/models$(EXEEXT)
