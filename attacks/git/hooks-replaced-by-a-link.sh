# Makes the folder of git's hooks a link into its scope, with a hook behind it.
# expect: STOP_GIT_METADATA_MUTATION
# elsewhere: src/hooks: appeared (directory 0755); src/hooks/pre-commit: appeared (file 0755); src/main.ts: content
# ship: yes
umask 022
mkdir src/hooks
printf '#!/bin/sh\ntouch "%s"\n' "$MARK" > src/hooks/pre-commit
chmod +x src/hooks/pre-commit
rm -rf .git/hooks
ln -s ../src/hooks .git/hooks
echo 'export const answer = 42;' > src/main.ts
