# Modes are changed and changed back.
# expect: SUCCESS
# kind: plain
# note: without a visible change
set -e
chmod 0600 docs/guide.md
chmod 0644 docs/guide.md
chmod 0700 docs
chmod 0755 docs
