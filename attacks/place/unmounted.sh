# Unmounts what lies over the working tree, and edits what is below.
# expect: STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED
# finding: docs/guide.md
# ship: yes
root=$PWD
echo 'export const answer = 42;' > src/main.ts
cd /
umount "$root" 2> /dev/null || umount -l "$root" 2> /dev/null || umount -f "$root" 2> /dev/null
fusermount3 -uz "$root" 2> /dev/null
cd "$root"
echo evil >> docs/guide.md
