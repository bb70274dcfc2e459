# A device in the scope.
# expect: STOP_UNSAFE_PATH
# needs: root
set -e
mknod src/null c 1 3
