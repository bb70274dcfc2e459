# An edit in a repository of another owner.
# expect: SUCCESS
# kind: foreign
# needs: root
# driver: kernel
set -e
echo "// edit" >>src/main.ts
rm tests/main.test.ts
