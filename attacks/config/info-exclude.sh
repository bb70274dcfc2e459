# A new file hides behind the private exclude file.
# expect: STOP_GIT_METADATA_MUTATION
# kind: plain
set -e
echo "evil*" >>.git/info/exclude
echo hidden >evil.txt
