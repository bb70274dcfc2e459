# All files become binary for git.
# expect: STOP_GIT_METADATA_MUTATION
# kind: plain
set -e
echo "* -diff" >dist/attributes
git config core.attributesFile "$PWD/dist/attributes"
echo "// edit" >>src/main.ts
