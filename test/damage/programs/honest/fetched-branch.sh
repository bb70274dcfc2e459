# A remote-tracking ref as a fetch would write it.
# expect: SUCCESS
set -e
git update-ref refs/remotes/origin/feature HEAD
