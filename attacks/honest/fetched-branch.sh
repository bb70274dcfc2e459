# A remote-tracking ref as a fetch would write it.
# expect: SUCCESS
# kind: plain
# stays: FETCH_HEAD; refs/remotes; logs/refs/remotes; objects
set -e
git update-ref refs/remotes/origin/feature HEAD
