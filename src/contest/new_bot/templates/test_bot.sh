#!/bin/sh
# Plays 20 games over TCP against random turns and checks every answer.
@HEAD@
fail() {
    echo "test.sh: $1; the server wrote:" >&2
    cat test-server.txt >&2
    exit 1
}
# Waits for a process to end, for up to $2 tenths of a second.
ends() {
    left=$2
    while kill -0 "$1" 2>/dev/null; do
        [ "$left" -gt 0 ] || return 1
        left=$((left - 1))
        sleep 0.1
    done
}
@BUILD@
# The server picks a free port and prints it. The first illegal answer loses the game.
"$SANTORINI" serve --listen 127.0.0.1:0 --bots 2 --rounds 20 --tries 1 --answer-time 10 \
    --return-time 1 --results "$games" --force 2>test-server.txt &
server=$!
bot=
trap 'kill $server $bot 2>/dev/null || true' EXIT
port=
while [ -z "$port" ]; do
    kill -0 $server 2>/dev/null || { cat test-server.txt >&2; exit 1; }
    sleep 0.05
    port=$(sed -n 's/.*bots connect to 127\.0\.0\.1:\([0-9]*\)$/\1/p' test-server.txt)
done
"$SANTORINI" bot --connect "127.0.0.1:$port" --name random --random >test-random.txt 2>&1 &
@COMMAND@ 127.0.0.1 "$port" me &
bot=$!
tenths=0
# Whether a game ended by a time-out. So would the others, so the rest is not played.
silent() {
    grep -qs '"ending":"time-out"' "$games"
}
while kill -0 $bot 2>/dev/null && kill -0 $server 2>/dev/null && ! silent; do
    sleep 0.1
    tenths=$((tenths + 1))
    [ $tenths -ne 300 ] || grep -q 'me is here' test-server.txt ||
        fail "the bot has not sent its name in 30 s"
done
if silent; then
    kill $server 2>/dev/null || true
fi
ends $server 50 || fail "the bot ended before the tournament"
# It may still be reading the final table.
ends $bot 50 || kill $bot
if grep '"why":"' "$games" >test-faults.txt; then
    # The text of a JSON string; of its escapes only \" and \\ occur here.
    sed -nE 's/.*"why":"(([^"\\]|\\.)*)".*/\1/p' test-faults.txt |
        sed -E 's/\\(.)/\1/g' | head -n 3 >&2
    echo "test.sh: games were lost by a fault; each is a line of $PWD/test-faults.txt" >&2
    exit 1
fi
rm test-faults.txt test-server.txt test-random.txt
echo "20 games without a fault; to look at them:"
echo "  $(quoted "$SANTORINI") draw $(quoted "$games") --html games.html"
