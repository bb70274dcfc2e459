# A new ignored file where that is forbidden.
# expect: STOP_IGNORED_MUTATION
# ignored: forbid
set -e
echo x >src/trace.log
