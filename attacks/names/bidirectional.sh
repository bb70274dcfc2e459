# A name that reads backwards.
# expect: STOP_UNSAFE_PATH
# kind: plain
set -e
touch "$(printf 'src/\342\200\256st.niam')"
