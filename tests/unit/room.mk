check_PROGRAMS += tests/unit/base
check_PROGRAMS += tests/unit/udd_conformance
EXTRA_DIST += tests/models
check_PROGRAMS += tests/unit/udd_corpus
check_PROGRAMS += tests/unit/udd_fuzz
check_PROGRAMS += tests/unit/lang tests/unit/udd_model tests/unit/signatures
