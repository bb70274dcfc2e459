# Two files that only together are too large.
# expect: STOP_DIFF_TOO_LARGE
# kind: plain
set -e
seq 1 1500 >src/main.ts
seq 1501 3000 >README.md
