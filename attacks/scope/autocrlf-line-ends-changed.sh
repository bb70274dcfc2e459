# Only the line ends change, with the conversion set in the configuration.
# expect: STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED
# kind: autocrlf
set -e
printf "one\ntwo\n" >docs/page.txt
