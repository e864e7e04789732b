libhecate_a_SOURCES += \
	src/app/judge/analysis.c src/app/judge/analysis.h \
	src/app/judge/combine.c src/app/judge/combine.h \
	src/app/judge/cones.c src/app/judge/cones.h \
	src/app/judge/constraints.c src/app/judge/constraints.h \
	src/app/judge/counterpoint.c src/app/judge/counterpoint.h \
	src/app/judge/describe.c src/app/judge/describe.h \
	src/app/judge/describe_noise.c \
	src/app/judge/drafts.c src/app/judge/drafts.h \
	src/app/judge/explain.c src/app/judge/explain.h \
	src/app/judge/flow_ranges.c src/app/judge/flow_ranges.h \
	src/app/judge/gathered.c src/app/judge/gathered.h \
	src/app/judge/geometry.c src/app/judge/geometry.h \
	src/app/judge/geometry_answer.c \
	src/app/judge/judge.c \
	src/app/judge/loss.c src/app/judge/loss.h \
	src/app/judge/miscount.c src/app/judge/miscount.h \
	src/app/judge/observations.c src/app/judge/observations.h \
	src/app/judge/past.c src/app/judge/past.h \
	src/app/judge/prepare.c \
	src/app/judge/quality.c \
	src/app/judge/relax.c src/app/judge/relax.h \
	src/app/judge/relax_judge.c src/app/judge/relax_judge.h \
	src/app/judge/result.c src/app/judge/result.h \
	src/app/judge/search_cones.c src/app/judge/search_cones.h \
	src/app/judge/suspects.c src/app/judge/suspects.h \
	src/app/judge/touch.c src/app/judge/touch.h \
	src/app/judge/witness.c src/app/judge/witness.h \
	src/app/judge/words.c src/app/judge/words.h \
	src/app/judge/zeros.c src/app/judge/zeros.h
