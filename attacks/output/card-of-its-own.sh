# Prints a card of success on its own.
# expect: STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED
# says: ✗ Reverted: docs/guide.md is outside the allowed paths
# ship: yes
printf '\033[2J\342\234\223 Kept\nAll rules and checks passed.\n'
echo evil >> docs/guide.md
