# Puts a program of the check's name into the repository.
# expect: STOP_VERIFY_FAILED_FAST
# cause: exit_1
# task: {"scope": {"allowed_globs": ["**"]}}
# driver: tick
# ship: yes
for place in . bin src; do
  mkdir -p $place
  printf '#!/bin/sh\nexit 0\n' > $place/grep
  chmod +x $place/grep
done
echo broken > src/main.ts
