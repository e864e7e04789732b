libhecate_a_SOURCES += \
	src/work/analysis/analysis.c src/work/analysis/analysis.h \
	src/work/analysis/combine.c \
	src/work/analysis/cones.c src/work/analysis/cones.h \
	src/work/analysis/constraints.c src/work/analysis/constraints.h \
	src/work/analysis/describe.c src/work/analysis/describe.h \
	src/work/analysis/describe_noise.c src/work/analysis/describe_shares.c src/work/analysis/describe_zeros.c \
	src/work/analysis/drafts.c src/work/analysis/drafts.h \
	src/work/analysis/explain.c src/work/analysis/explain.h \
	src/work/analysis/untested.c src/work/analysis/untested.h \
	src/work/analysis/uop_ranges.c src/work/analysis/uop_ranges.h \
	src/work/analysis/gathered.c src/work/analysis/gathered.h \
	src/work/analysis/geometry.c src/work/analysis/geometry.h \
	src/work/analysis/geometry_answer.c \
	src/work/analysis/judge.c \
	src/work/analysis/leaks.c src/work/analysis/leaks.h \
	src/work/analysis/loss.c src/work/analysis/loss.h \
	src/work/analysis/miscount.c src/work/analysis/miscount.h \
	src/work/analysis/observations.c src/work/analysis/observations.h \
	src/work/analysis/past.c src/work/analysis/past.h \
	src/work/analysis/prepare.c \
	src/work/analysis/quality.c \
	src/work/analysis/relax.c src/work/analysis/relax.h \
	src/work/analysis/relax_judge.c src/work/analysis/relax_judge.h \
	src/work/analysis/result.c src/work/analysis/result.h \
	src/work/analysis/sentence.c src/work/analysis/sentence.h \
	src/work/analysis/search_cones.c src/work/analysis/search_cones.h \
	src/work/analysis/suspects.c src/work/analysis/suspects.h \
	src/work/analysis/suspects_leak.c \
	src/work/analysis/suspicion.h \
	src/work/analysis/touch.c src/work/analysis/touch.h \
	src/work/analysis/tolerances.c \
	src/work/analysis/unrelated.c src/work/analysis/unrelated.h src/work/analysis/trusted.c src/work/analysis/trusted.h \
	src/work/analysis/witness.c src/work/analysis/witness.h \
	src/work/analysis/words.c src/work/analysis/words.h \
	src/work/analysis/zeros.c src/work/analysis/zeros.h
