# A builder that stages its work.
# expect: SUCCESS
# kind: plain
set -e
echo "// edit" >>src/main.ts
echo x >src/new.ts
git add src
