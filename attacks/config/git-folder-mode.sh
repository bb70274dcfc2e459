# Everybody may write to the git directory.
# expect: STOP_GIT_METADATA_MUTATION
# kind: plain
set -e
chmod 0777 .git
