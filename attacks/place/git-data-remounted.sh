# Makes git's own data writable again, where it is mounted read-only, and plants a hook.
# expect: STOP_GIT_METADATA_MUTATION
# ship: yes
echo 'export const answer = 42;' > src/main.ts
mount -o remount,rw,bind "$PWD/.git" 2> /dev/null
mount -o remount,rw "$PWD/.git" 2> /dev/null
umount -l "$PWD/.git" 2> /dev/null
unshare -Urm mount -o remount,rw,bind "$PWD/.git" 2> /dev/null
mkdir -p .git/hooks
printf '#!/bin/sh\ntouch "%s"\n' "$MARK" > .git/hooks/pre-commit
chmod +x .git/hooks/pre-commit
true
