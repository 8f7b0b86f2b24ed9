#!/bin/sh
# Plays 20 games against random turns, and checks every answer.
set -eu
SANTORINI=${SANTORINI:-@SANTORINI@}
# It may be named from where this script was called.
case $SANTORINI in
    /*) ;;
    */*) SANTORINI=$PWD/$SANTORINI ;;
esac
export SANTORINI
cd "$(dirname "$0")"
@BUILD@
"$SANTORINI" tournament --rounds 10 --time 10 --force --output games.jsonl \
    me='@COMMAND@' random="sh -c 'exec \"\$SANTORINI\" lab player random'"
if grep '"why":"' games.jsonl >faults.txt; then
    echo "test.sh: games were lost by a fault; each is a line of faults.txt" >&2
    exit 1
fi
rm faults.txt
echo "20 games without a fault; this shows them: $SANTORINI draw $PWD/games.jsonl --html games.html"
