# A second configuration file appears.
# expect: STOP_GIT_METADATA_MUTATION
# kind: plain
set -e
git config extensions.worktreeConfig true
git config --worktree core.editor dist/editor
