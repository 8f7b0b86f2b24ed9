set -eu
known=@SANTORINI@
[ -x "$known" ] || known=santorini
SANTORINI=${SANTORINI:-$known}
# A relative path is relative to the caller's folder.
case $SANTORINI in
    /*) ;;
    */*) SANTORINI=$PWD/${SANTORINI#./} ;;
esac
command -v "$SANTORINI" >/dev/null || {
    echo "test.sh: there is no $SANTORINI; run SANTORINI=/path/to/santorini $0" >&2
    exit 127
}
export SANTORINI
cd "$(dirname "$0")"
games=$PWD/test-games.jsonl
quoted() {
    printf "'%s'" "$(printf '%s' "$1" | sed "s/'/'\\\\''/g")"
}
