# An edit in a repository of another owner.
# expect: SUCCESS
# repository: foreign
# needs: root
set -e
echo "// edit" >>src/main.ts
rm tests/main.test.ts
