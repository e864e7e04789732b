check_PROGRAMS += tests/screens/screens
EXTRA_DIST += tests/screens
