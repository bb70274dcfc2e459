# A program that fails after it did damage.
# expect: STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED
# kind: plain
# fails: yes
# driver: kernel
set -e
echo changed >docs/guide.md
exit 3
