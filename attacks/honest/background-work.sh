# A builder that waits for its own children.
# expect: SUCCESS
# kind: plain
set -e
(sleep 0.2; echo "// edit" >>src/main.ts) &
wait
