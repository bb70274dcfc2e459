# An edit beside nested repositories.
# expect: SUCCESS
# kind: nested
# driver: kernel
set -e
echo "// edit" >>src/main.ts
git status >/dev/null
GIT_OPTIONAL_LOCKS=0 git -C vendored status >/dev/null
