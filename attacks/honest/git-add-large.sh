# A builder that stages a file which git puts into a pack of its own because of its size.
# expect: SUCCESS
# kind: plain
# before: git config core.bigFileThreshold 1k
set -e
head -c 5000 /dev/zero | tr '\0' x >src/large.txt
git add src
ls .git/objects/pack/*.pack >/dev/null
