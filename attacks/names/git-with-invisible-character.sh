# A folder that is the git directory on a Mac.
# expect: STOP_UNSAFE_PATH
# kind: plain
set -e
mkdir "$(printf 'src/.g\342\200\214it')"
touch "$(printf 'src/.g\342\200\214it/config')"
