# A new name with a quote, which git prints escaped.
# expect: STOP_UNSAFE_PATH
set -e
touch 'src/a"b.ts'
