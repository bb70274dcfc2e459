# Edits of files with odd names.
# expect: SUCCESS
# kind: plain
set -e
echo "// edit" >>"src/lib/[id].ts"
echo "// edit" >>"$(printf 'src/lib/na\303\257ve caf\303\251.ts')"
