#!/bin/sh
# The JSON Schema of `hecate check --json`: what the program writes is valid, what is damaged is not, and docs/json.md
# says the same of each key.
. "$HECATE_TESTS/lib/tap.sh"
schema=$(dirname "$HECATE")/schemas/check.json
data=$HECATE_MODELS/models/demo/page-faults.csv

# said FILE: each key of the schema that the page's section, or its first one, does not describe with the same words and
# with the same type
said() {
	py - "$1" "$TOP_SRCDIR/docs/json.md" <<'END'
import json, re, sys
words = {"text": "string", "array": "array", "number": "number", "integer": "integer", "boolean": "boolean", "object": "object"}
page = open(sys.argv[2]).read()
parts = [re.search(r"^## %s\n(.*?)(?=^## |\Z)" % name, page, re.S | re.M)[1] for name in ("The head", "hecate.check/1")]
rows = {}
for keys, kind, text in re.findall(r"^\| (`[^|]*`) \| ([^|]*) \| (.*) \|$", "\n".join(parts), re.M):
    for key in re.findall(r"`([^`]*)`", keys):
        rows.setdefault((key, text), []).append(kind)
def look(schema):
    for key, row in schema.get("properties", {}).items():
        text, kinds = row.get("description"), row.get("type", ["string"] if "enum" in row else ["object"])
        if text:
            told = rows.get((key, text), [])
            if not any(words.get(t.split(" ")[0]) in kinds or (t == "number" and "integer" in kinds) for t in told):
                print(key, told)
        for part in [row, row.get("items", {})] + row.get("anyOf", []):
            look(part)
look(json.load(open(sys.argv[1])))
END
}
is "docs/json.md describes each key in the schema's words" "$(said "$schema")" ""
sed 's/Hurst exponent/an exponent/; s/"description": "how many independent/"description": "How many independent/' "$schema" >"$tmp/other.json"
is "other words would be found" "$(said "$tmp/other.json" | tr '\n' ' ')" "effective_samples [] memory [] "

# The python3 of the tests loads no packages (tests/room.mk).
for python in /usr/bin/python3 "$(readlink -f "$(command -v python3)")" ""; do
	[ -n "$python" ] && "$python" -I -W ignore -c 'import jsonschema' 2>/dev/null && break
done
if [ -z "$python" ]; then
	skip "documents are valid" "python3-jsonschema is not installed"
	done_testing
	exit
fi
# valid FILE: nothing, or where the document breaks the schema. A key that the schema does not name breaks it, too.
valid() {
	"$python" -I -W ignore - "$schema" "$1" 2>&1 <<'END' || echo "not read"
import json, jsonschema, sys
def close(schema):
    if isinstance(schema, dict):
        if "properties" in schema:
            schema["additionalProperties"] = False
        for part in schema.values():
            close(part)
    elif isinstance(schema, list):
        for part in schema:
            close(part)
schema = json.load(open(sys.argv[1]))
close(schema)
validator = getattr(jsonschema, "Draft202012Validator", jsonschema.Draft7Validator)
validator.check_schema(schema)
for error in validator(schema).iter_errors(json.load(open(sys.argv[2]))):
    print("/".join(map(str, error.path)), error.message[:100])
END
}
n_valid=0
# document ARGUMENT…: hecate check with these is valid
document() {
	n_valid=$((n_valid + 1))
	"$HECATE" check --json "$@" >"$tmp/$n_valid.json" 2>"$tmp/err"
	is "valid: check$(printf ' %s' "$@" | sed "s#$HECATE_MODELS/##g; s#$tmp/##g; s/-p [0-9]*/-p PID/")" "$(valid "$tmp/$n_valid.json")" ""
}
document linux-page-faults --exact "$data"
document linux-page-faults "$data" --flow
document linux-page-faults --exact "$data" --features D --explain --flow
document linux-page-faults --exact "$data" --propose --one-by-one
document linux-page-faults -- true
document linux-page-faults -p $$ -I 1 --samples 2
"$HECATE" sim -q --machine small --samples 60 --accesses 2000 -m haswell-mmu --plant merging -o "$tmp/noisy.hct"
document haswell-mmu "$tmp/noisy.hct"
document haswell-mmu "$tmp/noisy.hct" --variant m0 --flow --counterpoint
document haswell-mmu "$tmp/noisy.hct" --region box --trust-zeros
has "they have both kinds of verdicts" "$(cat "$tmp"/[0-9].json | grep '"verdict"' | sort -u | tr -d '\n')" 'infeasible.*"feasible|"feasible.*infeasible'

# What a document must not be.
damaged() { # NAME WHERE SCRIPT
	sed "$3" "$tmp/3.json" >"$tmp/damaged.json"
	has "invalid: $1" "$(valid "$tmp/damaged.json")" "$2"
}
damaged "a word that is no verdict" "^observations/0/family_wise 'perhaps' is not one of" '0,/"family_wise": "[a-z]*"/s//"family_wise": "perhaps"/'
damaged "a number that is text" "^observations/0/samples '1' is not of type 'integer'" '0,/"samples": 1/s//"samples": "1"/'
damaged "a key that is gone" "^observations/0 'in_doubt' is a required property" '0,/"in_doubt": null,/s///'
damaged "a key that nobody knows" "^observations/0 Additional properties .*'doubtful' was unexpected" '0,/"in_doubt": null,/s//"in_doubt": null, "doubtful": 1,/'
done_testing
