# Only the line ends change: git sees no difference, the bytes differ.
# expect: STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED
# kind: crlf
set -e
printf "one\ntwo\n" >docs/page.txt
