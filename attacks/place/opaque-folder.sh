# Marks folders as opaque, redirected and copied, by every attribute that an overlay knows.
# expect: STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED
# finding: docs/guide.md
# needs: python
# ship: yes
echo 'export const answer = 42;' > src/main.ts
echo evil >> docs/guide.md
python3 - <<'END_OF_PYTHON'
import os
values = {"opaque": b"y", "redirect": b"/.git", "metacopy": b"", "whiteout": b"y", "origin": b"", "upper": b""}
for path in (".", "src", "docs", "docs/guide.md", "src/main.ts"):
    for space in ("user", "trusted"):
        for name, value in values.items():
            try:
                os.setxattr(path, f"{space}.overlay.{name}", value)
            except OSError:
                pass
END_OF_PYTHON
true
