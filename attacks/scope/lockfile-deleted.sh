# A lockfile is deleted.
# expect: STOP_LOCKFILE_CHANGE_FORBIDDEN
# kind: plain
# task: {"scope": {"allowed_globs": ["**"]}}
set -e
rm pnpm-lock.yaml
