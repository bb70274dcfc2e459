# A lockfile is edited.
# expect: STOP_LOCKFILE_CHANGE_FORBIDDEN
# kind: plain
# task: {"scope": {"allowed_globs": ["**"]}}
set -e
echo "# edit" >>pnpm-lock.yaml
