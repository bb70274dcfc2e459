# Logs, where ignored files are only reported.
# expect: SUCCESS
# kind: plain
# config: {"ignored": "report"}
set -e
echo "one more line" >>debug.log
echo new >new.log
