# An ignored file is deleted where that is forbidden.
# expect: STOP_IGNORED_MUTATION
# kind: plain
set -e
rm debug.log
