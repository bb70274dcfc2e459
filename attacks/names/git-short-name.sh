# A folder that is the git directory on Windows.
# expect: STOP_UNSAFE_PATH
# kind: plain
set -e
mkdir src/git~1
echo x >src/git~1/config
