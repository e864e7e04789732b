libtest_a_SOURCES += tests/lib/signature_file.c tests/lib/signature_file.h
check_PROGRAMS += tests/unit/base
check_PROGRAMS += tests/unit/cone
EXTRA_DIST += tests/cones/haswell-m0.txt
check_PROGRAMS += tests/unit/dag
