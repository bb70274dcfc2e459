# An edit where line ends are converted by configuration.
# expect: SUCCESS
# kind: autocrlf
set -e
printf "1\r\n2\r\n3\r\n" >src/page.ts
git add src 2>/dev/null
