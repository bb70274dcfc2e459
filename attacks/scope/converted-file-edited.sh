# An edit in a repository that converts line ends.
# expect: STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED
# kind: crlf
set -e
printf "one\r\nTWO\r\n" >docs/page.txt
