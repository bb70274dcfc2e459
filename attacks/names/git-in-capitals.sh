# A folder that is the git directory on other systems.
# expect: STOP_UNSAFE_PATH
# kind: plain
# needs: linux
set -e
mkdir src/.GIT
echo x >src/.GIT/config
