# A new ignored file, which is noted where ignored files are protected.
# expect: SUCCESS
# kind: plain
set -e
echo x >src/trace.log
