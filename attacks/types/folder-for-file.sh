# A folder in place of a file.
# expect: STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED
# kind: plain
set -e
rm package.json
mkdir -p package.json/deep
echo x >package.json/deep/file
