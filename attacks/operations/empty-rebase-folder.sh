# An empty folder is enough for git to speak of a rebase.
# expect: STOP_GIT_METADATA_MUTATION
# kind: plain
set -e
mkdir .git/rebase-merge
