#!/bin/sh
# Removes all but the last COUNT files of a folder, by name.
set -eu
folder="$1"
count="$2"
all=$(ls "$folder" | wc -l)
drop=$((all - count))
[ "$drop" -gt 0 ] || exit 0
ls "$folder" | head -n "$drop" | while IFS= read -r name; do
  rm -- "$folder/$name"
done
