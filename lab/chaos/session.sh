#!/bin/sh
# The session of a job in the chaos run: it holds the lock of its key while it works, so that the kernel sees two of them.
# LOCK OVERLAPS MADE REPOSITORY JOB ATTEMPT STEPS deaf|listening
set -u
lock=$1 overlaps=$2 made=$3 repository=$4 job=$5 attempt=$6 steps=$7 lifeline=$8

# The worker records this process before it lets it work.
read -r go || exit 3
# A deaf one does not notice that its worker is gone: a successor has to end it.
if [ "$lifeline" = listening ]; then
  exec 3<&0
  { cat <&3 > /dev/null; kill -KILL 0; } &
fi

exec 9>> "$lock"
flock -n 9 || { echo "$job $attempt" >> "$overlaps"; exit 4; }
while [ "$steps" -gt 0 ]; do
  sleep 0.05
  steps=$((steps - 1))
done

# The branch is made once: the second writer is refused.
branch="refs/heads/relais/$job"
rm -f "$repository/$branch.lock"
commit=$(git -C "$repository" commit-tree "HEAD^{tree}" -p HEAD -m "$job, attempt $attempt") || exit 5
if git -C "$repository" update-ref "$branch" "$commit" "0000000000000000000000000000000000000000" 2> /dev/null; then
  echo "$job $attempt $commit" >> "$made"
fi
git -C "$repository" rev-parse "$branch"
