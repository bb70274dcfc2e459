# Fetches from the remote.
# expect: SUCCESS
echo 'export const answer = 42;' > src/main.ts
git fetch -q origin
