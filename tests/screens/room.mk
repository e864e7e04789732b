check_PROGRAMS += tests/screens/screens
EXTRA_DIST += tests/screens

# After a change that is meant to be seen: draw the screens anew, then look at them (git diff) before they are committed.
update-screens: tests/screens/screens
	HECATE_UPDATE=1 HECATE_TESTS=$(abs_top_srcdir)/tests HECATE_MODELS=$(abs_top_srcdir) tests/screens/screens
.PHONY: update-screens
