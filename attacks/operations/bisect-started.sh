# A bisection is under way.
# expect: STOP_GIT_METADATA_MUTATION
# kind: plain
set -e
git bisect start >/dev/null
