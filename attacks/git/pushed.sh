# Pushes to a remote that lies on the same disk.
# expect: SUCCESS
# needs: sandbox
# note: Remote-tracking refs changed
# says: Remote-tracking refs changed
# outside: ./place/origin.git
# git: logs/refs/remotes/origin/evil: appeared (file 0644); refs/remotes/origin/evil: appeared (file 0644)
# ship: yes
echo 'export const answer = 42;' > src/main.ts
git push -q origin HEAD:refs/heads/evil
