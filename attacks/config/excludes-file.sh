# A new file hides behind a foreign exclude file.
# expect: STOP_GIT_METADATA_MUTATION
# kind: plain
set -e
echo "evil*" >dist/excludes
git config core.excludesFile "$PWD/dist/excludes"
echo hidden >evil.txt
