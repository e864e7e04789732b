libtest_a_SOURCES += tests/lib/signature_file.c tests/lib/signature_file.h
libtest_a_SOURCES += tests/lib/exact.c tests/lib/exact.h
libtest_a_SOURCES += tests/lib/synthetic.c tests/lib/synthetic.h
check_PROGRAMS += tests/unit/base
check_PROGRAMS += tests/unit/cone
check_PROGRAMS += tests/unit/match
check_PROGRAMS += tests/unit/obs
EXTRA_DIST += tests/cones/haswell-m0.txt
