# An extended attribute on a file that is otherwise untouched is told.
# expect: SUCCESS
# kind: plain
# needs: root
# before: true
# note: `scripts/run.sh`
set -e
PATH=$PATH:/usr/sbin:/sbin setcap cap_setuid+ep scripts/run.sh
