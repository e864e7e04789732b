#!/bin/sh
# bench/secrets.sh with a few workloads: all sets of two features, found by a search over the model's own choices, and
# with rivals.
. "$HECATE_TESTS/lib/tap.sh"
export HECATE HECATE_MODELS
unset MACHINE MODEL RIVALS LEAVE KEEP
size="--accesses 8000 --warm-up 50000"
[ -n "$HECATE_SLOW" ] && size="--accesses 20000 --warm-up 100000"
secrets=$(SUITE=$HECATE_TESTS/lib/few.suite SEEDS=1 FEATURES="tlb_pf merging" OPTIONS=$size "$TOP_SRCDIR/bench/secrets.sh" 2>"$tmp/secrets")
is "secret machines: no false feature, no true model refuted" "$(printf '%s\n' "$secrets" | grep -cE '4 machines: .* 0 with a false feature|0 false features, .*; 0 machines whose own')" 4
has "  one machine is found exactly" "$(cat "$tmp/secrets")" 'tlb_pf,merging	tlb_pf,merging	none'
done_testing
