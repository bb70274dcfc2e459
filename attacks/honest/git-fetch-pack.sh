# A fetch that brings a pack, while the builder stages its work.
# expect: SUCCESS
# kind: plain
# before: git clone -q ../origin.git ../other; cd ../other; echo one >one.txt; git add -A; git commit -qm one; git push -q origin HEAD:refs/heads/fresh; cd ..; rm -rf other
# stays: FETCH_HEAD; refs/remotes; logs/refs/remotes; objects
set -e
git -c fetch.unpackLimit=1 fetch -q origin
echo "// edit" >>src/main.ts
git add src
[ "$(ls .git/objects/pack/*.pack | wc -l)" -gt 1 ]
