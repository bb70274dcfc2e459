# Has the code under test swap a tracked file for a link to a secret, and back, again and again while the check runs.
# expect: SUCCESS
# changed: src/main.ts: content; src/run.sh: appeared (file 0644)
# task: {"verification": {"fast": ["under-test", "answer"]}}
# config: {"verification": {"oracle": "note"}}
# ship: yes
umask 022
echo 'export const answer = 42;' > src/main.ts
cat > src/run.sh <<'END'
umask 022
for n in $(seq 1 100); do
  cp src/other.ts src/other.tmp
  ln -sf ../.env src/other.ts
  mv src/other.tmp src/other.ts
done
END
