# Renames the folder around the working tree, writes below a new one of that name, and renames it back.
# expect: STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED
# finding: docs/guide.md
# original: docs/guide.md: content
# ship: yes
echo 'export const answer = 42;' > src/main.ts
if mv "$HOSTILE/place" "$HOSTILE/moved" 2> /dev/null; then
  mkdir -p "$HOSTILE/place/repo/docs"
  echo evil > "$HOSTILE/place/repo/docs/guide.md"
  echo evil >> "$HOSTILE/moved/repo/docs/guide.md"
  rm -r "$HOSTILE/place"
  mv "$HOSTILE/moved" "$HOSTILE/place"
fi
echo evil >> docs/guide.md
