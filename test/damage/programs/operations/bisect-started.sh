# A bisection is under way.
# expect: STOP_GIT_METADATA_MUTATION
set -e
git bisect start >/dev/null
