#!/bin/sh
# This script @ABOUT@.
@HEAD@
@BUILD@
rm -f "$games" test-faults.txt
code=0
table=$("$SANTORINI" tournament --once --check @OPTIONS@ --time 10 --output "$games" \
    me='@COMMAND@' random="sh -c 'exec \"\$SANTORINI\" @OPPONENT@'") || code=$?
if [ -e "$games" ] && grep '"why":"' "$games" >test-faults.txt; then
    # A player that always fails was explained above.
    [ $code != 0 ] || "$SANTORINI" tournament show --faults "$games"
    echo "test.sh: games were lost by a fault; each is a line of $PWD/test-faults.txt," \
        "where \"game\" counts from 0; fix the player and run test.sh again" >&2
    exit 1
fi
rm -f test-faults.txt
[ $code = 0 ] || exit $code
printf '%s\n' "$table"
echo "@GAMES@ games without a fault; to look at them:"
echo "  $(quoted "$SANTORINI") draw $(quoted "$games") --html games.html"
