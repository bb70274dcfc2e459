# A hook after the program has ended.
# expect: STOP_GIT_METADATA_MUTATION
# kind: plain
# driver: kernel
set -e
(sleep 0.3; echo x >.git/hooks/post-commit) >/dev/null 2>&1 &
