# Pushes to a remote that lies on the same disk.
# expect: SUCCESS
# needs: sandbox
# note: Remote-tracking refs changed
# outside: ./place/origin.git
echo 'export const answer = 42;' > src/main.ts
git push -q origin HEAD:refs/heads/evil
