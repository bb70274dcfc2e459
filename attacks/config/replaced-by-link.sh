# The configuration now lies where builds may write.
# expect: STOP_GIT_METADATA_MUTATION
# kind: plain
set -e
mv .git/config dist/config
ln -s ../dist/config .git/config
