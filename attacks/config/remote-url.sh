# The next push goes elsewhere.
# expect: STOP_GIT_METADATA_MUTATION
# kind: plain
set -e
git remote set-url origin https://example.org/other.git
