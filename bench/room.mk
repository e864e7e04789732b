EXTRA_PROGRAMS = bench/core
.PHONY: bench-core
bench-core: bench/core$(EXEEXT)
	HECATE_TESTS=$(abs_top_srcdir)/tests bench/core$(EXEEXT)
CLEANFILES = bench/core$(EXEEXT)
