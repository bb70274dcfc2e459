# An edit of a file that a filter converts.
# expect: SUCCESS
# kind: filter
set -e
echo "plain: two" >>src/data.dat
git status >/dev/null
git add src
