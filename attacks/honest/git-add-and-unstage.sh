# A builder that stages and unstages.
# expect: SUCCESS
# kind: plain
set -e
echo "// edit" >>src/main.ts
git add src
git restore --staged src
