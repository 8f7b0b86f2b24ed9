#!/bin/sh
# Plays 20 games over TCP against random turns, and checks every answer.
set -eu
SANTORINI=${SANTORINI:-@SANTORINI@}
# It may be named from where this script was called.
case $SANTORINI in
    /*) ;;
    */*) SANTORINI=$PWD/$SANTORINI ;;
esac
cd "$(dirname "$0")"
games=$PWD/test-games.jsonl
quoted() {
    printf "'%s'" "$(printf '%s' "$1" | sed "s/'/'\\\\''/g")"
}
@BUILD@
# A free port, which the server names; and the first illegal answer loses the game.
"$SANTORINI" serve --listen 127.0.0.1:0 --bots 2 --rounds 20 --tries 1 --answer-time 10 \
    --return-time 1 --results "$games" --force 2>test-server.txt &
server=$!
trap 'kill $server 2>/dev/null || true' EXIT
port=
while [ -z "$port" ]; do
    kill -0 $server 2>/dev/null || { cat test-server.txt >&2; exit 1; }
    sleep 0.05
    port=$(sed -n 's/.*bots connect to 127\.0\.0\.1:\([0-9]*\)$/\1/p' test-server.txt)
done
"$SANTORINI" bot --connect "127.0.0.1:$port" --name random --random >test-random.txt 2>&1 &
@COMMAND@ 127.0.0.1 "$port" me
wait $server
if grep '"why":"' "$games" >test-faults.txt; then
    echo "test.sh: games were lost by a fault; each is a line of $PWD/test-faults.txt" >&2
    exit 1
fi
rm test-faults.txt test-server.txt test-random.txt
echo "20 games without a fault; this shows them:"
echo "  $(quoted "$SANTORINI") draw $(quoted "$games") --html games.html"
