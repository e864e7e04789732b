# shellcheck shell=sh disable=SC2034
# The beginning of the case study's scripts: a temporary folder, the machine and the models. Each reads it: . "$(dirname
# "$0")/case-study-common.sh"
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT TERM
: "${HECATE:=hecate}" "${SUITE:=mmu}" "${MACHINE:=haswell}" "${MODEL:=haswell-study}"
here=$(dirname "$0")
planted=tlb_pf,early_psc,merging,pml4e,bypass # CounterPoint's table 4
