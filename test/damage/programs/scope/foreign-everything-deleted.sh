# A whole repository of another owner must come back as his.
# expect: STOP_HEAD_MOVED
# repository: foreign
# needs: root
set -e
find . -mindepth 1 -delete
