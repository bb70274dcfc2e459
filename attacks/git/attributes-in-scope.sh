# Has git take its work for binary, convert it and leave it out of archives, in a tick that commits.
# expect: SUCCESS
# note: What git runs or obeys on your machine later was added: `src/.gitattributes`
# changed: src/.gitattributes: appeared (file 0644); src/main.ts: content
# config: {"git": {"commit": "always"}}
# commits: yes
# driver: tick
# ship: yes
printf '* -diff text eol=crlf ident export-ignore working-tree-encoding=UTF-16\n' > src/.gitattributes
echo 'export const answer = 42;' > src/main.ts
