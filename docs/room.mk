# Installed as they lie here, so that links between them lead somewhere.
dist_doc_DATA = README.md NEWS
docsdir = $(docdir)/docs
dist_docs_DATA = \
	docs/README.md docs/architecture.md docs/collectors.md docs/command-line.md docs/correlated-regions.md docs/data.md docs/fdl-language.md docs/glossary.md docs/haswell-case-study.md \
	docs/haswell-mmu.md docs/haswell-study.md docs/json.md docs/kernel-files.md docs/linux-vm.md \
	docs/models.md docs/network-language.md docs/numerics.md docs/profile-spec.md docs/rotation.md \
	docs/screens.md docs/session-file.md docs/simulated-machine.md docs/stack-language.md docs/stall-sources.md docs/tutorial.md docs/udd-language.md docs/active-counters.svg docs/correlations.svg \
	docs/haswell-case-study.svg docs/scaling.svg
viewsdir = $(docsdir)/views
dist_views_DATA = \
	docs/views/README.md docs/views/start.md docs/views/models.md docs/views/search.md \
	docs/views/constraints.md docs/views/observations.md docs/views/geometry.md docs/views/paths.md \
	docs/views/stalls.md docs/views/queues.md
picturesdir = $(docsdir)/pictures
dist_pictures_DATA = docs/pictures/models.svg
check_SCRIPTS += tests/docs.sh tests/docs_pages.sh
EXTRA_DIST += tools/doc-examples tools/house-figures tools/random-pages
