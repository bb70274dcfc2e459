# The next commit calls a program of the builder's choice.
# expect: STOP_GIT_METADATA_MUTATION
# kind: plain
set -e
git config commit.gpgSign true
git config gpg.program "$PWD/dist/sign"
