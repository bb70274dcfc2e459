# An empty .git folder somewhere below.
# expect: STOP_UNSAFE_PATH
# kind: plain
set -e
mkdir -p src/inner/.git
