# A builder that empties its index: its files are what counts.
# expect: SUCCESS
# kind: plain
set -e
echo "// edit" >>src/main.ts
git read-tree --empty
