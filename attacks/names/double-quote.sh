# A new name with a quote, which git prints escaped.
# expect: STOP_UNSAFE_PATH
# kind: plain
set -e
touch 'src/a"b.ts'
