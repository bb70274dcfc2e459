# Makes links that lead to each other, and one to its own folder: nobody who follows them comes to an end.
# expect: SUCCESS
# changed: src/deep/again: appeared (link 0777); src/main.ts: content; src/one: appeared (link 0777); src/two: appeared (link 0777)
# config: {"git": {"commit": "always"}}
# commits: yes
# ship: yes
ln -s two src/one
ln -s one src/two
ln -s . src/deep/again
echo 'export const answer = 42;' > src/main.ts
