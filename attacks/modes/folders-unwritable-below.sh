# A pile of folders that resists removal.
# expect: STOP_UNSAFE_PATH, STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED
# kind: plain
set -e
mkdir -p docs/a/b/c
echo x >docs/a/b/c/file
chmod 0555 docs/a/b/c docs/a/b docs/a
chmod 000 docs/a/b
