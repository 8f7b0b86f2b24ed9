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
@BUILD@
# A free port, which the server names; and the first illegal answer loses the game.
"$SANTORINI" serve --listen 127.0.0.1:0 --bots 2 --rounds 20 --tries 1 --answer-time 10 \
    --return-time 1 --results games.jsonl --force 2>server.txt &
server=$!
trap 'kill $server 2>/dev/null || true' EXIT
port=
while [ -z "$port" ]; do
    kill -0 $server 2>/dev/null || { cat server.txt >&2; exit 1; }
    sleep 0.05
    port=$(sed -n 's/.*bots connect to 127\.0\.0\.1:\([0-9]*\)$/\1/p' server.txt)
done
"$SANTORINI" bot --connect "127.0.0.1:$port" --name random --random >random.txt 2>&1 &
@COMMAND@ 127.0.0.1 "$port" me
wait $server
if grep '"why":"' games.jsonl >faults.txt; then
    echo "test.sh: games were lost by a fault; each is a line of faults.txt" >&2
    exit 1
fi
rm faults.txt server.txt random.txt
echo "20 games without a fault; this shows them: $SANTORINI draw $PWD/games.jsonl --html games.html"
