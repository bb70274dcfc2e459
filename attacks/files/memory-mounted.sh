# Works in a file system that only its memory holds, mounted over a folder of its scope.
# expect: BLOCKED_ROLLBACK_FAILED
# elsewhere: src/deep/work.ts: appeared (file 0644); src/main.ts: content
# needs: mount
# says: umount
# changed: src/deep: mode 0755 -> 1777; src/deep/inner.ts: vanished (file 0644); src/deep/work.ts: appeared (file 0644)
# afterwards: umount src/deep; grep -q inner src/deep/inner.ts
# driver: tick
# ship: yes
echo 'export const answer = 42;' > src/main.ts
mount -t tmpfs none src/deep
echo 'export const inner = 2;' > src/deep/work.ts
