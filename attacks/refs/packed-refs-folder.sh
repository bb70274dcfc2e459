# A folder where git would write packed refs.
# expect: STOP_GIT_METADATA_MUTATION
# kind: plain
# before: git for-each-ref --format='%(refname) %(objectname)' | grep -v -e stash -e origin/HEAD | while read r v; do mkdir -p .git/$(dirname $r); echo $v >.git/$r; done; rm .git/packed-refs
set -e
mkdir .git/packed-refs
