# More lines than the limit, in one new file.
# expect: STOP_DIFF_TOO_LARGE
set -e
seq 1 3000 >src/numbers.ts
