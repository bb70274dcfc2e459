# A link into the git directory.
# expect: STOP_UNSAFE_PATH
# kind: plain
set -e
ln -s ../.git/config src/settings
