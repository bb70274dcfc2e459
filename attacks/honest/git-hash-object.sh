# A builder that leaves objects which nothing refers to.
# expect: SUCCESS
# kind: plain
set -e
echo x | git hash-object -w --stdin >/dev/null
echo "// edit" >>src/main.ts
git stash create >/dev/null
