# HEAD and branches that everybody may write.
# expect: STOP_GIT_METADATA_MUTATION
# kind: plain
set -e
chmod 666 .git/HEAD
chmod 777 .git/refs/heads/*
