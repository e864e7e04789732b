dist_doc_DATA = README.md NEWS docs/udd-language.md docs/network-language.md docs/stack-language.md docs/command-line.md docs/data.md docs/session-file.md docs/json.md docs/numerics.md docs/haswell-mmu.md docs/scaling.svg docs/collectors.md docs/kernel-files.md docs/linux-vm.md docs/stall-sources.md docs/screens.md docs/profile-spec.md docs/simulated-machine.md
check_SCRIPTS += tests/docs.sh
