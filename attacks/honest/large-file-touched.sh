# A very large ignored file gets new times and keeps its content.
# expect: SUCCESS
# kind: plain
# before: truncate -s 269000000 large.log
set -e
touch large.log
echo "// edit" >>src/main.ts
