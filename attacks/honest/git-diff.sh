# A builder that reads its own diff.
# expect: SUCCESS
# kind: plain
set -e
echo "// edit" >>src/main.ts
git diff >/dev/null
git diff --stat HEAD >/dev/null
