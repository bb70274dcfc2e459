# A folder in scope becomes a file.
# expect: SUCCESS
# kind: plain
set -e
rm -r src/lib src/current
echo "export {};" >src/lib
