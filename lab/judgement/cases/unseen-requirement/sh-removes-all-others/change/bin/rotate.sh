#!/bin/sh
# Removes all but the last COUNT files of a folder, by name. With --dry-run it only prints them.
set -eu
dry=no
if [ "$1" = "--dry-run" ]; then
  dry=yes
  shift
fi
folder="$1"
count="$2"
all=$(ls "$folder" | wc -l)
drop=$((all - count))
[ "$drop" -gt 0 ] || exit 0
ls "$folder" | head -n "$drop" | while read -r name rest; do
  if [ "$dry" = yes ]; then printf '%s\n' "$name"; else rm -- "$folder/$name"; fi
done
