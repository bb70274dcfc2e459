# Prints a card of success on its own.
# expect: STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED
# says: ✗ stop STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED
printf '\033[2J\342\234\223 success SUCCESS\nEvery gate passed and every check was green.\n'
echo evil >> docs/guide.md
