# A builder that takes back its own edit.
# expect: SUCCESS
# kind: plain
set -e
echo "// edit" >>src/main.ts
git checkout -q -- src/main.ts
