# A folder in scope becomes a file.
# expect: SUCCESS
set -e
rm -r src/lib src/current
echo "export {};" >src/lib
