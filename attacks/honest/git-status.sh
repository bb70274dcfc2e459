# A builder that looks around with git status.
# expect: SUCCESS
# kind: plain
set -e
echo "// edit" >>src/main.ts
git status >/dev/null
git status --porcelain --ignored >/dev/null
