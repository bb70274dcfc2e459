# An ignored file changes where that is forbidden.
# expect: STOP_IGNORED_MUTATION
# kind: plain
set -e
echo more >>debug.log
