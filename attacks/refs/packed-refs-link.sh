# Packed refs come from a file elsewhere and replace an object.
# expect: STOP_GIT_METADATA_MUTATION
# kind: plain
# before: git for-each-ref --format='%(refname) %(objectname)' | grep -v -e stash -e origin/HEAD | while read r v; do mkdir -p .git/$(dirname $r); echo $v >.git/$r; done; rm .git/packed-refs
set -e
evil=$(echo evil | git hash-object -w --stdin)
printf '# pack-refs with: peeled fully-peeled sorted \n%s refs/replace/%s\n' "$evil" "$(git rev-parse HEAD:README.md)" >dist/refs
ln -s ../dist/refs .git/packed-refs
