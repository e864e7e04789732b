dist_doc_DATA = README.md NEWS docs/udd-language.md docs/command-line.md docs/json.md docs/numerics.md docs/haswell-mmu.md docs/collectors.md docs/screens.md
check_SCRIPTS += tests/docs.sh
