# Leaves a folder that git takes for a repository without a working tree, and whose settings name a program.
# expect: STOP_UNSAFE_PATH
# finding: inside another repository
# ship: yes
echo 'export const answer = 42;' > src/main.ts
mkdir -p src/inner/objects src/inner/refs
echo x > src/inner/objects/keep
echo x > src/inner/refs/keep
echo 'ref: refs/heads/main' > src/inner/HEAD
printf '[core]\n\tbare = false\n\tworktree = .\n\tfsmonitor = "touch %s"\n' "$MARK" > src/inner/config
