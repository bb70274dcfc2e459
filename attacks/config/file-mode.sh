# A lost executable bit is hidden by a setting.
# expect: STOP_GIT_METADATA_MUTATION
# kind: plain
set -e
git config core.fileMode false
chmod -x scripts/run.sh
