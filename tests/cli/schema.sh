#!/bin/sh
# JSON Schemas: what `hecate check --json` writes is valid, what is damaged is not, and docs/json.md is made of them. What
# other tests let `status` print is validated there (tests/lib/tap.sh).
. "$HECATE_TESTS/lib/tap.sh"
schemas=$(dirname "$HECATE")/schemas
page=$TOP_SRCDIR/docs/json.md
data=$HECATE_MODELS/models/demo/page-faults.csv

# printed: how docs/json.md differs from what the schemas in a folder say
printed() { py "$TOP_SRCDIR/tools/json-page" "$1" "$page" | diff "$page" - | grep '^[<>]' | head -n 20; }
is "docs/json.md says what the schemas say (make json-page)" "$(printed "$schemas")" ""
is "  of all of them" "$(sed -n 's/^<!-- make \(.*\) -->$/\1.json/p' "$page" | sort)" "$(ls "$schemas" | grep 'json$' | sort)"
cp -r "$schemas" "$tmp/schemas"
sed -i 's/Hurst exponent/an exponent/' "$tmp/schemas/check.json"
has "other words would be found" "$(printed "$tmp/schemas")" '^>.*`memory` \(number\): an exponent'

if [ "$(valid)" = "$NO_VALIDATOR" ]; then
	skip "documents are valid" "$NO_VALIDATOR"
	done_testing
	exit
fi
n_valid=0
# checked ARGUMENT…: the document of hecate check with these is valid
checked() {
	n_valid=$((n_valid + 1))
	"$HECATE" check --json "$@" >"$tmp/$n_valid.json" 2>"$tmp/err"
	is "valid: check$(printf ' %s' "$@" | sed "s#$HECATE_MODELS/##g; s#$tmp/##g; s/-p [0-9]*/-p PID/")" "$(valid "$tmp/$n_valid.json")" ""
}
checked linux-page-faults --exact "$data"
checked linux-page-faults "$data" --flow
checked linux-page-faults --exact "$data" --features D --explain --flow
checked linux-page-faults --exact "$data" --propose --one-by-one
checked linux-page-faults -- true
checked linux-page-faults -p $$ -I 1 --samples 2
"$HECATE" sim -q --machine small --samples 60 --accesses 2000 -m haswell-mmu --plant merging -o "$tmp/noisy.hct"
checked haswell-mmu "$tmp/noisy.hct"
checked haswell-mmu "$tmp/noisy.hct" --variant m0 --flow --counterpoint
checked haswell-mmu "$tmp/noisy.hct" --region box --trust-zeros
has "they have both kinds of verdicts" "$(cat "$tmp"/[0-9].json | grep '"verdict"' | sort -u | tr -d '\n')" 'infeasible.*"feasible|"feasible.*infeasible'

# What a document must not be.
damaged() { # NAME WHERE SCRIPT
	sed "$3" "$tmp/3.json" >"$tmp/damaged.json"
	has "invalid: $1" "$(valid "$tmp/damaged.json")" "$2"
}
damaged "a word that is no verdict" "^check observations/0/family_wise 'perhaps' is not one of" '0,/"family_wise": "[a-z]*"/s//"family_wise": "perhaps"/'
damaged "a number that is text" "^check observations/0/samples '1' is not of type 'integer'" '0,/"samples": 1/s//"samples": "1"/'
damaged "a key that is gone" "^check observations/0 'in_doubt' is a required property" '0,/"in_doubt": null,/s///'
damaged "a key that nobody knows" "^check observations/0 Additional properties .*'doubtful' was unexpected" '0,/"in_doubt": null,/s//"in_doubt": null, "doubtful": 1,/'
damaged "another document" "^KeyError: .*/perhaps.json|No such file.*perhaps.json" '0,/hecate.check/s//hecate.perhaps/'
done_testing
