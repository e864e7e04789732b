libhecate_a_SOURCES += \
	src/app/analysis/analysis.c src/app/analysis/analysis.h \
	src/app/analysis/combine.c \
	src/app/analysis/cones.c src/app/analysis/cones.h \
	src/app/analysis/constraints.c src/app/analysis/constraints.h \
	src/app/analysis/describe.c src/app/analysis/describe.h \
	src/app/analysis/describe_noise.c src/app/analysis/describe_shares.c src/app/analysis/describe_zeros.c \
	src/app/analysis/drafts.c src/app/analysis/drafts.h \
	src/app/analysis/explain.c src/app/analysis/explain.h \
	src/app/analysis/untested.c src/app/analysis/untested.h \
	src/app/analysis/uop_ranges.c src/app/analysis/uop_ranges.h \
	src/app/analysis/gathered.c src/app/analysis/gathered.h \
	src/app/analysis/geometry.c src/app/analysis/geometry.h \
	src/app/analysis/geometry_answer.c \
	src/app/analysis/judge.c \
	src/app/analysis/leaks.c src/app/analysis/leaks.h \
	src/app/analysis/loss.c src/app/analysis/loss.h \
	src/app/analysis/miscount.c src/app/analysis/miscount.h \
	src/app/analysis/observations.c src/app/analysis/observations.h \
	src/app/analysis/past.c src/app/analysis/past.h \
	src/app/analysis/prepare.c \
	src/app/analysis/quality.c \
	src/app/analysis/relax.c src/app/analysis/relax.h \
	src/app/analysis/relax_judge.c src/app/analysis/relax_judge.h \
	src/app/analysis/result.c src/app/analysis/result.h \
	src/app/analysis/search_cones.c src/app/analysis/search_cones.h \
	src/app/analysis/suspects.c src/app/analysis/suspects.h \
	src/app/analysis/suspects_leak.c \
	src/app/analysis/suspicion.h \
	src/app/analysis/touch.c src/app/analysis/touch.h \
	src/app/analysis/tolerances.c \
	src/app/analysis/unrelated.c src/app/analysis/unrelated.h src/app/analysis/trusted.c src/app/analysis/trusted.h \
	src/app/analysis/witness.c src/app/analysis/witness.h \
	src/app/analysis/words.c src/app/analysis/words.h \
	src/app/analysis/zeros.c src/app/analysis/zeros.h
