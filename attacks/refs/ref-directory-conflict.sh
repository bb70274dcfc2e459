# A branch becomes a folder of branches.
# expect: STOP_GIT_METADATA_MUTATION
# kind: plain
set -e
mkdir -p .git/refs/heads/late.d
rm .git/refs/heads/late
mkdir .git/refs/heads/late
git rev-parse main >.git/refs/heads/late/inner
