#!/bin/sh
. "$HECATE_TESTS/lib/tap.sh"
is a b b
done_testing
