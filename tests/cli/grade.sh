#!/bin/sh
# hecate grade: what answers claim is judged again, and broken lessons, answers and cases are refused with their place.
. "$HECATE_TESTS/lib/tap.sh"
lesson=$HECATE_TESTS/data/lessons/faults.lesson
cd "$tmp" || exit 1

# answers FILE STEP…: a file of answers.
answers() { file=$1; shift; { echo 'answers "faults" steps 6 at 1;'; for s in "$@"; do echo "$s"; done; } >"$file"; }
points() { "$HECATE" grade "$lesson" "$1" --json | tr -d '\n' | grep -oE '"points": [0-9]+' | head -n 1 | grep -oE '[0-9]+'; }

answers all 'step 1 { answer 1 "5" features ""; done; }' 'step 2 { answer 1 "D" features "D"; tries 2; hints 1; done; }' \
	'step 3 { answer 1 "2" features "D"; done; }' 'step 4 { answer 1 "3"; answer 2 "bash"; done; }' \
	'step 5 { answer 1 "2"; answer 2 "find"; done; }'
status 0 "$HECATE" grade "$lesson" all
has "all points" "$out" 'score 6 of 6'
has "what it took" "$out" '1 of 1 .*step 2 .*2 wrong answers  1 hint'
answers none 'step 1 { tries 3; }'
is "nothing done" "$(points none)" 0

# `done` is a claim like any other.
answers liar 'step 1 { done; }' 'step 2 { answer 1 "D" features "C"; done; }' 'step 4 { answer 1 "2"; answer 2 "bash"; done; }'
is "claims earn nothing" "$(points liar)" 0
answers count 'step 1 { answer 1 "5" features "D"; done; }'
is "a number is computed for the features that were on" "$(points count)" 0
answers with 'step 3 { answer 1 "1" features "A D"; done; }'
is "a choice that another feature makes right" "$(points with)" 0
answers off 'step 3 { answer 1 "2" features ""; done; }'
is "a choice that was not tried" "$(points off)" 0
answers shown 'step 1 { answer 1 "5" features ""; shown; done; }'
is "what hecate showed" "$(points shown)" 0
answers unknown 'step 2 { answer 1 "D" features "D no_such"; done; }'
is "a feature that the model does not have" "$(points unknown)" 0

status 0 "$HECATE" grade "$lesson" all none liar
has "a class is a table" "$out" '^all +1 +1 +2 +1 +1 +6 of 6'
has "  with a line for each" "$out" '^none .* 0 of 6'

# Broken input names its place; nothing is printed.
status 2 "$HECATE" grade "$lesson" nobody
has "no such answers" "$err" 'cannot open nobody; answers are kept in'
answers broken 'step 9 { done; }'
status 2 "$HECATE" grade "$lesson" all broken
has "answers that do not parse" "$err" 'broken:2:6: .*from 1 to 6'
is "  and no grade" "$out" ''
echo 'answers "other" steps 6 at 1;' >other
status 2 "$HECATE" grade "$lesson" other
has "answers to another lesson" "$err" 'answers to lesson other'
status 2 "$HECATE" grade "$lesson"
has "no answers" "$err" 'grade needs answers after the lesson'
status 2 "$HECATE" grade fautls all
has "an unknown lesson" "$err" 'none of the installed lessons has that name'
echo 'cases other { case "a" data "a.csv" accepts; }' >other.cases
status 2 "$HECATE" grade "$lesson" all --cases other.cases
has "cases of another lesson" "$err" 'has cases of lesson other, not of faults'

# A lesson whose parts are missing.
sed 's/gcc feasible/gcd feasible/' "$lesson" | sed "s|\"../../../|\"$HECATE_TESTS/../|" >typo.lesson
status 2 "$HECATE" grade typo.lesson --check
has "an observation that is not in the data" "$err" 'typo.lesson:33:23: there is no observation gcd; nearest: gcc'
sed 's/show features none;//' "$lesson" | sed "s|\"../../../|\"$HECATE_TESTS/../|" >early.lesson
status 2 "$HECATE" grade early.lesson --check
has "a question that is answered before" "$err" 'step 3: several choices are right'
sed 's|"../../../models/demo/page-faults.csv"|"sim:no"|' "$lesson" >machine.lesson
status 2 "$HECATE" grade machine.lesson --check
has "a machine that is missing" "$err" 'machine.lesson:4:6: the lesson opens this, and it cannot be opened'
done_testing
