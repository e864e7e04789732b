# Benchmarks print figures and ratios within one run; no test asserts a time. `make bench` runs them all, on an idle machine.
EXTRA_PROGRAMS = bench/core bench/models bench/scaling
CLEANFILES = bench/core$(EXEEXT) bench/models$(EXEEXT) bench/scaling$(EXEEXT) scaling.svg
BENCH_ENVIRONMENT = HECATE_TESTS=$(abs_top_srcdir)/tests HECATE_MODELS=$(abs_top_srcdir) HECATE=$(abs_top_builddir)/hecate$(EXEEXT)
.PHONY: bench bench-core bench-models bench-scaling
bench: bench-models bench-core bench-scaling
bench-core: bench/core$(EXEEXT)
	$(BENCH_ENVIRONMENT) bench/core$(EXEEXT)
bench-models: bench/models$(EXEEXT) hecate$(EXEEXT)
	$(BENCH_ENVIRONMENT) bench/models$(EXEEXT)
# The figure of docs/numerics.md: `make bench-scaling`, then copy scaling.svg to docs/.
libtest_a_SOURCES += bench/plot.c bench/plot.h
bench-scaling: bench/scaling$(EXEEXT)
	$(BENCH_ENVIRONMENT) bench/scaling$(EXEEXT) scaling.svg
