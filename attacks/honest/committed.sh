# Does its work in a tick that commits.
# expect: SUCCESS
# commits: yes
# config: {"git": {"commit": "always"}}
# changed: src/main.ts: content; src/new.ts: appeared (file 0644)
# ship: yes
umask 022
echo 'export const answer = 42;' > src/main.ts
echo new > src/new.ts
git add src/main.ts
echo built > dist/app2.js
rm dist/app2.js
