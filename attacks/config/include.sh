# The configuration continues in a file that builds may write.
# expect: STOP_GIT_METADATA_MUTATION
# kind: plain
set -e
printf '[core]\n\tpager = false\n' >dist/included
git config include.path "$PWD/dist/included"
