# An ignored file is deleted where that is forbidden.
# expect: STOP_IGNORED_MUTATION
# ignored: forbid
set -e
rm debug.log
