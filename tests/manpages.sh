#!/bin/sh
# The manual pages: groff warns of nothing, and hecate(1) names everything that the program accepts.
. "$HECATE_TESTS/lib/tap.sh" || exit 1
build=$(dirname "$HECATE")
for page in "$build/man/hecate.1" "$TOP_SRCDIR/man/hecate-machines.5" "$TOP_SRCDIR/man/hecate-models.5" "$TOP_SRCDIR/man/hecate-networks.5" "$TOP_SRCDIR/man/hecate-specs.5" "$TOP_SRCDIR/man/hecate-stacks.5" "$TOP_SRCDIR/man/hecate-trust.5"; do
	name=$(basename "$page")
	is "$name: no @NAME@ is left" "$(grep -c '@[A-Z_]*@' "$page")" 0
	is "$name: plain ASCII" "$(LC_ALL=C grep -c '[^ -~	]' "$page")" 0
	if command -v groff >/dev/null; then
		is "$name: groff warns of nothing" "$(groff -man -Tutf8 -ww -z "$page" 2>&1)" ""
		for length in 2 5 9 40; do # for a folder of any length
			prefix=$(printf '/a-folder%.0s' $(seq "$length"))
			sed "s|[^ ]*\(/models/\*\.udd\)|$prefix\1|; s|[^ ]*\(/themes/\*\.theme\)|$prefix\1|; s|[^ ]*\(/stacks/\*\.stack\)|$prefix\1|" "$page" >"$tmp/moved"
			is "$name: groff warns of nothing below a prefix of ${#prefix}" "$(groff -man -Tutf8 -ww -z "$tmp/moved" 2>&1)" ""
		done
		groff -man -Tutf8 -P-c -P-b -P-u -rLL=90n "$page" >"$tmp/$name.txt"
	else
		skip "$name: groff warns of nothing" "groff is not installed"
	fi
done
if [ ! -s "$tmp/hecate.1.txt" ]; then
	skip "hecate(1) names every option and command" "groff is not installed"
	done_testing
	exit
fi
page=$(sed 's/‐/-/g' "$tmp/hecate.1.txt")
options=0
for command in "" print paths constraints check sweep search compare locate stack record import export report net metrics phases laws fit sim trace determinism diff probe calibrate slices grade events doctor; do
	[ -z "$command" ] || has "hecate(1) has hecate $command" "$page" "^ +hecate +$command( |$)"
	# shellcheck disable=SC2086
	for option in $("$HECATE" $command --help | grep -oE '^  (-., )?--[a-z-]+' | grep -oE -- '--[a-z-]+'); do
		options=$((options + 1))
		printf '%s\n' "$page" | grep -qE -- "^ +(-., )?$option( |\$)" || not_ok "hecate(1) has $option"
	done
done
has "options were found" "$options" '^[1-9][0-9]+$'
is "--help has the commands of this test" "$("$HECATE" --help | grep -oE '^  hecate [a-z]+' | cut -c10- | tr '\n' ' ')" "print paths constraints check sweep search compare locate stack record import export report net metrics phases laws fit sim trace determinism diff probe calibrate slices grade events doctor "
is "keys are there" "$(printf '%s\n' "$page" | grep -cE '^ +(Space|R, F5|\?, F1|q, F10)( |$)')" 10
done_testing
