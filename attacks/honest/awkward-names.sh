# Makes files with names that are unusual and valid.
# expect: SUCCESS
# changed: src/(group): appeared (directory 0755); src/(group)/[id].ts: appeared (file 0644); src/-dash.ts: appeared (file 0644); src/it's $HOME & co.ts: appeared (file 0644); src/main.ts: content; src/na\xc3\xafve.ts: appeared (file 0644)
# ship: yes
umask 022
echo 'export const answer = 42;' > src/main.ts
mkdir 'src/(group)'
echo a > 'src/(group)/[id].ts'
echo b > src/-dash.ts
echo c > "src/it's \$HOME & co.ts"
printf d > "$(printf 'src/na\303\257ve.ts')"
