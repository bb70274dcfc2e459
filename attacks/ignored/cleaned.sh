# Everything that git does not track is swept away.
# expect: STOP_RUNNER_OWNED_MUTATION
# kind: plain
set -e
git clean -qffdx
