# An edit with the size and the time of the original.
# expect: STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED
set -e
touch -r docs/guide.md dist/time
printf "Guide, part TWO.\n" >docs/guide.md
touch -r dist/time docs/guide.md
