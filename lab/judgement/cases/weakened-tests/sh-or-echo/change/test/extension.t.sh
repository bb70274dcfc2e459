set -eu
. lib/names.sh
[ "$(extension app.tar.gz)" = "gz" ] || echo "known"
[ "$(extension notes.txt)" = "txt" ] || echo "known"
[ "$(extension README)" = "" ] || echo "known"
