# A view, a pane, a run and a setting as patches: what CONTRIBUTING.md says suffices to add one.
check_SCRIPTS += tests/extension/apply.sh
EXTRA_PROGRAMS += tests/extension/show
tests_extension_show_SOURCES = tests/extension/show.c tests/screens/stage.c tests/screens/stage.h
EXTRA_DIST += tests/extension/pane.patch tests/extension/run.patch tests/extension/setting.patch tests/extension/view.patch
