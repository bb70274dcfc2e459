# A lockfile is deleted.
# expect: STOP_LOCKFILE_CHANGE_FORBIDDEN
# allowed: **
set -e
rm pnpm-lock.yaml
