#!/bin/sh
# case-study-figure.sh FILE.svg: the search over the choices of haswell-mmu with the suite of the case study, drawn by
# hecate report as a graph of cones, after CounterPoint's Figure 10. Totals are exact, so that no refutation is by
# chance. DATA=FILE.hct uses data that exist.
# shellcheck source=bench/case-study-common.sh
. "$(dirname "$0")/case-study-common.sh"
: "${SEED:=1}" "${DATA:=$tmp/suite.hct}"
out=${1:?usage: case-study-figure.sh FILE.svg}
# shellcheck disable=SC2086
[ -s "$DATA" ] || "$HECATE" sim -q --machine "$MACHINE" -m haswell-study --suite "$SUITE" --seed "$SEED" --exact --samples 1 --accesses 3000000 $OPTIONS -o "$DATA" || exit 1
mkdir "$tmp/report" && "$HECATE" report -q haswell-mmu "$DATA" --exact --tolerance 0 --variant m0 -o "$tmp/report" || exit 1
cp "$tmp"/report/*-search.svg "$out"
