# Logs, where ignored files are only reported.
# expect: SUCCESS
set -e
echo "one more line" >>debug.log
echo new >new.log
