# All refs are packed, so nothing is lost but the folder without which this is no repository.
# expect: STOP_GIT_METADATA_MUTATION
# kind: plain
set -e
git pack-refs --all --prune
rm -rf .git/refs
