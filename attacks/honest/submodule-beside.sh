# An edit beside a submodule.
# expect: SUCCESS
# kind: submodule
set -e
echo "// edit" >>src/main.ts
git status >/dev/null
git submodule status >/dev/null
