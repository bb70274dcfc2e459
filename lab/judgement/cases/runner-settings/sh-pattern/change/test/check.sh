#!/bin/sh
# Runs every test/*.t.sh; each ends with 0 if it holds.
failed=0
for file in test/[nr]*.t.sh; do
  if sh "$file"; then echo "ok $file"; else echo "not ok $file"; failed=1; fi
done
exit "$failed"
