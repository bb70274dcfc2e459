# An ignored file changes where that is forbidden.
# expect: STOP_IGNORED_MUTATION
# ignored: forbid
set -e
echo more >>debug.log
