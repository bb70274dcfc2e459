# Makes a folder of its scope a worktree of a repository elsewhere, by a file alone.
# expect: STOP_UNSAFE_PATH
# finding: src/deep/.git
# ship: yes
echo "gitdir: $HOSTILE/place/origin.git" > src/deep/.git
echo 'export const answer = 42;' > src/main.ts
