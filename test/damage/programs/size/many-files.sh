# More files than the limit.
# expect: STOP_DIFF_TOO_LARGE
set -e
for n in $(seq 1 60); do echo "$n" >"src/file-$n.ts"; done
