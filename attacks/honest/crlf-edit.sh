# An edit where line ends are converted by attributes.
# expect: SUCCESS
# kind: crlf
set -e
printf "1\r\n2\r\n3\r\n" >src/page.ts
git diff >/dev/null 2>&1
git add src 2>/dev/null
