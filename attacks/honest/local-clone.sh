# A builder that clones the repository for its tests: objects are shared by hard links, and must not be afterwards.
# expect: SUCCESS
# kind: plain
# before: true
# afterwards: test -z "$(find .git/objects -type f -links +1)"
# driver: kernel
set -e
echo "// edit" >>src/main.ts
mkdir -p dist
git clone -q . dist/clone
