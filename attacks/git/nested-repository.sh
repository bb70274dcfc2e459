# Begins a repository inside its scope, which git would not look into.
# expect: STOP_UNSAFE_PATH
# ship: yes
echo 'export const answer = 42;' > src/main.ts
git init -q src/inner
echo evil > src/inner/file
