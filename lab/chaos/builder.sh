#!/bin/sh
# The builder of a real job in the chaos run: it holds the lock of its repository while it works. LOCK OVERLAPS
exec 9>> "$1"
flock -n 9 || { echo "$(pwd)" >> "$2"; exit 4; }
sleep 0.5
echo "one more line" >> notes.txt
printf '%s' '{"summary":"Done.","files_intended":["notes.txt"],"commands_ran":[],"notes":[]}' > "$RELAIS_RESULT_PATH"
