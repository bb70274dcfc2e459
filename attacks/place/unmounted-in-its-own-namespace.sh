# Becomes root of a user namespace, unmounts there what lies over the working tree and git's data, and edits.
# expect: STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED
# finding: docs/guide.md
# ship: yes
root=$PWD
echo 'export const answer = 42;' > src/main.ts
unshare --user --map-root-user --mount --propagation unchanged sh -c '
  cd /
  umount -l "$0/.git"; umount -l "$0"; mount -o remount,rw,bind "$0"; mount --move "$0" /mnt
  echo evil >> "$0/docs/guide.md"
' "$root" 2> /dev/null
echo evil >> docs/guide.md
