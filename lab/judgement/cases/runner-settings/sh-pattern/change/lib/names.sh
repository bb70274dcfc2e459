# Functions for names of files; sourced by bin/rotate.sh and by the checks.
stem() {
  name="${1##*/}"
  printf '%s\n' "${name%.*}"
}

extension() {
  printf '%s\n' "$1"
}
