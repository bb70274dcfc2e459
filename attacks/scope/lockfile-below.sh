# A lockfile appears further down.
# expect: STOP_LOCKFILE_CHANGE_FORBIDDEN
# kind: plain
set -e
mkdir -p src/app
echo "{}" >src/app/package-lock.json
