# Only the mode of a hook file changes.
# expect: STOP_GIT_METADATA_MUTATION
# kind: plain
set -e
chmod +x .git/hooks/pre-commit.sample
