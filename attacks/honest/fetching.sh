# Fetches from the remote.
# expect: SUCCESS
# git: FETCH_HEAD: appeared (file 0644)
# ship: yes
echo 'export const answer = 42;' > src/main.ts
git fetch -q origin
