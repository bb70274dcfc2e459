# An empty .git folder somewhere below.
# expect: STOP_UNSAFE_PATH
set -e
mkdir -p src/inner/.git
