set -eu
. lib/names.sh
[ "$(extension app.tar.gz)" = "gz" ]
[ "$(extension notes.txt)" = "txt" ]
[ "$(extension README)" = "" ]
