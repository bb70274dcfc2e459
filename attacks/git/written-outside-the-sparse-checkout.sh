# Overwrites a file that git knows and has not checked out, where no file may be new.
# expect: SUCCESS
# changed: src/deep: appeared (directory 0755); src/deep/inner.ts: appeared (file 0644); src/main.ts: content
# before: git update-index --skip-worktree src/deep/inner.ts && rm -r src/deep
# task: {"scope": {"allow_new_files": false}}
# ship: yes
mkdir src/deep
echo 'export const inner = 2;' > src/deep/inner.ts
echo 'export const answer = 42;' > src/main.ts
