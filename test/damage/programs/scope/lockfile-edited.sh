# A lockfile is edited.
# expect: STOP_LOCKFILE_CHANGE_FORBIDDEN
# allowed: **
set -e
echo "# edit" >>pnpm-lock.yaml
