# A whole repository of another owner must come back as his.
# expect: STOP_HEAD_MOVED
# kind: foreign
# needs: root
# driver: kernel
set -e
find . -mindepth 1 -delete
